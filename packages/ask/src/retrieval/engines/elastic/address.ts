import { ConfigurationError } from '@stickler/core'

/** Where a search server is, and its credentials. */
export interface SearchAddress {
  readonly product: 'elasticsearch' | 'opensearch'
  /** Without anything secret. */
  readonly node: string
  readonly auth?: { readonly username: string; readonly password: string } | { readonly apiKey: string }
  /** Secrets that must never be repeated. */
  readonly secrets: readonly string[]
}

/** Reads an address such as `elasticsearch+https://user:password@host:9200`; a key is given as `?api_key=…`. */
export function readSearchAddress(url: string): SearchAddress {
  const [, product, rest] = /^(elasticsearch|opensearch)\+(https?:\/\/.*)$/.exec(url) ?? []
  if (rest === undefined || !URL.canParse(rest)) {
    // The address may contain a password, so it is not repeated.
    throw new ConfigurationError([
      {
        path: ['retrieval', 'index'],
        message: 'must be an address such as elasticsearch+https://host:9200 or opensearch+https://host:9200',
      },
    ])
  }
  const { protocol, host, pathname, searchParams, username, password } = new URL(rest)
  const apiKey = searchParams.get('api_key') ?? ''
  const signIn = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  return {
    product: product as SearchAddress['product'],
    node: `${protocol}//${host}${pathname}`,
    ...(apiKey !== '' ? { auth: { apiKey } } : username !== '' ? { auth: signIn } : {}),
    secrets: [apiKey, password, signIn.password],
  }
}

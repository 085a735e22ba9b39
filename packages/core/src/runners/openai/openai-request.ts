import { ConfigurationError } from '../../contract/configuration-error.ts'

/** Where and how to reach a provider. */
export interface Endpoint {
  readonly url: string
  readonly headers: Headers
  /** What must never be repeated to anybody. */
  readonly secrets: readonly string[]
}

/** Works out the address of `path` and the headers; throws when they cannot be right, without repeating them. */
export function endpoint(
  baseUrl: string,
  apiKey: string | undefined,
  extra: Readonly<Record<string, string>>,
  path = '/chat/completions',
): Endpoint {
  const url = urlBelow(baseUrl, path)
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  if (apiKey !== undefined && apiKey !== '') setHeader(headers, 'authorization', `Bearer ${apiKey}`, 'apiKey')
  for (const [name, value] of Object.entries(extra)) setHeader(headers, name, value, 'headers')
  const named = [...Object.entries(extra), ...url.searchParams].filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
  const values = named.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)])
  return { url: url.href, headers, secrets: [apiKey ?? '', ...values].map((secret) => secret.trim()) }
}

/** Whether an address is one of OpenAI's own. */
export function isOpenAi(baseUrl: string): boolean {
  return /^https:\/\/(?:[a-z]{2}\.)?api\.openai\.com(?:[/?]|$)/.test(baseUrl)
}

function urlBelow(baseUrl: string, path: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw wrong('baseUrl', 'must be an http or https address')
  if (url.username !== '' || url.password !== '') throw wrong('baseUrl', 'must not contain a password; use apiKey or headers')
  url.hash = ''
  // backtracks: the address is the operator's
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url
}

function setHeader(headers: Headers, name: string, value: string, path: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The error of the platform would repeat the value.
    throw wrong(
      path,
      path === 'apiKey' ? 'contains characters that HTTP does not allow' : `${JSON.stringify(name)} is not a valid HTTP header`,
    )
  }
}

function wrong(path: string, message: string): ConfigurationError {
  return new ConfigurationError([{ path: [path], message }])
}

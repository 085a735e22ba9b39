import { ConfigurationError } from '@stickler/core'

/** Where passages are kept, as its address says. */
export type IndexAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres' | 'elasticsearch' | 'opensearch'; readonly url: string }

const services = /^(postgres)(?:ql)?:\/\/|^(elasticsearch|opensearch)\+https?:\/\//
const written = 'a file, postgres://…, elasticsearch+http(s)://… or opensearch+http(s)://…'

/** Reads the address of an index; errors do not repeat the address, which may hold a password. */
export function readIndexAddress(address: string): IndexAddress {
  const service = services.exec(address)
  if (service !== null) {
    if (!URL.canParse(address) || address.includes('#')) throw wrong('not a valid address; write special characters of a password as %XX')
    return { kind: (service[1] ?? service[2]) as 'postgres' | 'elasticsearch' | 'opensearch', url: address }
  }
  const path = address.replace(/^(?:sqlite|file):/, '')
  // One letter and a colon is a drive.
  if (path === '' || path.startsWith('//') || path.includes('\0') || /^[a-z][a-z0-9+.-]+:/i.test(path)) throw wrong(`expected ${written}`)
  return { kind: 'sqlite', path }
}

function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ path: ['retrieval', 'index'], message }])
}

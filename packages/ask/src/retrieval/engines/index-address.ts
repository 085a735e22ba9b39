import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '@stickler/core'
import { type EngineKind, engineKinds, sqlite } from './index.ts'

/** Where an index is, from its address. */
type IndexAddress = { readonly engine: EngineKind } & (
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: string; readonly url: string }
)

/** The ways to write the address of an index. */
export const indexAddresses: readonly string[] = engineKinds.map(({ shown }) => shown)

const written = indexAddresses.join(', ').replace(/, (?=[^,]*$)/, ' or ')
const collections = /^[a-z0-9][a-z0-9_-]{0,62}$/

/**
 * Reads the address of an index: a path, also as `file:` or `sqlite:`, or the address of a server.
 * Throws a ConfigurationError that does not repeat the address, which may contain a password.
 */
export function readIndexAddress(address: string): IndexAddress {
  const engine = engineKinds.find((kind) => kind.address?.test(address))
  if (engine !== undefined) {
    if (!URL.canParse(address) || address.includes('#')) throw wrong('not a valid address; write special characters of a password as %XX')
    return { engine, kind: engine.name, url: address }
  }
  const path = address.startsWith('file://') ? pathOf(address) : address.replace(/^(?:sqlite|file):/, '')
  // One letter and a colon is a drive letter.
  if (path.startsWith('//') || /^[a-z][a-z0-9+.-]+:/i.test(path)) throw wrong(`expected ${written}`)
  if (path === '' || /[/\\]$/.test(path) || path.includes('\0')) throw wrong(`name the file of the index; expected ${written}`)
  return { engine: sqlite, kind: 'sqlite', path }
}

/** The problem with the name of a collection, if any. */
export function collectionProblem(name: string): string | undefined {
  return collections.test(name) ? undefined : 'has at most 63 lower-case letters, digits, _ and -, and begins with a letter or digit'
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    throw wrong('write the address of a file as file:path/to/index.db')
  }
}

function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ path: ['retrieval', 'index'], message }])
}

import { ConfigurationError } from '@stickler/core'

/** Where records are stored. */
type StoreAddress =
  | { readonly engine: 'sqlite'; readonly path: string; readonly memory: boolean }
  | { readonly engine: 'postgres'; readonly url: string }

/** Reads `sqlite:path`, `sqlite::memory:` or `postgres://…`; errors do not repeat the address, which may have a password. */
export function readStoreUrl(url: string): StoreAddress {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length)
    if (path === '' || path.startsWith('//') || path.includes('\0')) throw wrong('write a SQLite store as sqlite:path/to/file.db')
    return { engine: 'sqlite', path, memory: path === ':memory:' }
  }
  if (!/^postgres(ql)?:\/\//.test(url)) throw wrong('expected sqlite:path, sqlite::memory: or postgres://user@host/database')
  if (!URL.canParse(url) || url.includes('#')) throw wrong('not a valid postgres:// address; write special characters of a password as %XX')
  return { engine: 'postgres', url }
}

function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ path: ['store', 'url'], message }])
}

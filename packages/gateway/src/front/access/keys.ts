import { hash } from 'node:crypto'
import { ConfigurationError } from '@stickler/core'
import type { Identity, Role } from '../exchange.ts'

/** The keys of clients and operators. */
export interface Keyring {
  /** How many keys there are; without any, every caller may do everything, and a key that is known only gives a name. */
  readonly size: number
  /** The owner of this key; undefined for an unknown or expired one. */
  identify(key: string): Identity | undefined
}

interface KeyEntry {
  readonly identity: Identity
  /** The bytes of its SHA-256, as a string. */
  readonly digest: string
  /** Expiry, in milliseconds since 1970. */
  readonly endsAt: number
}

const maxKeys = 1000
const shortestKey = 8
const dayMs = 86_400_000

/** The texts of all keys, by their role. */
export interface KeyTexts {
  readonly clients: string | readonly string[]
  readonly operators?: string | readonly string[]
}

/**
 * Reads keys, separated by commas or line breaks, each one `key`, `name:key`, or
 * `name:sha256:<hex>`, followed by `:2026-12-31` if that is its last day (UTC).
 */
export function createKeyring({ clients, operators = '' }: KeyTexts, wallClock: () => number): Keyring {
  const ofClients = readEntries(clients, 'client')
  const ofOperators = readEntries(operators, 'operator')
  const known = new Map(ofClients.map((entry) => [entry.digest, entry]))
  const names = new Set(ofClients.map(({ identity }) => identity.key))
  ofOperators.forEach((entry, index) => {
    if (known.has(entry.digest)) throw wrongKey(index, 'is also a client key')
    // Runs belong to names: one name must not see everything with one key and only its own runs
    // with another.
    if (names.has(entry.identity.key)) throw wrongKey(index, 'has the same name as a client key')
  })
  for (const entry of ofOperators) known.set(entry.digest, entry)
  return {
    size: known.size,
    identify(key) {
      if (known.size === 0) return undefined
      // The time may reveal something of the digest, from which nobody gets to a key.
      const found = known.get(sha256(key))
      if (found === undefined || (found.endsAt !== Number.POSITIVE_INFINITY && wallClock() >= found.endsAt)) return undefined
      return found.identity
    },
  }
}

/** The names and secrets of keys, in the order in which they are written. */
export function keySecrets(keys: string): readonly { readonly name: string; readonly secret: string }[] {
  return entriesOf(keys).map((text) => {
    const [first = '', second, third] = text.split(':')
    if (second === undefined || isDate(second)) return { name: '', secret: first }
    return { name: first, secret: second === 'sha256' && third !== undefined ? third : second }
  })
}

/** The names of client keys, each once. */
export function keyNames(keys: string): readonly string[] {
  return [...new Set(readEntries(keys, 'client').map(({ identity }) => identity.key))]
}

/** The names of expired keys. */
export function expiredKeys(keys: string, now: number): string[] {
  return readEntries(keys, 'client').flatMap(({ identity, endsAt }) => (now >= endsAt ? [identity.key] : []))
}

function entriesOf(keys: string | readonly string[]): string[] {
  return (typeof keys === 'string' ? keys.split(/[,\n]/) : keys).map((text) => text.trim()).filter((text) => text !== '')
}

/** Keys that nobody needs: a caller with one gets its name, and the rights of a client alone. */
export function namingKeys(texts: string, wallClock: () => number): Keyring {
  return { ...createKeyring({ clients: texts }, wallClock), size: 0 }
}

/** The same keys, restricted to one role. */
export function onlyRole(keys: Keyring, role: Role): Keyring {
  return {
    get size() {
      return keys.size
    },
    identify(key) {
      const identity = keys.identify(key)
      return identity?.role === role ? identity : undefined
    },
  }
}

function readEntries(keys: string | readonly string[], role: Role): KeyEntry[] {
  const texts = entriesOf(keys)
  if (texts.length > maxKeys) throw wrongKey(maxKeys, `at most ${maxKeys} keys are allowed`)
  const entries = texts.map((text, index) => readEntry(text, index, role))
  const seen = new Set<string>()
  entries.forEach(({ digest }, index) => {
    if (seen.has(digest)) throw wrongKey(index, 'is duplicated')
    seen.add(digest)
  })
  return entries
}

function readEntry(text: string, index: number, role: Role): KeyEntry {
  const fields = text.split(':')
  const endsAt = fields.length > 1 && isDate(fields.at(-1)) ? Date.parse(`${fields.pop()}T00:00:00Z`) + dayMs : Number.POSITIVE_INFINITY
  const secret = fields.length === 1 ? fields[0] : fields[1]
  // Not by position: runs belong to names, and the order of keys may change.
  const name = fields.length === 1 ? `key-${hash('sha256', Buffer.from(sha256(secret ?? ''), 'binary'), 'hex').slice(0, 8)}` : fields[0]
  if (name === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(name))
    throw wrongKey(index, 'has a name with characters other than A-Z a-z 0-9 . _ -')
  if (fields.length === 3 && secret === 'sha256') {
    const hex = fields[2] ?? ''
    if (!/^[0-9a-f]{64}$/i.test(hex)) throw wrongKey(index, 'has a SHA-256 that is not 64 hexadecimal digits')
    return { identity: { key: name, role }, digest: Buffer.from(hex, 'hex').toString('binary'), endsAt }
  }
  if (fields.length > 2) throw wrongKey(index, 'is neither `key`, `name:key`, `name:sha256:<hex>`, nor one of them with a last day')
  if (secret === undefined || secret.length < shortestKey) throw wrongKey(index, `is shorter than ${shortestKey} characters`)
  if (!/^[\x21-\x7e]{1,512}$/.test(secret)) throw wrongKey(index, 'has characters that are not allowed in a header, or more than 512')
  return { identity: { key: name, role }, digest: sha256(secret), endsAt }
}

function isDate(text: string | undefined): boolean {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
}

// Names the position only: the content is secret.
function wrongKey(index: number, what: string): ConfigurationError {
  return new ConfigurationError([{ message: `API key ${index + 1} ${what}`, path: ['keys', index] }])
}

function sha256(text: string): string {
  return hash('sha256', text, 'binary')
}

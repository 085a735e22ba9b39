import { parseTtl } from './ttl.ts'

/** What a request asks of the answer cache. */
export type CacheRequest = 'default' | 'never' | { readonly ttlSeconds: number }

/** How the answer cache is set up. */
export interface CacheSettings {
  readonly enabled: boolean
  readonly defaultTtlSeconds?: number | undefined
}

/** Whether the answer cache is read and written, and for how long an answer is cached. */
export type CacheDecision = { readonly use: false } | { readonly use: true; readonly ttlSeconds: number }

/** What the `cache` field of a request asks for, or what is wrong with it. */
type ReadCache = { readonly request: CacheRequest } | { readonly error: string }

const fallbackTtlSeconds = 300

/**
 * Decides on the cache: the request takes precedence, and the default needs an enabled cache with a
 * time to live.
 */
export function decideCache(requested: CacheRequest, { enabled, defaultTtlSeconds }: CacheSettings): CacheDecision {
  if (requested === 'never') return { use: false }
  if (requested !== 'default') return { use: true, ttlSeconds: requested.ttlSeconds }
  return enabled && defaultTtlSeconds !== undefined ? { use: true, ttlSeconds: defaultTtlSeconds } : { use: false }
}

/**
 * Reads the `cache` field of a request; `true` means the default time to live, or 5 minutes where
 * there is none.
 */
export function readCacheRequest(value: unknown, defaultTtlSeconds: number = fallbackTtlSeconds): ReadCache {
  if (value === undefined) return { request: 'default' }
  if (value === false) return { request: 'never' }
  if (value === true) return { request: { ttlSeconds: defaultTtlSeconds } }
  if (typeof value === 'string') return explicit('cache', value)
  if (isTtlObject(value)) return explicit('cache.ttl', value.ttl)
  return { error: 'cache: expected true, false, a time to live like "5m", or {"ttl": "5m"}' }
}

function explicit(field: string, literal: unknown): ReadCache {
  const ttl = parseTtl(literal)
  return 'error' in ttl ? { error: `${field}: ${ttl.message}` } : { request: { ttlSeconds: ttl.seconds } }
}

function isTtlObject(value: unknown): value is { readonly ttl: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  return names.length === 1 && names[0] === 'ttl'
}

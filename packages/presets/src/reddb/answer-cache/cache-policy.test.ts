import { describe, expect, test } from 'vitest'
import { type CacheDecision, type CacheRequest, type CacheSettings, decideCache, readCacheRequest } from './cache-policy.ts'

describe('decideCache', () => {
  const off: CacheDecision = { use: false }
  test.each<[CacheRequest, CacheSettings, CacheDecision]>([
    ['default', { enabled: true, defaultTtlSeconds: 60 }, { use: true, ttlSeconds: 60 }],
    ['default', { enabled: true }, off],
    ['default', { enabled: false, defaultTtlSeconds: 60 }, off],
    ['default', { enabled: false }, off],
    ['never', { enabled: true, defaultTtlSeconds: 60 }, off],
    ['never', { enabled: false }, off],
    [{ ttlSeconds: 5 }, { enabled: true, defaultTtlSeconds: 60 }, { use: true, ttlSeconds: 5 }],
    [{ ttlSeconds: 5 }, { enabled: false }, { use: true, ttlSeconds: 5 }],
  ])('%j with %j', (requested, settings, expected) => {
    expect(decideCache(requested, settings)).toEqual(expected)
  })
})

describe('readCacheRequest', () => {
  test.each<[unknown, number | undefined, CacheRequest]>([
    [undefined, undefined, 'default'],
    [undefined, 60, 'default'],
    [false, 60, 'never'],
    [true, 60, { ttlSeconds: 60 }],
    [true, undefined, { ttlSeconds: 300 }],
    ['5m', 60, { ttlSeconds: 300 }],
    [{ ttl: '2h' }, 60, { ttlSeconds: 7200 }],
  ])('%j where the default is %j', (value, defaultTtlSeconds, request) => {
    expect(readCacheRequest(value, defaultTtlSeconds)).toEqual({ request })
  })

  test.each<[unknown, string]>([
    ['', 'cache: the time to live is empty; write a whole number followed by s, m, h or d, like 5m'],
    ['never', 'cache: never does not start with a number; write a whole number followed by s, m, h or d, like 5m'],
    [{ ttl: 5 }, 'cache.ttl: a time to live must be a string; write a whole number followed by s, m, h or d, like 5m'],
    [{ ttl: '0s' }, 'cache.ttl: 0s is zero; use at least 1s'],
    ...[null, 0, 5, [], ['5m'], {}, { ttl: '5m', more: 1 }, { TTL: '5m' }, Object.create({ ttl: '5m' }), Symbol('5m'), 5n].map(
      (value): [unknown, string] => [value, 'cache: expected true, false, a time to live like "5m", or {"ttl": "5m"}'],
    ),
  ])('%o is refused', (value, error) => {
    expect(readCacheRequest(value)).toEqual({ error })
  })
})

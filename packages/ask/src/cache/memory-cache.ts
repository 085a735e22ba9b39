import type { AnswerCache, CachedAnswer } from '../ports.ts'

/** Caches answers in memory, at most `maxEntries`; the oldest is evicted. */
export function memoryCache(nowMs: () => number, maxEntries = 1000): AnswerCache {
  const entries = new Map<string, { readonly answer: CachedAnswer; readonly expires: number }>()
  return {
    async get(key) {
      const found = entries.get(key)
      if (found === undefined || nowMs() < found.expires) return found?.answer
      entries.delete(key)
      return undefined
    },
    async set(key, answer, ttlSeconds) {
      entries.delete(key)
      entries.set(key, { answer, expires: nowMs() + ttlSeconds * 1000 })
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break
        entries.delete(oldest)
      }
    },
  }
}

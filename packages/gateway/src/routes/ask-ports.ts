import type { AskSettings, CachedAnswer } from '@stickler/ask'
import type { Recorder } from '../record/run-record.ts'
import type { Store } from '../store/store.ts'

/** The ports of questions on the store of the gateway. */
export function askPorts(store: Store, recorder: Recorder): Required<Pick<AskSettings, 'answers' | 'audit' | 'ledger'>> {
  return {
    answers: {
      async get(key) {
        const kept = await store.cache.get(key)
        return isCachedAnswer(kept) ? kept : undefined
      },
      set: (key, answer, ttlSeconds) => store.cache.set(key, answer, ttlSeconds),
    },
    audit: { write: (row) => recorder.audit({ ...row }) },
    ledger: {
      read: (tenant, nowMs) => store.spend.read(tenant, dayOf(nowMs)),
      async add(tenant, costUsd, nowMs) {
        await store.spend.add(tenant, costUsd, dayOf(nowMs))
      },
    },
  }
}

/** Days since 1970 (UTC). */
function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

function isCachedAnswer(value: unknown): value is CachedAnswer {
  if (typeof value !== 'object' || value === null) return false
  const { text, sources } = value as Partial<CachedAnswer>
  return typeof text === 'string' && Array.isArray(sources)
}

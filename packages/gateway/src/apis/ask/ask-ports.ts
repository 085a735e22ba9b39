import { type AskSettings, type CachedAnswer, PortUnavailable } from '@stickler/ask'
import type { Recorder } from '../../records/run/run-record.ts'
import type { Store } from '../../records/store/store.ts'
import { StoreUnavailable, unavailableSentence } from '../../records/store/store-unavailable.ts'

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
      read: (tenant, nowMs) => told(store.spend.read(tenant, dayOf(nowMs))),
      async add(tenant, costUsd, nowMs) {
        await told(store.spend.add(tenant, costUsd, dayOf(nowMs)))
      },
    },
  }
}

/** Names the store that failed. */
async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw error instanceof StoreUnavailable ? new PortUnavailable(unavailableSentence(error), { cause: error }) : error
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

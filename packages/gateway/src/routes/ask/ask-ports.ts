import type { AskSettings, CachedAnswer } from '@stickler/ask'
import type { Recorder } from '../../records/run/run-record.ts'
import type { Store } from '../../records/store/store.ts'
import type { AskBudgets } from './ask-budgets.ts'

/** The ports of questions on the store of the gateway. */
export function askPorts(
  store: Store,
  recorder: Pick<Recorder, 'audit'>,
  budgets: AskBudgets,
): Required<Pick<AskSettings, 'answers' | 'audit' | 'ledger'>> {
  return {
    answers: {
      async get(key) {
        const kept = await store.cache.get(key)
        return isCachedAnswer(kept) ? kept : undefined
      },
      set: (key, answer, ttlSeconds) => store.cache.set(key, answer, ttlSeconds),
    },
    audit: { write: (row) => recorder.audit({ ...row }) },
    ledger: budgets,
  }
}

function isCachedAnswer(value: unknown): value is CachedAnswer {
  if (typeof value !== 'object' || value === null) return false
  const { text, sources } = value as Partial<CachedAnswer>
  return typeof text === 'string' && Array.isArray(sources)
}

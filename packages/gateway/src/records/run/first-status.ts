import type { RunRecord } from './run-record.ts'

/** What the contract of a run made of its first answer: one that was asked for again was not good enough. */
export function firstStatus({ status, attempts }: Pick<RunRecord, 'status' | 'attempts'>): RunRecord['status'] {
  return attempts.length <= 1 || status === 'unenforced' ? status : 'unresolved'
}

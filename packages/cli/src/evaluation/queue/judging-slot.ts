import { setTimeout as pause } from 'node:timers/promises'
import type { Cli } from '../../cli.ts'
import type { Judged, JudgeFlags } from '../judging/judge.ts'
import type { Judging } from '../judging/judging.ts'
import { judgeInThreads } from '../judging/judging-threads.ts'
import type { QueueResult } from './queue-results.ts'

/** The results of a batch, or why its thread has none. */
export type SlotResult = { readonly results: readonly QueueResult[] } | { readonly failure: 'crash' | 'timeout' | 'stopped' }

/** A thread that judges one batch at a time, and is replaced after a crash or a timeout. */
export interface JudgingSlot {
  /** Resolves when the thread has its contracts: the time of a job is not for that. */
  ready(): Promise<void>
  /** Judges answers by the contract at a place in the list; `stopping` gives up the batch. */
  judge(answers: readonly Judged[], place: number, limitMs: number, stopping: AbortSignal): Promise<SlotResult>
  close(): Promise<void>
}

/** Opens a thread for the contracts that flags name. */
export function openSlot(flags: readonly JudgeFlags[], io: Cli['io']): JudgingSlot {
  // A signal to the worker must not interrupt batches under way.
  const start = (): Judging => judgeInThreads(1, flags, { io, signal: new AbortController().signal })
  let thread = start()
  let isClosed = false
  return {
    ready: async () => void (await thread.judge([])),
    async judge(answers, place, limitMs, stopping) {
      if (isClosed) return { failure: 'stopped' }
      const over = new AbortController()
      const limit = pause(limitMs, 'timeout' as const, { signal: AbortSignal.any([over.signal, stopping]) }).catch(() => 'stopped' as const)
      const judged = thread.judge(answers.map((one) => ({ judged: one, contracts: [place] }))).catch(() => 'crash' as const)
      const ended = await Promise.race([judged, limit])
      over.abort()
      if (typeof ended !== 'string')
        return { results: ended.map((result) => ('problem' in result ? result : resultOf(result.verdicts[0]))) }
      await thread.close()
      // Nobody would close another thread: the process would never end.
      if (isClosed) return { failure: 'stopped' }
      thread = start()
      return { failure: ended }
    },
    close() {
      isClosed = true
      return thread.close()
    },
  }
}

function resultOf(verdict: Extract<QueueResult, { verdict: unknown }>['verdict'] | undefined): QueueResult {
  return verdict === undefined ? { problem: 'no verdict' } : { verdict }
}

import type { Cli } from '../../cli.ts'
import type { Judged, JudgeFlags } from '../judging/judge.ts'
import { judgeInThreads, NotJudged } from '../judging/judging-threads.ts'
import type { QueueResult } from './queue-results.ts'

/** The results of a batch, or why its thread has none. */
export type SlotResult = { readonly results: readonly QueueResult[] } | { readonly failure: NotJudged['reason'] }

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
  const threads = judgeInThreads(1, flags, { io, signal: new AbortController().signal })
  return {
    ready: async () => void (await threads.judge([])),
    async judge(answers, place, limitMs, stopping) {
      try {
        const tasks = answers.map((one) => ({ judged: one, contracts: [place] }))
        const results = await threads.judge(tasks, limitMs, stopping)
        return { results: results.map((result) => ('problem' in result ? result : resultOf(result.verdicts[0]))) }
      } catch (error) {
        return { failure: error instanceof NotJudged ? error.reason : 'crash' }
      }
    },
    close: () => threads.close(),
  }
}

function resultOf(verdict: Extract<QueueResult, { verdict: unknown }>['verdict'] | undefined): QueueResult {
  return verdict === undefined ? { problem: 'no verdict' } : { verdict }
}

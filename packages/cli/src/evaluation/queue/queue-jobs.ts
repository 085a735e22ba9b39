import { isFields, parseJson } from '@stickler/core/internal'
import type PgBoss from 'pg-boss'
import type { Judged } from '../judging/judge.ts'
import type { ResultScope } from './queue-results.ts'

/** Answers that one contract judges together. */
interface JudgeJob extends Pick<ResultScope, 'run' | 'isKept'> {
  readonly answers: readonly Judged[]
}

const prefix = 'eval_'

/** The queue of a contract. A worker takes jobs only from the queues of its own contracts, so that it never judges by another one. */
export function queueOf(contract: string): string {
  return `${prefix}${contract}`
}

/** The contract of a queue, if it is one of ours. */
export function contractOf(queue: string): string | undefined {
  return queue.startsWith(prefix) ? queue.slice(prefix.length) : undefined
}

/** After so many attempts an answer that ends its worker, or takes too long, counts as unchecked. */
export const mostAttempts = 3

/** How jobs are sent: attempts are counted by workers, so that the library never drops one. */
export function jobOptions(expireInSeconds: number): PgBoss.RetryOptions & PgBoss.ExpirationOptions & { readonly retentionDays: number } {
  return { expireInSeconds, retryLimit: 100, retryDelay: 0, retentionDays: 7 }
}

/** What PostgreSQL keeps of a job: JSON in a string, since its own JSON takes neither NUL nor halves of characters. */
export function writeJob({ answers, ...rest }: JudgeJob): object {
  return { ...rest, answers: JSON.stringify(answers) }
}

/** Reads a job; undefined if it is not one. */
export function readJob(data: unknown): JudgeJob | undefined {
  if (!isFields(data) || typeof data.run !== 'string' || typeof data.isKept !== 'boolean') return undefined
  const answers = typeof data.answers === 'string' ? parseJson(data.answers) : undefined
  if (
    !Array.isArray(answers) ||
    !answers.every((answer) => isFields(answer) && isFields(answer.fields) && isCarried(answer as unknown as Judged))
  )
    return undefined
  return { run: data.run, isKept: data.isKept, answers: answers as Judged[] }
}

/** Deeper answers are not carried: writing them as JSON takes as much stack as they are deep. */
const deepest = 500

/** Whether JSON says exactly what an answer is; it has no infinite numbers, which parsing `1e400` gives, and no -0. */
export function isCarried(judged: Judged): boolean {
  let level: unknown[] = [judged]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return false
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) return false
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
  return true
}

import type { Issue } from '@stickler/core'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'

/** The log fields of one attempt; never a message, which may quote the model. */
export interface AttemptLine {
  readonly level: 'warn' | 'info'
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

const none: readonly AttemptLine[] = []

/** One line for every attempt that failed, and one when repairs were delivered. */
export function attemptLines(record: RunRecord): readonly AttemptLine[] {
  const { attempts, repairs, fixed, status } = record
  // Without a contract nothing has checked the answer.
  const isFailed = status === 'unenforced' ? isLost : isLostOrWrong
  if (repairs.length === 0 && !attempts.some(isFailed)) return none
  const about = { requestId: record.requestId, run: record.id, contract: record.contract, model: record.model }
  const lines: AttemptLine[] = attempts.filter(isFailed).map((attempt) => ({
    // A disconnected client or a shutdown is not a failure.
    level: attempt.failure === 'aborted' ? 'info' : 'warn',
    fields: { ...about, attempt: attempt.number, attempts: attempts.length, ...namesOf(errorsOf(attempt)), ...kindOf(attempt) },
    message: 'attempt failed',
  }))
  if (repairs.length > 0)
    lines.push({ level: 'info', fields: { ...about, ...namesOf(fixed), repairs: repairs.length }, message: 'fallback: repairs applied' })
  return lines
}

function isLost({ failure }: AttemptRecord): boolean {
  return failure !== undefined
}

function isLostOrWrong(attempt: AttemptRecord): boolean {
  return isLost(attempt) || errorsOf(attempt).length > 0
}

/** Why a call yielded no answer. */
function kindOf({ failure }: AttemptRecord): { readonly kind?: string } {
  return failure === undefined ? {} : { kind: failure }
}

function errorsOf({ issues }: AttemptRecord): readonly Issue[] {
  return issues.length === 0 ? issues : issues.filter(({ severity }) => severity === 'error')
}

/** Each name once; a plugin may have put text of the model where a name belongs. */
function namesOf(issues: readonly Issue[]): { readonly codes: readonly string[]; readonly validator: readonly string[] } {
  const names = (all: readonly string[], form: RegExp) => [...new Set(all.map((name) => (form.test(name) ? name : 'other')))]
  return {
    codes: names(
      issues.map(({ code }) => code),
      /^[A-Z][A-Z0-9_]{0,63}$/,
    ),
    validator: names(
      issues.map(({ validator }) => validator),
      /^[a-z][a-z0-9_]{0,63}$/,
    ),
  }
}

import type { Issue } from '@stickler/core'
import type { AttemptRecord, RunNames, RunRecord } from '../../records/run/run-record.ts'

/** The log fields of one attempt; never a message, which may quote the model. */
export interface AttemptLine {
  readonly level: 'warn' | 'info'
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

const none: readonly AttemptLine[] = []

/** The line of an attempt that failed. */
export function attemptLine(attempt: AttemptRecord, run: RunNames): AttemptLine {
  return {
    // A disconnected client or a shutdown is not a failure.
    level: attempt.failure === 'aborted' ? 'info' : 'warn',
    fields: { ...run, attempt: attempt.number, ...namesOf(attempt.issues.filter(isError)), ...kindOf(attempt) },
    message: 'attempt failed',
  }
}

/** The lines of what was delivered: with repairs, with warnings. */
export function deliveryLines({ requestId, id, contract, model, repairs, fixed, issues, delivered }: RunRecord): readonly AttemptLine[] {
  const warnings = delivered === true ? issues.filter((one) => !isError(one)) : []
  if (repairs.length === 0 && warnings.length === 0) return none
  const run = { requestId, run: id, contract, model }
  const lines: AttemptLine[] = []
  if (repairs.length > 0)
    lines.push({ level: 'info', fields: { ...run, ...namesOf(fixed), repairs: repairs.length }, message: 'fallback: repairs applied' })
  if (warnings.length > 0) lines.push({ level: 'warn', fields: { ...run, ...namesOf(warnings) }, message: 'delivered with warnings' })
  return lines
}

/** Why a call yielded no answer. */
function kindOf({ failure }: AttemptRecord): { readonly kind?: string } {
  return failure === undefined ? {} : { kind: failure }
}

function isError({ severity }: Issue): boolean {
  return severity === 'error'
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

import type { Failure } from '@stickler/core'
import type { CostLimitName } from '../spending/cost-guard.ts'
import { type AskEnvelope, type AskValidation, giveUpBody } from './envelope.ts'

/** The answer to a question. */
export interface AskAnswered {
  readonly ok: true
  readonly status: 200
  /** What checking came to; anything but `valid` is delivered only leniently. */
  readonly verdict: 'valid' | 'unresolved' | 'unchecked'
  readonly envelope: AskEnvelope
}

/** Why there is no answer. */
export interface AskRefused {
  readonly ok: false
  /** 422 when the citations stayed wrong, 424 when they could not be checked, 413 and 504 for limits, otherwise what the failure of the provider means. */
  readonly status: number
  readonly error: string
  /** The parameter that is wrong, with 400. */
  readonly param?: string
  readonly validation?: AskValidation
  readonly limit?: CostLimitName
  readonly failure?: Failure
  /** Who refused or failed, when the question got that far. */
  readonly provider?: string
  readonly model?: string
}

/** What a question brought. */
export type AskReply = AskAnswered | AskRefused

/** The body of a refusal. */
export function refusalBody({ error, validation, limit, param }: AskRefused): Readonly<Record<string, unknown>> {
  if (validation !== undefined) return { ...giveUpBody(validation) }
  return { ok: false, error, ...(limit === undefined ? {} : { limit }), ...(param === undefined ? {} : { param }) }
}

/** The reply that a failure of a provider means. */
export function failureReply(failure: Failure): AskRefused {
  return { ok: false, status: statusOf(failure), error: messageOf(failure), failure }
}

/** Whether another provider may do better. */
export function mayFailOver({ kind, status = 0 }: Failure): boolean {
  return kind === 'connection' || kind === 'timeout' || (kind === 'http' && status >= 500)
}

function statusOf({ kind, status = 502 }: Failure): number {
  if (kind === 'timeout' || kind === 'deadline') return 504
  if (kind === 'aborted') return 499
  // Its own key being refused is nothing that a client could mend.
  return kind === 'http' && status !== 401 && status !== 403 && status >= 400 ? status : 502
}

function messageOf({ kind, status }: Failure): string {
  if (kind === 'timeout' || kind === 'deadline') return 'the provider did not answer in time'
  if (kind === 'aborted') return 'the question was withdrawn'
  return status === undefined ? 'the provider failed' : `the provider answered with status ${status}`
}

import type { Settled } from '@stickler/core'
import type { Recording } from '../recording.ts'

/** A recorded answer and what a contract made of it. */
export interface EvaluatedRecording {
  readonly recording: Recording
  /** The answer as it was recorded. */
  readonly text: string
  readonly contract: string
  readonly status: Settled['status']
  readonly issues: Settled['issues']
  readonly unchecked: Settled['unchecked']
  /** Milliseconds that the check took. */
  readonly ms?: number
}

/** Writes results in the format of another tool, piece by piece. */
export interface ResultWriter {
  readonly begin: string
  add(result: EvaluatedRecording): string
  end(): string
}

/** Whether an answer keeps its contract, repaired or not; undefined when that is not known. */
export function verdictOf({ status }: Pick<EvaluatedRecording, 'status'>): boolean | undefined {
  return status === 'unchecked' ? undefined : status !== 'unresolved'
}

/** What is wrong, in one line of limited length. */
export function explanationOf({ issues, unchecked }: Pick<EvaluatedRecording, 'issues' | 'unchecked'>): string {
  const parts = [
    ...issues.map(({ code, message }) => `${code}: ${message}`),
    ...unchecked.map(({ validator, cause }) => `${validator} could not run: ${cause}`),
  ]
  const text = parts.join(' ')
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text
}

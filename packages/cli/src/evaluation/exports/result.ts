import type { Recording } from '../../recordings/recording.ts'
import type { ReportWriter } from '../../reports/report-writer.ts'
import { passes, type Verdict } from '../verdict.ts'

/** A recorded answer and its verdict. */
export interface EvaluatedRecording {
  /** Without `--texts`, its fields are empty. */
  readonly recording: Recording
  /** The answer; undefined without `--texts`. */
  readonly text: string | undefined
  readonly contract: string
  readonly verdict: Verdict
  /** When it was judged, in milliseconds since 1970. */
  readonly at: number
}

/** Writes results in the format of another tool; what is known only at the end comes after them. */
export type ResultWriter = ReportWriter<EvaluatedRecording, { readonly id: string; readonly at: number }>

/** Whether an answer passes; undefined when it could not be checked, so that it never counts as a score. */
export function scoreOf(verdict: Verdict): boolean | undefined {
  return verdict.status === 'unchecked' ? undefined : passes(verdict)
}

/** What is wrong, in one line of limited length. */
export function explanationOf({ errors, warnings, unchecked }: Verdict): string {
  const text = [...errors, ...warnings, ...unchecked.map((what) => `${what}: could not run`)].join(', ')
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text
}

import { exitCode } from '../exit-code.ts'
import type { Cases } from './case-list.ts'
import type { Comparison, Flip } from './comparison.ts'
import type { GateResult } from './gates.ts'
import type { LabelReport } from './labels.ts'
import type { Interval } from './statistics.ts'
import type { Summary } from './summary.ts'
import type { Fault } from './verdict.ts'

/** What was read, and what of it could not be judged. */
interface RecordingCounts {
  readonly format: string
  readonly records: number
  /** Records without an answer, by reason. */
  readonly unusable: Readonly<Record<string, number>>
  /** Answers that no contract can read, and the first of them. */
  readonly faults: number
  readonly examples: readonly Fault[]
}

/** Everything that an evaluation has found out; every report is made from it. */
export interface Evaluation extends Omit<Summary, 'interval'> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly name: string
  /** Set when the answers were made for the evaluation, and enforced for real. */
  readonly isGenerated?: true
  readonly contract: string
  /** What verdicts are compared with: another contract, or a baseline. */
  readonly against?: string
  readonly intervals: { readonly passed?: Interval; readonly before?: Interval }
  readonly flips?: readonly Flip[]
  readonly comparison?: Omit<Comparison, 'flips' | 'before'>
  /** What the other contract does to the same answers. */
  readonly reference?: Omit<Summary, 'interval'>
  readonly labels?: LabelReport
  readonly gates: readonly GateResult[]
  readonly recordings: RecordingCounts
  /** What a reader should know, such as checks that are not repeatable. */
  readonly notes: readonly string[]
  readonly cases: Cases
}

/** The exit code of an evaluation: a missed gate, a record that cannot be read and an evaluation of nothing are failures. */
export function codeOf({ answers, gates, recordings }: Pick<Evaluation, 'answers' | 'gates' | 'recordings'>): number {
  return answers === 0 || recordings.faults > 0 || gates.some(({ passed }) => !passed) ? exitCode.violated : exitCode.ok
}

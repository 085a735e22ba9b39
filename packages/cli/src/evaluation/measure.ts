import { defined } from '@stickler/core/internal'
import { readRequest } from '../check/check-lines.ts'
import type { Reason, Recording, RecordingSource } from '../recordings/recording.ts'
import type { Baseline } from './baseline.ts'
import { CaseList } from './case-list.ts'
import { ComparisonTally } from './comparison.ts'
import { Counter } from './counter.ts'
import { type Evaluated, evaluate, type Pass } from './evaluate.ts'
import type { Evaluation } from './evaluation.ts'
import { type Gates, judgeGates } from './gates.ts'
import { digest } from './judging/contract-identity.ts'
import { LabelTally } from './labels.ts'
import { type PriceOf, retryUsage, usageOf } from './prices.ts'
import { SummaryTally } from './summary.ts'
import type { Before, Fault, Row, Verdict } from './verdict.ts'

/** What is measured, and how. */
export interface Measure {
  readonly pass: Pass
  readonly source: RecordingSource
  readonly priceOf: PriceOf
  /** How the contract of a recording asks again, in the order of verdicts; the second is the one that is compared with. */
  readonly askAgain: readonly ((recording: Recording) => 'continue' | 'anew')[]
  readonly names: { readonly name: string; readonly contract: string; readonly against?: string | undefined }
  readonly gates: Gates
  /** Takes the verdicts, and knows those that were accepted before. */
  readonly baseline?: Baseline | undefined
  readonly texts: boolean
  /** Set when the answers are made for the evaluation. */
  readonly isGenerated?: true
  /** Asked at the end. */
  notes(): readonly string[]
  /** The verdict that a recording has already, as runs of the gateway do. */
  beforeOf?(recording: Recording): Before | undefined
  /** The time of the evaluation, asked at its end. */
  at(): number
  onProgress?(answers: number): void
  /** Called with each answer that was judged, in their order, and its text if it was made for the evaluation. */
  onJudged?(recording: Recording, verdict: Verdict, made: { readonly text: string } | undefined): void
  /** Told how many verdicts came from journals: not part of the result, which is the same without them. */
  onReused?(counts: { readonly verdicts: number; readonly reused: number }): void
}

/** Reasons for which a record has no answer because it is broken; in others there never was one. */
const broken: ReadonlySet<Reason> = new Set(['unreadable', 'not JSON', 'too long', 'of another format'])
const mostFaults = 20
const longestText = 4000

/** Judges all recordings and sums up what was found. */
export async function measure(wanted: Measure): Promise<Evaluation> {
  const { pass, source, priceOf, askAgain, names, gates, baseline, texts } = wanted
  const tally = new SummaryTally()
  const reference = askAgain.length > 1 ? new SummaryTally() : undefined
  const comparison = reference !== undefined || baseline?.exists || wanted.beforeOf !== undefined ? new ComparisonTally() : undefined
  const labels = new LabelTally()
  const cases = new CaseList()
  const unusable = new Counter()
  const faults: Fault[] = []
  const counts = { records: 0, faults: 0 }
  const cache = { verdicts: 0, reused: 0 }
  for await (const one of evaluate(source.read(), pass)) {
    counts.records++
    const found = faultIn(one)
    if (found !== undefined) {
      counts.faults++
      if (faults.length < mostFaults) faults.push(found)
    } else if ('unusable' in one) unusable.add(one.unusable.reason)
    else if (one.problem === undefined) {
      const { recording, verdicts, reused, made } = one
      const [after, before] = verdicts
      if (after === undefined) continue
      cache.verdicts += verdicts.length
      cache.reused += reused
      const recorded = usageOf(recording, priceOf)
      const row = rowOf(
        recording,
        after,
        before ?? baseline?.add(recording.id, after) ?? wanted.beforeOf?.(recording),
        texts ? (made?.[0]?.text ?? textOf(recording)) : undefined,
      )
      const count = (into: SummaryTally | undefined, verdict: Verdict, at: 0 | 1): void => {
        const usage = made?.[at]?.usage ?? recorded
        const retried = made?.[at]?.retried ?? retryUsage(usage, priceOf(recording.model), askAgain[at]?.(recording) ?? 'continue')
        into?.add({ ...row, after: verdict, ...(usage && { usage }) }, retried)
      }
      count(tally, after, 0)
      if (before !== undefined) count(reference, before, 1)
      labels.add(row)
      wanted.onJudged?.({ ...recording, ...defined({ usage: made?.[0]?.usage ?? recorded }) }, after, made?.[0])
      comparison?.add(row)
      cases.add(row)
      wanted.onProgress?.(counts.records)
    }
  }
  for (const [id, before] of baseline?.missing ?? []) comparison?.addMissing(id, before)
  const { interval, ...summary } = tally.summary
  const compared = comparison?.comparison
  const { flips, before, ...differences } = compared ?? { flips: undefined, before: undefined }
  const other = reference?.summary
  const data: Omit<Evaluation, 'id'> = {
    at: wanted.at(),
    ...defined({ name: names.name, isGenerated: wanted.isGenerated, contract: names.contract, against: names.against }),
    ...summary,
    intervals: defined({ passed: interval, before }),
    ...defined({
      flips,
      comparison: compared && (differences as NonNullable<Evaluation['comparison']>),
      reference: other,
      labels: labels.report,
    }),
    gates: judgeGates(gates, tally.summary, compared),
    recordings: { format: source.format, records: counts.records, unusable: unusable.data, faults: counts.faults, examples: faults },
    notes: wanted.notes(),
    cases: cases.cases,
  }
  wanted.onReused?.(cache)
  return { id: `eval_${data.at.toString(36)}_${digest(JSON.stringify(data)).slice(0, 10)}`, ...data }
}

/** What is wrong with a record that cannot be judged; undefined for those that can, and for those that never had an answer. */
function faultIn(one: Evaluated): Fault | undefined {
  if ('recording' in one) {
    const { id, file, line } = one.recording
    return one.problem === undefined ? undefined : { id, file, line, message: one.problem }
  }
  const { reason, detail, file, line, id = `${file}:${line}` } = one.unusable
  return broken.has(reason) ? { id, file, line, message: detail ?? reason } : undefined
}

function rowOf({ id, file, line, label, model }: Recording, after: Verdict, found: Before | undefined, whole: string | undefined): Row {
  const before = found && { status: found.status, errors: found.errors }
  const text = whole !== undefined && whole.length > longestText ? `${whole.slice(0, longestText)}…` : whole
  return { id, file, line, after, ...defined({ before, label, model, text }) }
}

/** The text of a recorded answer. */
export function textOf({ fields }: Recording): string {
  return readRequest(fields).answer.text
}

import { settledStatuses } from '@stickler/core/internal'
import { compareNames } from './counter.ts'
import { type Discordance, discordance, type Interval, wilson } from './statistics.ts'
import { emptyStatuses, type StatusCounts } from './summary.ts'
import { type Before, passes, type Row, type VerdictStatus } from './verdict.ts'

/** Answers whose status changed in the same way, because of the same rule. */
export interface Flip {
  readonly from: VerdictStatus
  readonly to: VerdictStatus
  /** The rule that is broken now, or was; empty when none is named, as for what could not be checked. */
  readonly rule: string
  readonly answers: number
  /** Ids of the first ones. */
  readonly examples: readonly string[]
}

/** How the verdicts on the same answers differ. */
export interface Comparison extends Discordance {
  readonly pairs: number
  /** Answers by their status before, then by that after. */
  readonly matrix: Readonly<Record<VerdictStatus, StatusCounts>>
  readonly flips: readonly Flip[]
  /** Answers that changed their status, each counted once. */
  readonly changed: number
  /** Answers that keep their status and break other rules. */
  readonly otherRules: number
  /** How many passed before, with the range for other answers. */
  readonly before?: Interval
  readonly missing: Absent
  readonly added: Absent
}

/** Answers that only one side has: reported, and part of no share. */
export interface Absent {
  readonly answers: number
  /** Missing ones that had passed, or added ones that do not pass. */
  readonly failures: number
  readonly examples: readonly string[]
}

const mostExamples = 3
const mostFlips = 1000

/** Compares verdicts pair by pair; its size does not depend on the number of answers. */
export class ComparisonTally {
  readonly #matrix = Object.fromEntries(settledStatuses.map((status) => [status, emptyStatuses()])) as Record<
    VerdictStatus,
    Record<VerdictStatus, number>
  >
  readonly #flips = new Map<string, { from: VerdictStatus; to: VerdictStatus; rule: string; answers: number; examples: string[] }>()
  readonly #missing = { answers: 0, failures: 0, examples: [] as string[] }
  readonly #added = { answers: 0, failures: 0, examples: [] as string[] }
  #changed = 0
  #otherRules = 0

  /** Counts an answer; one without a verdict before was added. */
  add({ id, before, after }: Pick<Row, 'id' | 'before' | 'after'>): void {
    if (before === undefined) {
      countAbsent(this.#added, id, !passes(after))
      return
    }
    this.#matrix[before.status][after.status]++
    if (before.status === after.status) {
      if (before.errors.join() !== after.errors.join()) this.#otherRules++
      return
    }
    this.#changed++
    for (const rule of reasons(before, after)) this.#flip(before.status, after.status, rule, id)
  }

  /** Counts an answer that only had a verdict before. */
  addMissing(id: string, before: Before): void {
    countAbsent(this.#missing, id, passes(before))
  }

  get comparison(): Comparison {
    const cells = settledStatuses.flatMap((from) =>
      settledStatuses.map((to) => ({ passed: passes({ status: from }), passes: passes({ status: to }), answers: this.#matrix[from][to] })),
    )
    const count = (is: (cell: (typeof cells)[number]) => boolean): number => cells.filter(is).reduce((sum, { answers }) => sum + answers, 0)
    const pairs = count(() => true)
    const before = wilson(
      count((one) => one.passed),
      pairs,
    )
    return {
      pairs,
      matrix: this.#matrix,
      flips: [...this.#flips.values()].sort(inOrder),
      changed: this.#changed,
      otherRules: this.#otherRules,
      ...discordance(
        count((one) => !one.passed && one.passes),
        count((one) => one.passed && !one.passes),
      ),
      ...(before === undefined ? {} : { before }),
      missing: this.#missing,
      added: this.#added,
    }
  }

  #flip(from: VerdictStatus, to: VerdictStatus, rule: string, id: string): void {
    const key = `${from} ${to} ${this.#flips.size >= mostFlips ? '' : rule}`
    const flip = this.#flips.get(key) ?? { from, to, rule: this.#flips.size >= mostFlips ? '' : rule, answers: 0, examples: [] }
    flip.answers++
    if (flip.examples.length < mostExamples) flip.examples.push(id)
    this.#flips.set(key, flip)
  }
}

/** How many answers fail that are not known to have failed: those that passed, and those that are new or gone. */
export function newFailures({ worse, missing, added }: Pick<Comparison, 'worse' | 'missing' | 'added'>): number {
  return worse + missing.failures + added.failures
}

/** The rules that explain a change: what is broken now and was not, else what was broken and is not. */
function reasons(before: Before, after: Before): readonly string[] {
  const appeared = after.errors.filter((rule) => !before.errors.includes(rule))
  if (appeared.length > 0) return appeared
  const gone = before.errors.filter((rule) => !after.errors.includes(rule))
  return gone.length > 0 ? gone : ['']
}

/** From the worst to the harmless, the most frequent first. */
function inOrder(a: Flip, b: Flip): number {
  return weightOf(b) - weightOf(a) || b.answers - a.answers || compareNames(`${a.from} ${a.to} ${a.rule}`, `${b.from} ${b.to} ${b.rule}`)
}

function weightOf({ from, to }: Flip): number {
  const [before, after] = [passes({ status: from }), passes({ status: to })]
  return before && !after ? 2 : !before && after ? 1 : 0
}

function countAbsent(absent: { answers: number; failures: number; examples: string[] }, id: string, isFailure: boolean): void {
  absent.answers++
  if (isFailure) absent.failures++
  if (absent.examples.length < mostExamples) absent.examples.push(id)
}

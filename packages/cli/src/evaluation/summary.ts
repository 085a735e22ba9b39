import type { Usage } from '@stickler/core'
import { addUsage, noUsage, settledStatuses } from '@stickler/core/internal'
import { Counter } from './counter.ts'
import { type Interval, wilson } from './statistics.ts'
import { passes, type Row, type VerdictStatus } from './verdict.ts'

/** How many answers have each status. */
export type StatusCounts = Readonly<Record<VerdictStatus, number>>

/** How often a rule was broken, in answers. */
export interface RuleCount {
  /** As `validator/CODE`. */
  readonly rule: string
  /** Answers in which its error remains. */
  readonly answers: number
  /** Answers in which it was repaired, and in which it only warns. */
  readonly fixed: number
  readonly warnings: number
}

/** What answers used: tokens of those whose record says it, and money where a price is known. */
export interface Spent {
  readonly answers: number
  readonly measured: number
  readonly priced: number
  readonly usage: Usage
}

/** What a contract does to a set of answers. */
export interface Summary {
  readonly answers: number
  readonly statuses: StatusCounts
  /** Answers that keep the contract, repaired ones included. */
  readonly passed: number
  readonly interval?: Interval
  readonly rules: readonly RuleCount[]
  /** Answers by repair, as `class rule`, and by class. */
  readonly repairs: Readonly<Record<string, number>>
  readonly classes: Readonly<Record<string, number>>
  /** Answers by what could not run, as `validator cause`. */
  readonly unchecked: Readonly<Record<string, number>>
  /** Answers by what the enforcement loop would do with them first. */
  readonly actions: Readonly<Record<string, number>>
  readonly spent: Spent
  /** What one further attempt would cost for each answer that would be asked for again. */
  readonly retries: Spent
  readonly models: readonly { readonly model: string; readonly answers: number; readonly statuses: StatusCounts }[]
}

/** More models are counted together. */
const mostModels = 50

/** Sums up the verdicts of one contract; its size does not depend on the number of answers. */
export class SummaryTally {
  #answers = 0
  #spent: Spent = nothing
  #retries: Spent = nothing
  readonly #statuses = emptyStatuses()
  readonly #errors = new Counter()
  readonly #fixed = new Counter()
  readonly #warnings = new Counter()
  readonly #repairs = new Counter()
  readonly #classes = new Counter()
  readonly #unchecked = new Counter()
  readonly #actions = new Counter()
  readonly #models = new Map<string, Record<VerdictStatus, number>>()

  /** Counts an answer; `retried` is what another attempt would use. */
  add({ after, model = '', usage }: Pick<Row, 'after' | 'model' | 'usage'>, retried: Usage | undefined): void {
    this.#answers++
    this.#statuses[after.status]++
    for (const rule of after.errors) this.#errors.add(rule)
    for (const rule of after.fixed) this.#fixed.add(rule)
    for (const rule of after.warnings) this.#warnings.add(rule)
    for (const name of after.repairs) this.#repairs.add(name)
    for (const name of new Set(after.repairs.map((repair) => repair.split(' ', 1)[0] ?? ''))) this.#classes.add(name)
    for (const name of after.unchecked) this.#unchecked.add(name)
    this.#actions.add(after.action)
    const known = this.#models.get(model)
    const named = known === undefined && this.#models.size >= mostModels ? '…' : model
    const counts = this.#models.get(named) ?? emptyStatuses()
    counts[after.status]++
    this.#models.set(named, counts)
    this.#spent = spend(this.#spent, usage)
    if (after.action === 'retry') this.#retries = spend(this.#retries, retried)
  }

  get summary(): Summary {
    const rules = new Set([this.#errors, this.#fixed, this.#warnings].flatMap(({ entries }) => entries.map(([rule]) => rule)))
    const passed = settledStatuses.filter((status) => passes({ status })).reduce((sum, status) => sum + this.#statuses[status], 0)
    const interval = wilson(passed, this.#answers)
    return {
      answers: this.#answers,
      statuses: { ...this.#statuses },
      passed,
      ...(interval === undefined ? {} : { interval }),
      rules: [...rules].map((rule) => ({
        rule,
        answers: this.#errors.get(rule),
        fixed: this.#fixed.get(rule),
        warnings: this.#warnings.get(rule),
      })),
      repairs: this.#repairs.data,
      classes: this.#classes.data,
      unchecked: this.#unchecked.data,
      actions: this.#actions.data,
      spent: this.#spent,
      retries: this.#retries,
      models: [...this.#models].map(([model, statuses]) => ({ model, answers: sum(statuses), statuses: { ...statuses } })),
    }
  }
}

const nothing: Spent = { answers: 0, measured: 0, priced: 0, usage: noUsage }

function spend({ answers, measured, priced, usage: before }: Spent, told: Usage | undefined): Spent {
  // Models that count no tokens say 0.
  const usage = told === undefined || (told.promptTokens + told.completionTokens === 0 && !told.cost) ? undefined : told
  return {
    answers: answers + 1,
    measured: measured + (usage === undefined ? 0 : 1),
    priced: priced + (usage?.cost === undefined ? 0 : 1),
    usage: addUsage(before, usage),
  }
}

/** No answers of any status. */
export function emptyStatuses(): Record<VerdictStatus, number> {
  return { valid: 0, repaired: 0, unresolved: 0, unchecked: 0 }
}

function sum(counts: StatusCounts): number {
  return settledStatuses.reduce((all, status) => all + counts[status], 0)
}

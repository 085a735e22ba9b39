import { Counter } from './counter.ts'
import type { Row } from './verdict.ts'

/** How well a verdict agrees with labels. */
interface Agreement {
  /** Bad answers that are rejected, and good ones that are. */
  readonly caught: number
  readonly wronglyBlocked: number
  /** The share of rejected answers that are bad, and of bad answers that are rejected; absent without any. */
  readonly precision?: number
  readonly recall?: number
}

/** What labels say about a contract. */
export interface LabelReport extends Agreement {
  readonly good: number
  readonly bad: number
  /** Labelled answers that could not be checked: neither rejected nor accepted. */
  readonly unchecked: number
  readonly rules: readonly (Agreement & { readonly rule: string })[]
  /** Ids of good answers that the contract rejects. */
  readonly examples: readonly string[]
}

const mostExamples = 20

/** Compares verdicts with labels. */
export class LabelTally {
  readonly #labels = { good: 0, bad: 0 }
  readonly #rejected = { good: 0, bad: 0 }
  readonly #rules = { good: new Counter(), bad: new Counter() }
  readonly #examples: string[] = []
  #unchecked = 0

  /** Counts an answer that has a label. */
  add({ id, label, after }: Pick<Row, 'id' | 'label' | 'after'>): void {
    if (label === undefined) return
    if (after.status === 'unchecked') {
      this.#unchecked++
      return
    }
    this.#labels[label]++
    if (after.status !== 'unresolved') return
    this.#rejected[label]++
    for (const rule of after.errors) this.#rules[label].add(rule)
    if (label === 'good' && this.#examples.length < mostExamples) this.#examples.push(id)
  }

  /** Undefined when no answer has a label. */
  get report(): LabelReport | undefined {
    const { good, bad } = this.#labels
    if (good + bad + this.#unchecked === 0) return undefined
    const rules = new Counter()
    for (const counter of [this.#rules.good, this.#rules.bad]) for (const [rule, count] of counter.entries) rules.add(rule, count)
    return {
      good,
      bad,
      unchecked: this.#unchecked,
      ...agreement(this.#rejected.bad, this.#rejected.good, bad),
      rules: rules.entries.map(([rule]) => ({ rule, ...agreement(this.#rules.bad.get(rule), this.#rules.good.get(rule), bad) })),
      examples: this.#examples,
    }
  }
}

function agreement(caught: number, wronglyBlocked: number, bad: number): Agreement {
  const rejected = caught + wronglyBlocked
  return {
    caught,
    wronglyBlocked,
    ...(rejected > 0 && { precision: caught / rejected }),
    ...(bad > 0 && { recall: caught / bad }),
  }
}

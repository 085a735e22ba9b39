import { passes, type Row } from './verdict.ts'

/** An answer in a report. */
export interface Case extends Omit<Row, 'usage'> {
  /** Its place among all answers. */
  readonly at: number
}

/** The cases of a report, and how many there are in all. */
export interface Cases {
  readonly total: number
  readonly rows: readonly Case[]
}

/** Keeps the most instructive answers for a report: changed ones first, then those that fail, in the order in which they came. */
export class CaseList {
  readonly #most: number
  readonly #kept: readonly [changed: Case[], failing: Case[], others: Case[]] = [[], [], []]
  #total = 0

  constructor(most = 10_000) {
    this.#most = most
  }

  /** Takes an answer, unless there are enough like it. */
  add({ usage: _usage, ...row }: Row): void {
    const at = this.#total++
    const { before, after } = row
    const kind = before !== undefined && before.status !== after.status ? 0 : passes(after) ? 2 : 1
    const kept = this.#kept[kind]
    if (kept.length < this.#most) kept.push({ ...row, at })
  }

  get cases(): Cases {
    const chosen = this.#kept.flat().slice(0, this.#most)
    return { total: this.#total, rows: chosen.sort((a, b) => a.at - b.at) }
  }
}

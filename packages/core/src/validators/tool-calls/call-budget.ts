import { budgetFor, type StepBudget } from '../../schema/step-budget.ts'

/** Characters of names and members that are compared for suggestions in one answer. */
const comparedCharacters = 300_000

/** What looking at all calls of an answer may cost together: many small ones cost as much as a large one. */
export class CallBudget {
  /** For JSON Schema. */
  readonly steps: StepBudget
  #compared = 0

  /** `characters` is how long all arguments are together. */
  constructor(characters: number) {
    this.steps = budgetFor(characters)
  }

  /** Whether a name may still be compared with others; a suggestion is a courtesy. */
  mayCompare(names: Iterable<string>): boolean {
    if (this.#compared > comparedCharacters) return false
    for (const name of names) this.#compared += name.length + 1
    return this.#compared <= comparedCharacters
  }
}

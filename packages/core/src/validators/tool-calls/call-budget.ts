import { budgetFor, StepBudget } from '../../schema/step-budget.ts'

/** Steps of our own check of arguments: at least, and for each character of them. */
const least = 100_000
const perCharacter = 8

/** Characters of names and members that are compared for suggestions in one answer. */
const comparedCharacters = 300_000

/** What looking at all calls of an answer may cost together: many small ones cost as much as a large one. */
export class CallBudget {
  /** For our own check of arguments. */
  readonly ownSteps: StepBudget
  /** For JSON Schema. */
  readonly schemaSteps: StepBudget
  #compared = 0

  /** `characters` is how long all arguments are together. */
  constructor(characters: number) {
    this.ownSteps = new StepBudget(least + perCharacter * characters)
    this.schemaSteps = budgetFor(characters)
  }

  /** Whether a name may still be compared with others; a suggestion is a courtesy. */
  mayCompare(names: Iterable<string>): boolean {
    if (this.#compared > comparedCharacters) return false
    for (const name of names) this.#compared += name.length + 1
    return this.#compared <= comparedCharacters
  }
}

import { SchemaError } from './schema-error.ts'

/** Steps that one check may take whatever it looks at, those that each character adds, and most of all: a step is some 50 ns. */
const least = 500_000
const perCharacter = 8
const most = 3_000_000

/** Steps that work may take together; a part of a budget is paid for by the whole, too. */
export class StepBudget {
  readonly #whole: StepBudget | undefined
  #left: number
  #room = most - least

  constructor(steps: number, whole?: StepBudget) {
    this.#left = steps
    this.#whole = whole
  }

  /** Adds what more characters of a text allow, of which a budget for none was made. */
  grow(characters: number): void {
    const steps = Math.min(perCharacter * characters, this.#room)
    this.#room -= steps
    this.#left += steps
  }

  /** Pays for steps; throws a SchemaError when they are used up. */
  charge(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new SchemaError('too-costly', 'checking the value against the schema takes too many steps')
    this.#whole?.charge(steps)
  }
}

/** The budget for all checks of texts with so many characters together, as far as that of a whole allows. */
export function budgetFor(characters: number, whole?: StepBudget): StepBudget {
  return new StepBudget(Math.min(most, least + perCharacter * characters), whole)
}

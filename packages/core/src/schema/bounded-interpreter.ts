import type { Interpreter } from './evaluate/interpreter.ts'
import type { SchemaDocument, SchemaNode } from './read/document.ts'
import type { StepBudget } from './step-budget.ts'

/** An interpreter whose questions are all paid for by one budget; each throws a SchemaError when that is used up. */
export class BoundedInterpreter {
  readonly #interpreter: Interpreter
  readonly #budget: StepBudget

  constructor(interpreter: Interpreter, budget: StepBudget) {
    this.#interpreter = interpreter
    this.#budget = budget
  }

  get root(): SchemaNode {
    return this.#interpreter.root
  }

  get document(): SchemaDocument {
    return this.#interpreter.document
  }

  /** Whether a value is valid. */
  accepts(node: SchemaNode, value: unknown): boolean {
    return this.#interpreter.accepts(node, value, this.#budget)
  }

  /** Whether a text matches a pattern of the schema. */
  matches(pattern: string, text: string): boolean {
    return this.#interpreter.matches(pattern, text, this.#budget)
  }

  /** Pays for work around the questions. */
  charge(steps: number): void {
    this.#budget.charge(steps)
  }
}

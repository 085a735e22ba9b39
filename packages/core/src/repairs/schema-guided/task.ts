import type { RepairClass } from '../../contract/certificate.ts'
import type { JsonNode } from '../../json/json-tree.ts'
import type { BoundedInterpreter } from '../../schema/bounded-interpreter.ts'
import type { SchemaNode } from '../../schema/read/document.ts'
import type { Plan } from './edit.ts'
import type { Shape } from './shape.ts'

/** What a planner may do, and with what. */
export interface PlannerOptions {
  readonly interpreter: BoundedInterpreter
  readonly allow: readonly RepairClass[]
  readonly defaults: 'required' | 'all'
  /** Reads text that is almost JSON; undefined when it is not. */
  readonly readLenient: ((text: string) => string | undefined) | undefined
  readonly aliases?: ReadonlyMap<string, string> | undefined
  readonly nullIsAbsent?: boolean | undefined
  readonly defaultForInvalid?: boolean | undefined
}

/** A value to be made what some schemas want, all of which apply to it. */
export interface Task {
  /** The text that the places of the node are in. */
  readonly text: string
  readonly node: JsonNode
  readonly wants: readonly SchemaNode[]
  readonly path: readonly (string | number)[]
}

/** A task with one choice made among the alternatives of its schemas. */
export interface ShapedTask extends Task {
  readonly shape: Shape
  /** The properties that any of the alternatives declares. */
  readonly declared: ReadonlySet<string>
}

/** Finds the cheapest changes that make a value what its schema wants. */
export interface Planner {
  readonly options: PlannerOptions
  plan(task: Task): Plan
  /** Whether a value is what some schemas want. */
  accepts(wants: readonly SchemaNode[], value: unknown): boolean
  allows(kind: RepairClass): boolean
  /** Pays for work that is more than a step; false when there is nothing left to pay with. */
  spend(steps: number): boolean
}

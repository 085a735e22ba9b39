import type { RepairClass } from '../../contract/certificate.ts'
import { isObject, own } from '../../json/json-value.ts'
import type { SchemaNode } from '../../schema/read/document.ts'
import { compareCost, type Plan, type SchemaEdit } from './edit.ts'
import { planObject } from './objects.ts'
import { removalRanges } from './removal.ts'
import { allowsType, declaredKeys, itemSchemas, type Shape, shapesOf, weightOf } from './shape.ts'
import type { Planner, PlannerOptions, ShapedTask, Task } from './task.ts'
import { planToken } from './tokens.ts'
import { planWrapping } from './wrapping.ts'

/** Steps that one repair may take, and levels it may go down. */
const mostSteps = 100_000
const deepest = 64

/** Steps that looking at one wrong value is worth. */
const stepsOfPlan = 5

/** A planner with a budget of its own, for one repair. */
export class BoundedPlanner implements Planner {
  readonly options: PlannerOptions
  #steps = mostSteps
  #depth = 0

  constructor(options: PlannerOptions) {
    this.options = options
  }

  plan(task: Task): Plan {
    const { node, wants } = task
    const unchanged = { edits: [], value: node.value, valid: this.accepts(wants, node.value) }
    if (unchanged.valid && (this.options.defaults === 'required' || (node.kind !== 'object' && node.kind !== 'array'))) return unchanged
    if (!this.spend(stepsOfPlan) || this.#depth >= deepest) return unchanged
    this.#depth++
    const found = this.#choose(task)
    this.#depth--
    return found && (found.valid || !unchanged.valid) ? found : unchanged
  }

  accepts(wants: readonly SchemaNode[], value: unknown): boolean {
    return wants.every((want) => this.options.interpreter.accepts(want, value))
  }

  allows(kind: RepairClass): boolean {
    return this.options.allow.includes(kind)
  }

  spend(steps: number): boolean {
    this.#steps -= steps
    return this.#steps >= 0
  }

  #choose(task: Task): Plan | undefined {
    const shapes = shapesOf(this.options.interpreter, task.wants, task.node.value)
    for (const shape of shapes) this.options.interpreter.charge(weightOf(shape))
    const declared = new Set(shapes.flatMap(declaredKeys))
    const plans = shapes.map((shape) => this.#planShape({ ...task, shape, declared }))
    const best = cheapest(plans.filter(({ valid }) => valid))
    if (best) return best
    // What cannot be repaired in full may be repaired in part, when there is no doubt what it should be.
    const sameKind = plans.filter((_, index) => allowsType(shapes[index] ?? [], task.node.kind))
    return sameKind.length === 1 && plans.every(({ valid }) => !valid) ? sameKind[0] : undefined
  }

  #planShape(task: ShapedTask): Plan {
    const inPlace = task.node.kind === 'object' ? planObject(this, task) : task.node.kind === 'array' ? planArray(this, task) : undefined
    const plans = [...(inPlace ? [inPlace] : []), ...planToken(this, task), ...planWrapping(this, task)]
    return cheapest(plans.filter(({ valid }) => valid)) ?? inPlace ?? { edits: [], value: task.node.value, valid: false }
  }
}

/** The plan with the least risk and fewest changes; none when two that differ are equally cheap. */
function cheapest(plans: readonly Plan[]): Plan | undefined {
  const [first, second] = [...plans].sort(compareCost)
  if (!first || !second || compareCost(first, second) < 0) return first
  return plans.filter((plan) => compareCost(plan, first) === 0).every((plan) => isSame(plan, first)) ? first : undefined
}

function isSame(a: Plan, b: Plan): boolean {
  return (
    a.edits.length === b.edits.length &&
    a.edits.every((edit, index) => edit.start === b.edits[index]?.start && edit.after === b.edits[index]?.after)
  )
}

/** The plan for an array that stays one: each item is repaired; one that cannot be is dropped, when guesses are allowed. */
function planArray(planner: Planner, task: ShapedTask): Plan {
  const { node, text, path, shape, wants } = task
  const items = node.items ?? []
  const plans = items.map((item, index) =>
    planner.plan({ text, node: item, wants: itemSchemas(planner.options.interpreter, shape, index), path: [...path, index] }),
  )
  const edits = plans.flatMap((plan) => plan.edits)
  const value = plans.map((plan) => plan.value)
  if (planner.accepts(wants, value)) return { edits, value, valid: true }
  const dropped = plans.map((plan) => !plan.valid)
  const kept = value.filter((_, index) => !dropped[index])
  const mayDrop = planner.allows('guess') && kept.length > 0 && kept.length < items.length && isUniform(shape)
  if (!mayDrop || !planner.accepts(wants, kept)) return { edits, value, valid: false }
  const ranges = removalRanges(items, dropped)
  const drops = ranges.flatMap((range, index): SchemaEdit[] => {
    if (!range) return []
    const [start, end] = range
    return [{ rule: 'drop-item', class: 'guess', start, before: text.slice(start, end), after: '', path: [...path, index] }]
  })
  return { edits: [...plans.flatMap((plan) => (plan.valid ? plan.edits : [])), ...drops], value: kept, valid: true }
}

/** Whether all items are of one kind, so that one less does not move the others. */
function isUniform(shape: Shape): boolean {
  return shape.every(
    ({ schema }) => !isObject(schema) || !(Array.isArray(own(schema, 'prefixItems')) || Array.isArray(own(schema, 'items'))),
  )
}

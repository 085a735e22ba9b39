import type { RepairClass } from '../../contract/certificate.ts'
import { isObject, own } from '../../json/json-value.ts'
import type { SchemaNode } from '../../schema/read/document.ts'
import { changedText } from '../apply.ts'
import { compareCost, type Plan, riskiest, type SchemaEdit } from './edit.ts'
import { planObject, removalRanges } from './objects.ts'
import { allowsType, declaredKeys, itemSchemas, requiredKeys, type Shape, schemasOf, shapesOf, weightOf } from './shape.ts'
import { fold } from './similar.ts'
import type { Planner, PlannerOptions, ShapedTask, Task } from './task.ts'
import { planToken, replaced } from './tokens.ts'

/** Names under which models put a value that was wanted bare. */
const wrappers = new Set([
  'value',
  'values',
  'data',
  'result',
  'results',
  'items',
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'output',
  'answer',
  'response',
  'json',
])

/** The plans that put a value into an array, take it out of one or of an object, or read an array as an object. */
function* planWrapping(planner: Planner, task: ShapedTask): Generator<Plan> {
  const { node, shape } = task
  const isWrongKind = !allowsType(shape, node.kind)
  if (isWrongKind && node.kind !== 'null' && allowsType(shape, 'array')) yield* planWrap(planner, task)
  if (!planner.allows('guess')) return
  const [only, ...others] = node.items ?? []
  if (only && others.length === 0 && isWrongKind) yield* planUnwrap(planner, task, only, 'unwrap-array')
  if (node.items && isWrongKind && allowsType(shape, 'object')) yield* planPositional(planner, task)
  const [member, ...rest] = node.members ?? []
  // Where an object is wanted, only another object can have been wrapped.
  if (member && rest.length === 0 && (isWrongKind || member.node.kind === 'object')) {
    const name = fold(member.key)
    if (wrappers.has(name) || name === fold(String(task.path.at(-1) ?? ''))) yield* planUnwrap(planner, task, member.node, 'unwrap-object')
  }
}

function* planWrap(planner: Planner, task: ShapedTask): Generator<Plan> {
  const { node, text, shape } = task
  const plan = planner.plan({ ...task, wants: itemSchemas(planner.options.interpreter, shape, 0) })
  if (!plan.valid) return
  // A text that lists things may have been meant as several items, and an empty one as none.
  const isList = node.kind === 'string' && /[,;|\n]|^\s*(?:[[{]|$)/.test(String(node.value))
  const kind = riskiest(plan.edits, isList ? 'guess' : 'lossless')
  const item = changedText(text, plan.edits, node.start, node.end)
  if (item !== undefined) yield* replaced(planner, task, 'wrap-in-array', kind, `[${item}]`)
}

function* planUnwrap(
  planner: Planner,
  task: ShapedTask,
  inner: ShapedTask['node'],
  rule: 'unwrap-array' | 'unwrap-object',
): Generator<Plan> {
  const plan = planner.plan({ ...task, node: inner })
  if (plan.valid) yield* replaced(planner, task, rule, 'guess', changedText(task.text, plan.edits, inner.start, inner.end))
}

/** Reads `["Ada", 36]` as the properties in their order, when there are as many and each fits as it is. */
function* planPositional(planner: Planner, task: ShapedTask): Generator<Plan> {
  const { node, text, shape } = task
  const items = node.items ?? []
  const declared = declaredKeys(shape)
  const required = requiredKeys(shape)
  const keys = declared.length === items.length ? declared : declared.filter((key) => required.has(key))
  if (items.length < 2 || keys.length !== items.length) return
  const fits = items.every((item, index) =>
    planner.accepts(schemasOf(planner.options.interpreter, shape, keys[index] ?? '') ?? [], item.value),
  )
  if (!fits) return
  const members = items.map((item, index) => `${JSON.stringify(keys[index])}: ${text.slice(item.start, item.end)}`)
  yield* replaced(planner, task, 'positional-array', 'guess', `{${members.join(', ')}}`)
}

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

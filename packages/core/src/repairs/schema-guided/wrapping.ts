import { applyEdits, type Plan, riskiest } from './edit.ts'
import { allowsType, declaredKeys, itemSchemas, requiredKeys, schemasOf } from './shape.ts'
import { fold } from './similar.ts'
import type { Planner, ShapedTask } from './task.ts'
import { replaced } from './tokens.ts'

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
export function* planWrapping(planner: Planner, task: ShapedTask): Generator<Plan> {
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
  yield* replaced(planner, task, 'wrap-in-array', kind, `[${applyEdits(text, plan.edits, node.start, node.end)}]`)
}

function* planUnwrap(
  planner: Planner,
  task: ShapedTask,
  inner: ShapedTask['node'],
  rule: 'unwrap-array' | 'unwrap-object',
): Generator<Plan> {
  const plan = planner.plan({ ...task, node: inner })
  if (plan.valid) yield* replaced(planner, task, rule, 'guess', applyEdits(task.text, plan.edits, inner.start, inner.end))
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

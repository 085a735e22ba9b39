import type { RepairClass } from '../../contract/certificate.ts'
import { readJsonTree } from '../../json/json-tree.ts'
import { applyEdits, type Plan, riskiest, type SchemaRule } from './edit.ts'
import { matchChoices, rewritings } from './scalars.ts'
import { allowsType, choicesOf } from './shape.ts'
import type { Planner, ShapedTask } from './task.ts'

/** The plans that write a value as another token: another type, another word of an enum, or the JSON that is in a string. */
export function* planToken(planner: Planner, task: ShapedTask): Generator<Plan> {
  const { node, text, shape } = task
  const choices = choicesOf(shape)
  if (choices && !planner.spend(choices.length)) return
  const written = text.slice(node.start, node.end)
  for (const { rule, class: kind, after } of choices ? matchChoices(node, written, choices) : rewritings(node, written, shape)) {
    yield* replaced(planner, task, rule, kind, after)
  }
  if (node.kind !== 'string' || allowsType(shape, 'string')) return
  if (allowsType(shape, 'object') || allowsType(shape, 'array')) yield* planStringified(planner, task)
}

/** The plan that replaces a value as a whole, when that is allowed and makes it valid. */
export function* replaced(planner: Planner, task: ShapedTask, rule: SchemaRule, kind: RepairClass, after: string): Generator<Plan> {
  if (!planner.allows(kind)) return
  const { node, text, path, wants } = task
  const value: unknown = JSON.parse(after)
  if (!planner.accepts(wants, value)) return
  yield { edits: [{ rule, class: kind, start: node.start, before: text.slice(node.start, node.end), after, path }], value, valid: true }
}

function* planStringified(planner: Planner, task: ShapedTask): Generator<Plan> {
  const inner = String(task.node.value).trim()
  if (!/^[[{"]/.test(inner)) return
  const strict = readJsonTree(inner)
  const lenient = strict ? undefined : planner.options.readLenient?.(inner)
  const text = lenient ?? inner
  const node = strict ?? (lenient === undefined ? undefined : readJsonTree(lenient))
  if (!node || (node.kind === 'string' && !strict)) return
  const plan = planner.plan({ ...task, text, node })
  if (!plan.valid || plan.value === task.node.value) return
  yield* replaced(planner, task, 'unstringify', riskiest(plan.edits, strict ? 'lossless' : 'guess'), applyEdits(text, plan.edits))
}

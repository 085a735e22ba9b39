import { isObject, own } from '../../schema/values/json-value.ts'
import type { Plan, SchemaEdit } from './edit.ts'
import { removalRanges } from './removal.ts'
import { itemSchemas, type Shape } from './shape.ts'
import type { Planner, ShapedTask } from './task.ts'

/** The plan for an array that stays one: each item is repaired; one that cannot be is dropped, when guesses are allowed. */
export function planArray(planner: Planner, task: ShapedTask): Plan {
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

import { isObject, type JsonValue, own } from '../../schema/values/json-value.ts'
import type { SchemaEdit } from './edit.ts'
import type { MemberPlan } from './member-plan.ts'
import { choicesOf, declaredKeys, requiredKeys, schemasOf, shapesOf } from './shape.ts'
import type { Planner, ShapedTask } from './task.ts'

/** A property that is filled in. */
export interface Filling {
  readonly key: string
  readonly value: JsonValue
  readonly edit: SchemaEdit
}

/** The properties that are missing and can be had from the schema: a declared default, or the only value that is allowed. */
export function fillings(planner: Planner, task: ShapedTask, present: ReadonlySet<string>, members: readonly MemberPlan[]): Filling[] {
  const { node, path, shape } = task
  const required = requiredKeys(shape)
  const lastKept = members.findLast(({ removed }) => !removed)
  const start = lastKept?.member.node.end ?? members.at(-1)?.member.node.end ?? node.start + 1
  let isFirst = lastKept === undefined
  const found: Filling[] = []
  for (const key of declaredKeys(shape)) {
    if (present.has(key) || (planner.options.defaults === 'required' && !required.has(key))) continue
    const source = valueFor(planner, task, key, required.has(key))
    if (!source || !planner.allows(source.class)) continue
    const after = `${isFirst ? '' : ', '}${JSON.stringify(key)}: ${JSON.stringify(source.value)}`
    isFirst = false
    found.push({
      key,
      value: source.value,
      edit: { rule: source.rule, class: source.class, start, before: '', after, path: [...path, key] },
    })
  }
  return found
}

type Source = Pick<SchemaEdit, 'rule' | 'class'> & { readonly value: JsonValue }

function valueFor(planner: Planner, { shape }: ShapedTask, key: string, isRequired: boolean): Source | undefined {
  const { interpreter } = planner.options
  const wants = schemasOf(interpreter, shape, key) ?? []
  const shapes = shapesOf(interpreter, wants, undefined)
  const defaults = shapes
    .flat()
    .flatMap(({ schema }) => (isObject(schema) && Object.hasOwn(schema, 'default') ? [own(schema, 'default')] : []))
  const [value] = defaults
  // A default that violates its own schema is useless.
  if (value !== undefined && planner.accepts(wants, value)) return { rule: 'fill-default', class: 'lossless', value }
  const [only, ...others] = shapes.length === 1 ? (choicesOf(shapes[0] ?? []) ?? []) : []
  if (!isRequired || only === undefined || others.length > 0 || !planner.accepts(wants, only)) return undefined
  // The schema leaves no choice, but the model did not say it: a constant may stand for consent.
  return { rule: 'fill-const', class: 'guess', value: only }
}

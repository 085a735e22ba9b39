import type { SchemaNode } from './document.ts'
import { isArray, type JsonValue, own } from './json-value.ts'
import { type Building, childOf } from './object-checks.ts'
import { type Check, type Evaluate, type Frame, fail, inside, quietly } from './run.ts'
import { isSchema } from './subschemas.ts'

/** The checks of `prefixItems`, `items`, `additionalItems` and `contains`, in the old spelling and the new. */
export function arrayChecksOf(building: Building, marksContained: boolean): Check[] {
  const { schema, evaluate } = building
  const items = own(schema, 'items')
  const listed = isArray(items) ? items : own(schema, 'prefixItems')
  const prefix = (isArray(listed) ? listed : []).flatMap((one) => (isSchema(one) ? [building.child(one)] : []))
  const rest = isArray(items) ? childOf(building, 'additionalItems') : childOf(building, 'items')
  const contains = childOf(building, 'contains')
  const checks: Check[] = []
  if (prefix.length > 0 || rest) {
    checks.push((value, frame) =>
      isArrayOf(evaluate, value, frame, (index) => prefix[index] ?? rest, rest ? Number.POSITIVE_INFINITY : prefix.length),
    )
  }
  if (contains) checks.push(containsCheck(building, contains, marksContained))
  return checks
}

/** The check of `unevaluatedItems`, which must come last. */
export function unevaluatedItemsOf(building: Building): Check[] {
  const rest = childOf(building, 'unevaluatedItems')
  if (!rest) return []
  return [
    (value, frame) => {
      const valid = isArrayOf(building.evaluate, value, frame, (index) => (frame.evaluated?.has(index) ? undefined : rest))
      if (isArray(value)) frame.evaluated?.addAll()
      return valid
    },
  ]
}

function isArrayOf(
  evaluate: Evaluate,
  value: unknown,
  frame: Frame,
  schemaAt: (index: number) => SchemaNode | undefined,
  length = Number.POSITIVE_INFINITY,
): boolean {
  if (!isArray(value)) return true
  let valid = true
  for (let index = 0; index < value.length && index < length; index++) {
    const node = schemaAt(index)
    if (!node) continue
    frame.evaluated?.add(index)
    if (evaluate(node, value[index], inside(frame, index))) continue
    valid = false
    if (!frame.findings || frame.findings.length >= frame.run.limit) return false
  }
  return valid
}

function containsCheck({ schema, evaluate }: Building, contains: SchemaNode, marks: boolean): Check {
  const least = count(own(schema, 'minContains')) ?? 1
  const most = count(own(schema, 'maxContains'))
  return (value, frame) => {
    if (!isArray(value)) return true
    let found = 0
    for (const [index, item] of value.entries()) {
      if (!evaluate(contains, item, quietly(inside(frame, index)))) continue
      found++
      if (marks) frame.evaluated?.add(index)
    }
    if (found < least) return fail(frame, least === 1 ? 'contains' : 'minContains', { limit: least, actual: found }, value)
    return most === undefined || found <= most || fail(frame, 'maxContains', { limit: most, actual: found }, value)
  }
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

import { isArray, type JsonValue, own } from '../../json/json-value.ts'
import { isSchema } from '../read/subschemas.ts'
import { type Building, childOf } from './object-checks.ts'
import { type Check, type Frame, fail, inside, quietly } from './run.ts'

/** The checks of `prefixItems`, `items`, `additionalItems` and `contains`, in the old spelling and the new. */
export function arrayChecksOf(building: Building, marksContained: boolean): Check[] {
  const { schema } = building
  const items = own(schema, 'items')
  const listed = isArray(items) ? items : own(schema, 'prefixItems')
  const prefix = (isArray(listed) ? listed : []).flatMap((one) => (isSchema(one) ? [building.child(one)] : []))
  const rest = isArray(items) ? childOf(building, 'additionalItems') : childOf(building, 'items')
  const contains = childOf(building, 'contains')
  const checks: Check[] = []
  if (prefix.length > 0 || rest) {
    checks.push((value, frame) =>
      isArrayOf(value, frame, (index) => prefix[index] ?? rest, rest ? Number.POSITIVE_INFINITY : prefix.length),
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
      const { evaluated } = frame
      if (!isArray(value) || evaluated?.hasAll) return true
      const valid = isArrayOf(value, frame, (index) => (evaluated?.has(index) ? undefined : rest), value.length)
      evaluated?.addAll()
      return valid
    },
  ]
}

function isArrayOf(
  value: unknown,
  frame: Frame,
  schemaAt: (index: number) => Check | undefined,
  length = Number.POSITIVE_INFINITY,
): boolean {
  if (!isArray(value)) return true
  let valid = true
  if (length === Number.POSITIVE_INFINITY) frame.evaluated?.addAll()
  frame.run.charge(Math.min(value.length, length) >> 1)
  for (let index = 0; index < value.length && index < length; index++) {
    const node = schemaAt(index)
    if (!node) continue
    frame.evaluated?.add(index)
    if (node(value[index], inside(frame, index))) continue
    valid = false
    if (!frame.findings || frame.findings.length >= frame.run.limit) return false
  }
  return valid
}

function containsCheck({ schema }: Building, contains: Check, marks: boolean): Check {
  const least = count(own(schema, 'minContains')) ?? 1
  const most = count(own(schema, 'maxContains'))
  return (value, frame) => {
    if (!isArray(value)) return true
    let found = 0
    frame.run.charge(value.length)
    for (const [index, item] of value.entries()) {
      if (!contains(item, quietly(inside(frame, index)))) continue
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

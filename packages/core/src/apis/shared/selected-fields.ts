import type { Fields } from '../../answer/tool-shapes/fields.ts'

/** The fields except the named ones. */
export function without(fields: Fields, names: ReadonlySet<string>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    // Assigning `__proto__` would change the copy's prototype.
    if (name !== '__proto__' && !names.has(name)) kept[name] = fields[name]
  }
  return kept
}

/** The fields that have a value: neither undefined nor null. */
export function given(fields: Fields): Fields {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name]
  }
  return kept
}

/** Fields with a value beside the known ones; undefined without any, as usual. Some clients execute `event`. */
export function otherFields(holder: Fields, known: ReadonlySet<string>): Record<string, unknown> | undefined {
  let fields: Record<string, unknown> | undefined
  for (const name in holder) {
    const value = holder[name]
    if (known.has(name) || value === null || value === undefined || value === '' || name === 'event' || name === '__proto__') continue
    fields ??= {}
    fields[name] = value
  }
  return fields
}

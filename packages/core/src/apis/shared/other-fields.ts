import type { Fields } from '../../answer/tool-shapes/fields.ts'

/** Fields that say something beside the known ones; nothing when there are none, which is the rule. Some clients execute `event`. */
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

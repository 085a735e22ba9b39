/** What JSON Schema calls the type of a value that came out of JSON. */
export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null'

/** The type of a value; a number without a fraction is an integer, however it was written. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'object'
}

/** Tells whether a value of this kind is of the type that a schema names; types that JSON Schema does not know allow everything. */
export function isOfType(kind: Kind, type: unknown): boolean {
  return kind === type || (type === 'number' && kind === 'integer') || !known.has(type)
}

const known = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] satisfies Kind[])

/** Tells whether two values that came out of JSON are the same; the first one bounds the work. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  )
}

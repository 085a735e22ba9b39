/** Data with more values is not judged: shared parts of it would be read each time that they occur. */
const mostValues = 1_000_000

/**
 * Throws unless all of a value can be read: texts, numbers, truth values, dates, lists and plain objects with nothing but enumerable values.
 *
 * Maps, buffers, getters and instances of classes can say to a program what no check has read.
 */
export function requirePlain(given: unknown): void {
  const above = new Set<object>()
  let values = 0
  const visit = (value: unknown): void => {
    if (++values > mostValues) throw new Error(`the data has more than ${mostValues} values`)
    if (value === null || plainTypes.has(typeof value)) return
    if (typeof value !== 'object') throw unreadable(`a ${typeof value}`)
    if (above.has(value)) throw unreadable('itself')
    above.add(value)
    for (const inner of partsOf(value)) visit(inner)
    above.delete(value)
  }
  visit(given)
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined'])

function partsOf(value: object): readonly unknown[] {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isList = Array.isArray(value)
  const isPlain = isList ? prototype === Array.prototype : prototype === Object.prototype || prototype === null
  const keys = Reflect.ownKeys(value)
  if (prototype === Date.prototype && keys.length === 0) return []
  if (!isPlain) throw unreadable(`an instance of ${nameOf(prototype)}`)
  return keys.flatMap((key) => {
    if (isList && key === 'length') return []
    const { enumerable, value: inner, get } = Object.getOwnPropertyDescriptor(value, key) ?? {}
    if (get !== undefined) throw unreadable('a getter')
    if (typeof key === 'symbol' || enumerable !== true || (isList && !/^\d+$/.test(key))) throw unreadable('a hidden field')
    return [inner]
  })
}

function nameOf(prototype: unknown): string {
  const { constructor: made } = prototype as { readonly constructor?: unknown }
  return typeof made === 'function' && made.name !== '' ? made.name : 'a class'
}

function unreadable(what: string): Error {
  return new Error(`the data holds ${what}, which cannot be read; use plain data`)
}

type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object as a configuration file has them, not a Map or an instance of a class; objects of another realm are too. */
export function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The fields that say something: `undefined` is the same as not written. */
export function said<Value extends object>(fields: Value): Value {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Value
}

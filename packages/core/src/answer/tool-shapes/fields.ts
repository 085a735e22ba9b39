/** A value whose fields can be looked at. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields; arrays have none. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object that are not undefined. */
type Defined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
} & { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] }

/** Leaves out the members that are undefined, because an absent one and an undefined one are not the same. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}

/** One field of a value; undefined where there is none, or where reading it throws. */
export function field(value: unknown, key: string): unknown {
  if (!isFields(value)) return undefined
  try {
    return value[key]
  } catch {
    return undefined
  }
}

/** A field that must be text; empty for any other value. */
export function textField(value: unknown, key: string): string {
  const given = field(value, key)
  return typeof given === 'string' ? given : ''
}

/** The first of these fields that is there. */
export function firstField(value: unknown, ...keys: readonly string[]): { readonly key: string; readonly given: unknown } | undefined {
  for (const key of keys) {
    const given = field(value, key)
    if (given !== undefined) return { key, given }
  }
  return undefined
}

/** Replaces arguments that cannot be written as JSON; it is not JSON itself, so that the check reports it. */
const unwritable = '[arguments that are not JSON]'

/** Arguments as text: none at all, `null` and an empty text are `{}`; the text `null` stays what it is. */
export function argumentsText(given: unknown): string {
  if (given === undefined || given === null || given === '') return '{}'
  if (typeof given === 'string') return given
  try {
    return JSON.stringify(given) ?? unwritable
  } catch {
    return unwritable
  }
}

/** Arguments in the form that they were given in: as they were when nothing changed, else text or object. */
export function argumentsLike(given: unknown, text: string): unknown {
  if (given !== undefined && argumentsText(given) === text) return given
  if (typeof given !== 'object' || given === null) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The id of a call, when it has one. */
export function idOf(value: unknown, ...keys: readonly string[]): { readonly id?: string } {
  const id = firstField(value, ...keys)?.given
  return typeof id === 'string' ? { id } : {}
}

/** The id to write under a key: only one that the call has, and the entry has not. */
export function idFor(key: string, { id }: { readonly id?: string }): Fields {
  return id === undefined ? {} : { [key]: id }
}

/** The namespace of a call, as far as it has one. */
export function namespaceOf(entry: unknown): { readonly namespace?: string } {
  const namespace = textField(entry, 'namespace')
  return namespace === '' ? {} : { namespace }
}

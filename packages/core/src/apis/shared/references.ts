import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson } from '../../json/edit-json.ts'

/** A reference, such as a citation. */
export interface WireReference {
  /** Name of its member, or of the member with its list. */
  readonly name: string
  readonly value: unknown
  /** Whether it is in a list. */
  readonly isListed: boolean
}

/** A reference with its position. */
export interface PlacedReference extends WireReference {
  /** Empty if an event is only the reference. */
  readonly path: readonly (string | number)[]
}

/** Whether a reference may be shown. */
export type Passes = (reference: WireReference) => boolean

/** JSON text without the rejected references; undefined if nothing else is left. */
export function withoutReferences(json: string, references: readonly PlacedReference[], passes: Passes): string | undefined {
  if (references.length === 0) return json
  const dropped = references.filter((reference) => !passes(reference))
  if (dropped.some(({ path }) => path.length === 0)) return undefined
  return editJson(
    json,
    dropped.map(({ path }) => ({ path, json: undefined })),
  )
}

/** The references of one member: the elements of a list, or the member itself. */
export function memberReferences(holder: unknown, name: string, path: readonly (string | number)[]): readonly PlacedReference[] {
  const value = isFields(holder) ? holder[name] : undefined
  if (value === undefined || value === null) return none
  if (!Array.isArray(value)) return [{ name, value, isListed: false, path: [...path, name] }]
  const found: PlacedReference[] = []
  // Numbers, which may be many, are not references.
  for (const [at, one] of value.entries())
    if (typeof one === 'string' || typeof one === 'object') found.push({ name, value: one, isListed: true, path: [...path, name, at] })
  return found
}

/** The references of the elements of a list. */
export function eachOf(
  list: unknown,
  path: readonly (string | number)[],
  of: (one: Fields, path: readonly (string | number)[]) => readonly PlacedReference[],
): readonly PlacedReference[] {
  return Array.isArray(list) ? list.flatMap((one, at) => (isFields(one) ? of(one, [...path, at]) : none)) : none
}

/** References without positions. */
export function unplaced(references: readonly PlacedReference[]): readonly WireReference[] {
  return references.map(({ name, value, isListed }) => ({ name, value, isListed }))
}

const none: readonly PlacedReference[] = []

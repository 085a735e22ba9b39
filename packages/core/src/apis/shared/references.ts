import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson } from '../../json/edit-json.ts'

/** A reference to elsewhere, such as a citation. */
export interface WireReference {
  /** Name of the member that it is, or whose list it is in. */
  readonly name: string
  readonly value: unknown
  /** Whether it is one of a list. */
  readonly isListed: boolean
}

/** A reference at its place. */
export interface PlacedReference extends WireReference {
  /** Empty when an event is nothing but the reference. */
  readonly path: readonly (string | number)[]
}

/** Whether a reference may be shown. */
export type Passes = (reference: WireReference) => boolean

/** JSON text without the references that do not pass; undefined when nothing else would be left. */
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
  // Numbers, of which a list may have very many, refer to nothing.
  for (const [at, one] of value.entries())
    if (typeof one === 'string' || typeof one === 'object') found.push({ name, value: one, isListed: true, path: [...path, name, at] })
  return found
}

/** The references that the elements of a list hold. */
export function eachOf(
  list: unknown,
  path: readonly (string | number)[],
  of: (one: Fields, path: readonly (string | number)[]) => readonly PlacedReference[],
): readonly PlacedReference[] {
  return Array.isArray(list) ? list.flatMap((one, at) => (isFields(one) ? of(one, [...path, at]) : none)) : none
}

/** References without their places, for which only the JSON that they came in counts. */
export function unplaced(references: readonly PlacedReference[]): readonly WireReference[] {
  return references.map(({ name, value, isListed }) => ({ name, value, isListed }))
}

const none: readonly PlacedReference[] = []

import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'

/** Members of a gateway's verdict: a provider that sends one would forge it. */
const own = ['stickler', 'validation_status', 'validation']

/** Removes such members of an object at a path. */
export function ownEdits(holder: Fields, ...path: readonly string[]): JsonEdit[] {
  const edits: JsonEdit[] = []
  for (const name of own) if (name in holder) edits.push({ path: [...path, name], json: undefined })
  return edits
}

/** A provider's reply without such members, at the top level and in the answer. */
export function withoutOwn(
  fields: Fields,
  data: string,
  answer?: 'message' | 'response',
): { readonly fields: Fields; readonly data: string } {
  const edits = ownEdits(fields)
  const inner = answer === undefined ? undefined : fields[answer]
  if (answer !== undefined && isFields(inner)) edits.push(...ownEdits(inner, answer))
  if (edits.length === 0) return { fields, data }
  const written = editJson(data, edits)
  return { fields: JSON.parse(written) as Fields, data: written }
}

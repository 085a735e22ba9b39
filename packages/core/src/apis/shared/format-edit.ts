import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'

/** Puts the format of the answer into a member of a request, beside its other fields. */
export function formatEdit(body: Fields, member: string, format: Fields): JsonEdit {
  if (isFields(body[member])) return { path: [member, 'format'], json: JSON.stringify(format) }
  return { path: [member], json: JSON.stringify({ format }) }
}

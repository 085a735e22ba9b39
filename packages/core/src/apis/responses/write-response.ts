import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { memberJson } from '../reply/verdict-body.ts'
import type { WireChanges, WireReply } from '../shared/wire.ts'
import type { ResponseReply } from './read-response.ts'
import type { ResponsePlace } from './response-parts.ts'
import { changedPlace, changedRepeats, holderAt } from './text-edits.ts'

/** Writes a whole response. */
export function writeResponse(reply: WireReply, changes: WireChanges): string {
  const { response, parts, body } = reply as ResponseReply
  const edits = [...headEdits(response, changes, []), ...outputEdits(response, parts, changes.parts)]
  const texts = parts.flatMap(({ of }, at) => (of === 'text' ? [changes.parts?.[at] ?? parts[at]?.value ?? ''] : []))
  if (changes.parts !== undefined) edits.push(...changedRepeats(response, [], texts.join('')))
  const annotations = changes.messages?.get(0)?.annotations
  if (Array.isArray(annotations)) for (const edit of addedAnnotations(response, parts, annotations)) edits.push(edit)
  return editJson(body, edits)
}

/** The edits of a response besides its output. */
export function headEdits(response: Fields, changes: WireChanges, path: readonly string[]): JsonEdit[] {
  const { model, usage, members } = changes
  const edits: JsonEdit[] = []
  const replace = (name: string, value: unknown): number => edits.push({ path: [...path, name], json: JSON.stringify(value) })
  if (model !== undefined && typeof response.model === 'string' && response.model !== model) replace('model', model)
  if (usage !== undefined && isFields(response.usage)) replace('usage', usage)
  for (const name in members) edits.push({ path: [...path, name], json: memberJson(members[name]) })
  return edits
}

function outputEdits(response: Fields, places: readonly ResponsePlace[], values: readonly string[] | undefined): readonly JsonEdit[] {
  return places.flatMap(({ of, path, value }, at) => {
    const given = values?.[at] ?? value
    return given === value ? [] : changedPlace(response, path, of === 'text', given)
  })
}

/** Accepted annotations stay with the last text. */
export function addedAnnotations(response: Fields, places: readonly ResponsePlace[], annotations: readonly unknown[]): readonly JsonEdit[] {
  const last = places.findLast(({ of }) => of === 'text')
  if (last === undefined) return []
  const path = last.path.slice(0, -1)
  const given = holderAt(response, path)?.annotations
  const flat = annotations.map((one) => (isFields(one) && isFields(one.url_citation) ? { type: 'url_citation', ...one.url_citation } : one))
  return [{ path: [...path, 'annotations'], json: JSON.stringify([...(Array.isArray(given) ? given : []), ...flat]) }]
}

import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'
import { isNothing } from '../shared/unchecked-values.ts'

type Path = JsonEdit['path']

/** The object at a path. */
export function holderAt(root: Fields, path: Path): Fields | undefined {
  let value: unknown = root
  for (const key of path) value = (value as Readonly<Record<string | number, unknown>>)[key]
  return path.length > 0 && isFields(value) ? value : undefined
}

/** The edits for a changed text, name or arguments, and for fields about them. */
export function changedPlace(root: Fields, path: Path, isText: boolean, given: string): readonly JsonEdit[] {
  const holder = holderAt(root, path.slice(0, -1))
  if (isText && holder !== undefined) return changedText(holder, path.slice(0, -1), given)
  const edit = { path, json: JSON.stringify(given) }
  return isNothing(holder?.parsed_arguments) ? [edit] : [edit, { path: [...path.slice(0, -1), 'parsed_arguments'], json: 'null' }]
}

/** The edits for repetitions of changed texts in a response; without a text they are removed. */
export function changedRepeats({ output_text: joined, output_parsed: parsed }: Fields, path: Path, text: string | undefined): JsonEdit[] {
  const edits: JsonEdit[] = isNothing(parsed) ? [] : [{ path: [...path, 'output_parsed'], json: 'null' }]
  if (typeof joined === 'string' && joined !== text)
    edits.push({ path: [...path, 'output_text'], json: text === undefined ? undefined : JSON.stringify(text) })
  return edits
}

/** The edits of a message part whose text has changed. Annotations and probabilities of removed words are dropped, and so is a part without text. */
function changedText(part: Fields, path: Path, text: string): readonly JsonEdit[] {
  const before = typeof part.text === 'string' ? part.text : ''
  if (before === text) return []
  // Clients that parse every part could not read an empty one.
  if (text === '' && typeof path.at(-1) === 'number') return [{ path, json: undefined }]
  const edits: JsonEdit[] = [{ path: [...path, 'text'], json: JSON.stringify(text) }]
  const { annotations, logprobs, parsed } = part
  if (!isNothing(parsed)) edits.push({ path: [...path, 'parsed'], json: 'null' })
  if (Array.isArray(logprobs) && logprobs.length > 0) edits.push({ path: [...path, 'logprobs'], json: '[]' })
  if (!Array.isArray(annotations) || annotations.length === 0) return edits
  const same = sameBefore(before, text)
  const behind = sameBehind(before, text, same)
  const moved = annotations.map((annotation) => movedAnnotation(annotation, same, before.length - behind, text.length - before.length))
  if (moved.some((annotation, at) => annotation !== annotations[at]))
    edits.push({ path: [...path, 'annotations'], json: JSON.stringify(moved.filter((annotation) => annotation !== undefined)) })
  return edits
}

/** An annotation of words before or after the changed ones; undefined if its words are gone. */
function movedAnnotation(annotation: unknown, changedFrom: number, changedTo: number, shift: number): unknown {
  if (!isFields(annotation) || typeof annotation.start_index !== 'number' || typeof annotation.end_index !== 'number') return annotation
  const { start_index: start, end_index: end } = annotation
  if (end <= changedFrom) return annotation
  if (start >= changedTo) return { ...annotation, start_index: start + shift, end_index: end + shift }
  return undefined
}

function sameBefore(a: string, b: string): number {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

function sameBehind(a: string, b: string, taken: number): number {
  const most = Math.min(a.length, b.length) - taken
  let count = 0
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++
  return count
}

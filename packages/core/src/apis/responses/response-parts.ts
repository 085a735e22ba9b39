import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JudgedPart } from '../shared/wire.ts'

/** The position of a checked part in a response. */
export interface ResponsePlace extends JudgedPart {
  readonly path: readonly (string | number)[]
}

/** The checked parts of an output, in order: texts, names and arguments of function calls. */
export function responsePlaces(output: unknown, path: readonly (string | number)[] = ['output']): readonly ResponsePlace[] {
  const places: ResponsePlace[] = []
  for (const [at, item] of (Array.isArray(output) ? output : []).entries()) {
    if (!isFields(item)) continue
    if (item.type === 'message') addTexts(places, [...path, at, 'content'], item.content)
    else if (item.type === 'function_call') addCall(places, [...path, at], item, at)
  }
  return places
}

/** The texts among the parts, as clients join them. */
export function textOf(places: readonly ResponsePlace[]): string {
  return places.map(({ of, value }) => (of === 'text' ? value : '')).join('')
}

function addTexts(places: ResponsePlace[], path: readonly (string | number)[], content: unknown): void {
  for (const [at, part] of (Array.isArray(content) ? content : []).entries()) {
    if (isFields(part) && part.type === 'output_text' && typeof part.text === 'string')
      places.push({ choice: 0, of: 'text', value: part.text, path: [...path, at, 'text'] })
  }
}

function addCall(places: ResponsePlace[], path: readonly (string | number)[], { name, arguments: given }: Fields, of: number): void {
  if (typeof name === 'string') places.push({ choice: 0, of, isName: true, value: name, path: [...path, 'name'] })
  if (typeof given === 'string') places.push({ choice: 0, of, value: given, path: [...path, 'arguments'] })
}

import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { eachOf, memberReferences, type PlacedReference } from '../shared/references.ts'

type Path = PlacedReference['path']

/** The references of output items: annotations of a text, and search results. */
export function outputReferences(output: unknown, path: Path): readonly PlacedReference[] {
  return eachOf(output, path, itemReferences)
}

/** The references of an event. */
export function eventReferences(type: string, { annotation, part, item, response }: Fields): readonly PlacedReference[] {
  if (type === 'response.output_text.annotation.added') return [{ name: 'annotations', value: annotation, isListed: true, path: [] }]
  if (isFields(response)) return outputReferences(response.output, ['response', 'output'])
  if (isFields(item)) return itemReferences(item, ['item'])
  return isFields(part) ? partReferences(part, ['part']) : []
}

function itemReferences({ type, content, action }: Fields, path: Path): readonly PlacedReference[] {
  if (type === 'message') return eachOf(content, [...path, 'content'], partReferences)
  return type === 'web_search_call' ? memberReferences(action, 'sources', [...path, 'action']) : []
}

function partReferences(part: Fields, path: Path): readonly PlacedReference[] {
  return memberReferences(part, 'annotations', path)
}

import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { EventNames } from '../shared/event-weight.ts'

/** A text, a name or arguments in an event of a stream. */
export interface EventPlace {
  /** Its text or call, by the index of the item in the output. */
  readonly key: string
  readonly kind: 'text' | 'name' | 'arguments'
  /** The index of the item in the output. */
  readonly item: number
  readonly path: readonly (string | number)[]
  readonly value: string
  /** Whether it is the whole text so far, not a delta. */
  readonly isWhole: boolean
  /** Set if it may only repeat other text. */
  readonly isRepeat?: true
}

/** Field names in events that are not counted. */
export const eventNames: EventNames = {
  framing: new Set(['type', 'sequence_number', 'obfuscation']),
  usual: new Set(['delta', 'type', 'role', 'content', 'text', 'logprobs']),
}

/** The checked parts of an event, and repetitions of them; events that end a response are read elsewhere. */
export function eventPlaces(type: string, event: Fields, isGuarded = false): readonly EventPlace[] {
  const item = typeof event.output_index === 'number' ? event.output_index : 0
  const places = ownPlaces(type, event, item)
  return isGuarded && (isFields(event.response) || isFields(event.item) || isFields(event.part))
    ? [...places, ...repeatedPlaces(type, event, item).map((place) => ({ ...place, isRepeat: true as const }))]
    : places
}

function ownPlaces(type: string, event: Fields, item: number): readonly EventPlace[] {
  switch (type) {
    case 'response.output_text.delta':
      return [...place(item, 'text', event.delta, ['delta'], false, event.content_index)]
    case 'response.output_text.done':
      return [...place(item, 'text', event.text, ['text'], true, event.content_index)]
    case 'response.content_part.added':
    case 'response.content_part.done':
      return partPlaces(event, item)
    case 'response.function_call_arguments.delta':
      return [...place(item, 'arguments', event.delta, ['delta'], false)]
    case 'response.function_call_arguments.done':
      return [...place(item, 'name', event.name, ['name'], true), ...place(item, 'arguments', event.arguments, ['arguments'], true)]
    case 'response.output_item.added':
    case 'response.output_item.done':
      return isFields(event.item) ? itemPlaces(event.item, item, ['item']) : none
    default:
      return none
  }
}

const none: readonly EventPlace[] = []

/** Texts in events of another or unknown purpose: clients may take them for the answer so far. */
function repeatedPlaces(type: string, event: Fields, item: number): readonly EventPlace[] {
  const { response, item: repeated } = event
  const output: readonly unknown[] = isFields(response) && Array.isArray(response.output) ? response.output : []
  return [
    ...output.flatMap((one, at) => (isFields(one) ? itemPlaces(one, at, ['response', 'output', at]) : [])),
    ...(isFields(repeated) && !type.startsWith('response.output_item.') ? itemPlaces(repeated, item, ['item']) : []),
    ...(type.startsWith('response.content_part.') ? [] : partPlaces(event, item)),
  ]
}

function partPlaces({ part, content_index: at }: Fields, item: number): readonly EventPlace[] {
  return isFields(part) && part.type === 'output_text' ? [...place(item, 'text', part.text, ['part', 'text'], true, at)] : none
}

function itemPlaces({ type, content, name, arguments: given }: Fields, item: number, path: EventPlace['path']): readonly EventPlace[] {
  if (type === 'function_call')
    return [...place(item, 'name', name, [...path, 'name'], true), ...place(item, 'arguments', given, [...path, 'arguments'], true)]
  if (type !== 'message' || !Array.isArray(content)) return none
  return content.flatMap((part, at) =>
    isFields(part) && part.type === 'output_text' ? [...place(item, 'text', part.text, [...path, 'content', at, 'text'], true, at)] : [],
  )
}

function* place(
  item: number,
  kind: EventPlace['kind'],
  value: unknown,
  path: EventPlace['path'],
  isWhole: boolean,
  part: unknown = 0,
): Generator<EventPlace> {
  if (typeof value === 'string') yield { key: `${item}/${kind === 'text' ? String(part) : kind}`, kind, item, path, value, isWhole }
}

/** Whether a key is that of a text. */
export function isTextKey(key: string): boolean {
  return !key.endsWith('/name') && !key.endsWith('/arguments')
}

import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'

/** A text, a name or arguments in an event of a stream. */
export interface EventPlace {
  /** Which text or call it belongs to, by the item's place in the output. */
  readonly key: string
  readonly kind: 'text' | 'name' | 'arguments'
  /** The item's place in the output. */
  readonly item: number
  readonly path: readonly (string | number)[]
  readonly value: string
  /** Whether it is all of it so far, and not only what is added. */
  readonly isWhole: boolean
}

/** What is judged in an event of a stream, or repeats what was; the events that end a response are read elsewhere. */
export function eventPlaces(type: string, event: Fields): readonly EventPlace[] {
  const item = typeof event.output_index === 'number' ? event.output_index : 0
  switch (type) {
    case 'response.output_text.delta':
      return [...place(item, 'text', event.delta, ['delta'], false, event.content_index)]
    case 'response.output_text.done':
      return [...place(item, 'text', event.text, ['text'], true, event.content_index)]
    case 'response.content_part.added':
    case 'response.content_part.done':
      return isFields(event.part) && event.part.type === 'output_text'
        ? [...place(item, 'text', event.part.text, ['part', 'text'], true, event.content_index)]
        : none
    case 'response.function_call_arguments.delta':
      return [...place(item, 'arguments', event.delta, ['delta'], false)]
    case 'response.function_call_arguments.done':
      return [...place(item, 'name', event.name, ['name'], true), ...place(item, 'arguments', event.arguments, ['arguments'], true)]
    case 'response.output_item.added':
    case 'response.output_item.done':
      return isFields(event.item) ? itemPlaces(event.item, item) : none
    default:
      return none
  }
}

const none: readonly EventPlace[] = []

function itemPlaces({ type, content, name, arguments: given }: Fields, item: number): readonly EventPlace[] {
  if (type === 'function_call')
    return [...place(item, 'name', name, ['item', 'name'], true), ...place(item, 'arguments', given, ['item', 'arguments'], true)]
  if (type !== 'message' || !Array.isArray(content)) return none
  return content.flatMap((part, at) =>
    isFields(part) && part.type === 'output_text' ? [...place(item, 'text', part.text, ['item', 'content', at, 'text'], true, at)] : [],
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

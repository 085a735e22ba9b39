import type { Fields } from '../../answer/tool-shapes/fields.ts'

/** An item that the client has seen begin, and not end. */
export interface OpenItem {
  readonly item: Fields
  /** Its parts by number, as last reported. */
  readonly parts: Map<number, { readonly part: Fields; readonly isOpen: boolean }>
  json: string
}

/** An event that ends what an attempt has left open. */
export interface ClosingEvent extends Fields {
  readonly type: string
}

/** The events that end an item whose attempt was given up, with what the client has seen of it. */
export function closingEvents(
  { item, parts }: OpenItem,
  index: number,
  textOf: (part: number) => string | undefined,
): readonly ClosingEvent[] {
  const place = { item_id: item.id, output_index: index }
  const events: ClosingEvent[] = []
  const content: Fields[] = []
  for (const [at, { part, isOpen }] of [...parts].sort(([a], [b]) => a - b)) {
    const text = textOf(at)
    const told = text === undefined ? part : { ...part, text }
    content.push(told)
    if (!isOpen) continue
    if (text !== undefined) events.push({ type: 'response.output_text.done', ...place, content_index: at, text, logprobs: [] })
    events.push({ type: 'response.content_part.done', ...place, content_index: at, part: told })
  }
  const ended = { ...item, status: 'incomplete', ...(item.type === 'message' ? { content } : {}) }
  return [...events, { type: 'response.output_item.done', output_index: index, item: ended }]
}

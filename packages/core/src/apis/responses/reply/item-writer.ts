import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { EventWriter } from './event-writer.ts'
import type { ItemStatus } from './output-items.ts'

/** The position of an item in the output. */
export interface ItemPlace {
  readonly item_id: string
  readonly output_index: number
}

/** Writes one item of the output, piece by piece. */
export interface ItemWriter {
  readonly kind: 'reasoning' | 'message'
  open(): string
  close(status: ItemStatus): string
  /** The item in its current state. */
  item(status: ItemStatus): Fields
}

/** The event with which an item begins. */
export function itemAdded(events: EventWriter, { output_index }: ItemPlace, item: Fields): string {
  return events.event('response.output_item.added', { output_index, item })
}

/** The event with which an item ends. */
export function itemDone(events: EventWriter, { output_index }: ItemPlace, item: Fields): string {
  return events.event('response.output_item.done', { output_index, item })
}

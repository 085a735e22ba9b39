import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { EventSink } from '../../shared/sse-frames.ts'
import type { ItemStatus } from './output-items.ts'

/** The position of an item in the output. */
export interface ItemPlace {
  readonly item_id: string
  readonly output_index: number
}

/** Writes the events of one item of the output, piece by piece. */
export interface ItemWriter {
  readonly kind: 'reasoning' | 'message'
  open(): void
  close(status: ItemStatus): void
  /** The item in its current state. */
  item(status: ItemStatus): Fields
}

/** The event with which an item begins. */
export function itemAdded(events: NumberedEvents, { output_index }: ItemPlace, item: Fields): void {
  events.event('response.output_item.added', { output_index, item })
}

/** The event with which an item ends. */
export function itemDone(events: NumberedEvents, { output_index }: ItemPlace, item: Fields): void {
  events.event('response.output_item.done', { output_index, item })
}

/** Numbers events, and names them by their types. */
export class NumberedEvents {
  readonly #out: EventSink

  constructor(out: EventSink) {
    this.#out = out
  }

  /** One event of that type. */
  event(type: string, fields: Fields): void {
    this.#out.number = (this.#out.number ?? -1) + 1
    this.#out.event(type, JSON.stringify({ type, sequence_number: this.#out.number, ...fields }))
  }
}

import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import type { NumberedEvents } from './item-writer.ts'
import { type ItemPlace, type ItemWriter, itemAdded, itemDone } from './item-writer.ts'
import { type ItemStatus, reasoningItem, summaryPart } from './output-items.ts'

/** Makes the events of the model's reasoning as the summary of a reasoning item. */
export class ReasoningWriter implements ItemWriter {
  readonly kind = 'reasoning'
  readonly #events: NumberedEvents
  readonly #place: ItemPlace
  #text = ''

  constructor(events: NumberedEvents, place: ItemPlace) {
    this.#events = events
    this.#place = place
  }

  open(): void {
    itemAdded(this.#events, this.#place, reasoningItem(this.#place.item_id, undefined, 'in_progress'))
    this.#event('response.reasoning_summary_part.added', { part: summaryPart('') })
  }

  text(text: string): void {
    this.#text += text
    for (const delta of pieces(text)) this.#event('response.reasoning_summary_text.delta', { delta })
  }

  close(status: ItemStatus): void {
    this.#event('response.reasoning_summary_text.done', { text: this.#text })
    this.#event('response.reasoning_summary_part.done', { part: summaryPart(this.#text) })
    itemDone(this.#events, this.#place, this.item(status))
  }

  item(status: ItemStatus): Fields {
    return reasoningItem(this.#place.item_id, this.#text, status)
  }

  #event(type: string, fields: Fields): void {
    this.#events.event(type, { ...this.#place, summary_index: 0, ...fields })
  }
}

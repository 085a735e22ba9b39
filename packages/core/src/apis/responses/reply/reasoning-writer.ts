import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import type { EventWriter } from './event-writer.ts'
import { type ItemPlace, type ItemWriter, itemAdded, itemDone } from './item-writer.ts'
import { type ItemStatus, reasoningItem, summaryPart } from './output-items.ts'

/** Writes the model's reasoning as the summary of a reasoning item. */
export class ReasoningWriter implements ItemWriter {
  readonly kind = 'reasoning'
  readonly #events: EventWriter
  readonly #place: ItemPlace
  #text = ''

  constructor(events: EventWriter, place: ItemPlace) {
    this.#events = events
    this.#place = place
  }

  open(): string {
    const added = itemAdded(this.#events, this.#place, reasoningItem(this.#place.item_id, undefined, 'in_progress'))
    return added + this.#event('response.reasoning_summary_part.added', { part: summaryPart('') })
  }

  text(text: string): string {
    this.#text += text
    let frames = ''
    for (const delta of pieces(text)) frames += this.#event('response.reasoning_summary_text.delta', { delta })
    return frames
  }

  close(status: ItemStatus): string {
    return (
      this.#event('response.reasoning_summary_text.done', { text: this.#text }) +
      this.#event('response.reasoning_summary_part.done', { part: summaryPart(this.#text) }) +
      itemDone(this.#events, this.#place, this.item(status))
    )
  }

  item(status: ItemStatus): Fields {
    return reasoningItem(this.#place.item_id, this.#text, status)
  }

  #event(type: string, fields: Fields): string {
    return this.#events.event(type, { ...this.#place, summary_index: 0, ...fields })
  }
}

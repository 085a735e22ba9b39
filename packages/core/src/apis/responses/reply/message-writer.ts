import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import type { NumberedEvents } from './item-writer.ts'
import { type ItemPlace, type ItemWriter, itemAdded, itemDone } from './item-writer.ts'
import { type ItemStatus, messageItem, refusalPart, textPart } from './output-items.ts'

/** Writes the events of the model's message: texts and refusals, one open part at a time. */
export class MessageWriter implements ItemWriter {
  readonly kind = 'message'
  readonly #events: NumberedEvents
  readonly #place: ItemPlace
  readonly #parts: Fields[] = []
  #open: 'text' | 'refusal' | undefined
  #said = ''
  #annotations: unknown[] = []
  #logprobs: unknown[] = []

  constructor(events: NumberedEvents, place: ItemPlace) {
    this.#events = events
    this.#place = place
  }

  open(): void {
    itemAdded(this.#events, this.#place, messageItem(this.#place.item_id, [], 'in_progress'))
  }

  text(text: string, logprobs: readonly unknown[]): void {
    this.#part('text')
    this.#said += text
    for (const entry of logprobs) this.#logprobs.push(entry)
    for (const [index, delta] of pieces(text).entries()) {
      this.#event('response.output_text.delta', { delta, logprobs: index === 0 ? logprobs : [] })
    }
  }

  refusal(text: string): void {
    this.#part('refusal')
    this.#said += text
    for (const delta of pieces(text)) this.#event('response.refusal.delta', { delta })
  }

  annotations(annotations: readonly unknown[]): void {
    this.#part('text')
    for (const annotation of annotations) {
      const index = this.#annotations.push(annotation) - 1
      this.#event('response.output_text.annotation.added', { annotation_index: index, annotation })
    }
  }

  close(status: ItemStatus): void {
    this.#closePart()
    itemDone(this.#events, this.#place, this.item(status))
  }

  item(status: ItemStatus): Fields {
    return messageItem(this.#place.item_id, this.#parts, status)
  }

  /** Opens a part of that kind unless it is open already. */
  #part(kind: 'text' | 'refusal'): void {
    if (this.#open === kind) return
    this.#closePart()
    this.#open = kind
    this.#event('response.content_part.added', { part: this.#current(kind) })
  }

  #closePart(): void {
    const kind = this.#open
    if (kind === undefined) return
    const part = this.#current(kind)
    if (kind === 'text') this.#event('response.output_text.done', { text: this.#said, logprobs: this.#logprobs })
    else this.#event('response.refusal.done', { refusal: this.#said })
    this.#event('response.content_part.done', { part })
    this.#parts.push(part)
    this.#open = undefined
    this.#said = ''
    this.#annotations = []
    this.#logprobs = []
  }

  #current(kind: 'text' | 'refusal'): Fields {
    return kind === 'text' ? textPart(this.#said, this.#annotations, this.#logprobs) : refusalPart(this.#said)
  }

  #event(type: string, fields: Fields): void {
    this.#events.event(type, { ...this.#place, content_index: this.#parts.length, ...fields })
  }
}

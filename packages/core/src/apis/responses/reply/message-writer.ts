import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import type { EventWriter } from './event-writer.ts'
import { type ItemPlace, type ItemWriter, itemAdded, itemDone } from './item-writer.ts'
import { type ItemStatus, messageItem, refusalPart, textPart } from './output-items.ts'

/** Writes the model's message: texts and refusals, one part open at a time. */
export class MessageWriter implements ItemWriter {
  readonly kind = 'message'
  readonly #events: EventWriter
  readonly #place: ItemPlace
  readonly #parts: Fields[] = []
  #open: 'text' | 'refusal' | undefined
  #said = ''
  #annotations: unknown[] = []
  #logprobs: unknown[] = []

  constructor(events: EventWriter, place: ItemPlace) {
    this.#events = events
    this.#place = place
  }

  open(): string {
    return itemAdded(this.#events, this.#place, messageItem(this.#place.item_id, [], 'in_progress'))
  }

  text(text: string, logprobs: readonly unknown[]): string {
    let frames = this.#part('text')
    this.#said += text
    for (const entry of logprobs) this.#logprobs.push(entry)
    for (const [index, delta] of pieces(text).entries()) {
      frames += this.#event('response.output_text.delta', { delta, logprobs: index === 0 ? logprobs : [] })
    }
    return frames
  }

  refusal(text: string): string {
    let frames = this.#part('refusal')
    this.#said += text
    for (const delta of pieces(text)) frames += this.#event('response.refusal.delta', { delta })
    return frames
  }

  annotations(annotations: readonly unknown[]): string {
    let frames = this.#part('text')
    for (const annotation of annotations) {
      const index = this.#annotations.push(annotation) - 1
      frames += this.#event('response.output_text.annotation.added', { annotation_index: index, annotation })
    }
    return frames
  }

  close(status: ItemStatus): string {
    return this.#closePart() + itemDone(this.#events, this.#place, this.item(status))
  }

  item(status: ItemStatus): Fields {
    return messageItem(this.#place.item_id, this.#parts, status)
  }

  /** Opens a part of that kind unless it is open already. */
  #part(kind: 'text' | 'refusal'): string {
    if (this.#open === kind) return ''
    const closed = this.#closePart()
    this.#open = kind
    return closed + this.#event('response.content_part.added', { part: this.#current(kind) })
  }

  #closePart(): string {
    const kind = this.#open
    if (kind === undefined) return ''
    const part = this.#current(kind)
    const done =
      kind === 'text'
        ? this.#event('response.output_text.done', { text: this.#said, logprobs: this.#logprobs })
        : this.#event('response.refusal.done', { refusal: this.#said })
    const frames = done + this.#event('response.content_part.done', { part })
    this.#parts.push(part)
    this.#open = undefined
    this.#said = ''
    this.#annotations = []
    this.#logprobs = []
    return frames
  }

  #current(kind: 'text' | 'refusal'): Fields {
    return kind === 'text' ? textPart(this.#said, this.#annotations, this.#logprobs) : refusalPart(this.#said)
  }

  #event(type: string, fields: Fields): string {
    return this.#events.event(type, { ...this.#place, content_index: this.#parts.length, ...fields })
  }
}

import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { EventSink } from '../../shared/frame.ts'

/** Numbers events, and names them by their types. */
export class NumberedEvents {
  readonly #out: EventSink
  #next = 0

  constructor(out: EventSink) {
    this.#out = out
  }

  /** One event of that type. */
  event(type: string, fields: Fields): void {
    this.#out.event(type, JSON.stringify({ type, sequence_number: this.#next++, ...fields }))
  }
}

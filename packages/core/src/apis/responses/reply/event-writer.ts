import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { eventFrame, lineJson } from '../../reply/sse.ts'

/** Writes events under their names and numbers them. */
export class EventWriter {
  #next = 0

  /** One event of that type. */
  event(type: string, fields: Fields): string {
    return eventFrame(type, lineJson({ type, sequence_number: this.#next++, ...fields }))
  }
}

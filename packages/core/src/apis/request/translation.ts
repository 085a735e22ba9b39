import { HttpError } from '../shared/http-error.ts'
import { DroppedFields } from './dropped-fields.ts'

/** The result of translating a request into another API: nothing is dropped silently. */
export class Translation extends DroppedFields {
  #refused: HttpError | undefined

  /** Why the request cannot be translated, by the first such field. */
  get refused(): HttpError | undefined {
    return this.#refused
  }

  /**
   * Translates one part; a failure excludes upstreams of another API, but the request can still be
   * read.
   */
  attempt<Read, Fallback>(read: () => Read, fallback: Fallback): Read | Fallback {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      this.#refused ??= error
      return fallback
    }
  }
}

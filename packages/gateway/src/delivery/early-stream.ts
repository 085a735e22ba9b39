import { heartbeatFrame } from '@stickler/core/internal'
import { openSse, type SseWriter } from '../front/replies/sse-writer.ts'
import type { ModelRequest } from '../requests/model-request.ts'

/**
 * The stream of a request that is still being prepared: opened when that takes long, so that the
 * client gets a keep-alive.
 */
export class EarlyStream {
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  #opened: SseWriter | undefined

  constructor({ caller, api, sent, settings }: ModelRequest) {
    if (!sent.stream) return
    const { heartbeatMs } = settings
    const { heartbeat = heartbeatFrame } = api
    this.#timer = setTimeout(() => {
      this.#opened = openSse(caller, { heartbeatMs, heartbeat: () => heartbeat })
      void this.#opened.write(heartbeat)
    }, heartbeatMs)
    this.#timer.unref()
  }

  /** Ends the wait; returns the stream if it was opened. */
  take(): SseWriter | undefined {
    clearTimeout(this.#timer)
    return this.#opened
  }
}

import { constants } from 'node:http2'
import { Metadata, type ServerWritableStream } from '@grpc/grpc-js'
import type { Clock, StopSignal } from '@stickler/core'
import { streamOf } from '@stickler/node/internal/grpc'
import { assistanceService, type WireAnswer } from '@stickler/presets/internal'
import type { MessageSink } from './text-messages.ts'

/** What a sink of messages works with. */
interface CallSinkPorts {
  readonly clock: Clock
  readonly requestId: string
  /** Fires when the client disconnects, or the gateway shuts down. */
  readonly signal: StopSignal
  /** Milliseconds for which a client may leave messages unread. */
  readonly writeIdleMs: number
}

/** Sends messages to the client of a call, no faster than it reads them. */
export class CallSink implements MessageSink {
  readonly #call: ServerWritableStream<unknown, WireAnswer>
  readonly #ports: CallSinkPorts
  #hasBegun = false

  constructor(call: ServerWritableStream<unknown, WireAnswer>, ports: CallSinkPorts) {
    this.#call = call
    this.#ports = ports
  }

  send(text: string): Promise<void> | undefined {
    if (this.#ports.signal.aborted || this.#write(assistanceService.part(text))) return undefined
    return this.#until('drain')
  }

  /** Sends the last message; resolves to whether it was sent. */
  async end(last: WireAnswer): Promise<boolean> {
    if (this.#ports.signal.aborted) return false
    this.#write(last)
    const finished = this.#until('finish')
    this.#call.end()
    await finished
    return this.#call.writableFinished
  }

  /**
   * Headers are sent with the first message: clients that retry by themselves do so only when there
   * were none.
   */
  #write(message: WireAnswer): boolean {
    if (!this.#hasBegun) this.#call.sendMetadata(requestIdMetadata(this.#ports.requestId))
    this.#hasBegun = true
    return this.#call.write(message)
  }

  /**
   * Waits for an event of the call, unless the client disconnects; a client that does not read is
   * cut off.
   */
  #until(event: 'drain' | 'finish'): Promise<void> {
    const { clock, signal, writeIdleMs } = this.#ports
    const call = this.#call
    return new Promise((resolve) => {
      const goOn = (): void => {
        cancel()
        call.off(event, goOn)
        signal.removeEventListener('abort', goOn)
        resolve()
      }
      // A status would be queued after the unread messages.
      const cancel = clock.after(writeIdleMs, () => streamOf(call)?.close(constants.NGHTTP2_CANCEL))
      call.on(event, goOn)
      signal.addEventListener('abort', goOn)
    })
  }
}

/** Metadata that names a request. */
export function requestIdMetadata(requestId: string, metadata = new Metadata()): Metadata {
  metadata.set('x-request-id', requestId)
  return metadata
}

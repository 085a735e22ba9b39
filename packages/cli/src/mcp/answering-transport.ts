import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** What a connection over standard streams is made of. */
interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal: AbortSignal
  readonly maxBufferSize: number
  /** How long calls may take after the end of the input. */
  readonly lastCallsMs: number
  /** Called when nothing more is read or written. */
  readonly closed: () => void
}

/** A connection over standard streams that answers all that it has read before it closes: piped input ends at once. */
export class AnsweringTransport extends StdioServerTransport {
  readonly #streams: Streams
  readonly #pending = new Set<unknown>()
  #closing: Promise<void> | undefined
  #wake = (): void => {}

  constructor(streams: Streams) {
    super(streams.stdin, streams.stdout, { maxBufferSize: streams.maxBufferSize })
    this.#streams = streams
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage
    this.onmessage = (message) => {
      this.#read(message)
      deliver?.(message)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (!('method' in message)) this.#settle(message.id)
    }
  }

  override close(): Promise<void> {
    this.#closing ??= this.#lastCalls()
      .then(() => super.close())
      .finally(this.#streams.closed)
    return this.#closing
  }

  /** Waits for the calls that were read, unless the client or this process is gone. */
  async #lastCalls(): Promise<void> {
    const { stdin, signal, lastCallsMs } = this.#streams
    if (!stdin.readableEnded || this.#pending.size === 0 || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lastCallsMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', this.#wake, { once: true })
    })
  }

  #read(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    // A subscription is answered only when it ends.
    if ('id' in message) {
      if (message.method !== 'subscriptions/listen') this.#pending.add(message.id)
    } else if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId)
  }

  #settle(id: unknown): void {
    if (this.#pending.delete(id) && this.#pending.size === 0) this.#wake()
  }
}

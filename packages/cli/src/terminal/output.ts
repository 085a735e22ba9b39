import { once } from 'node:events'
import { UsageError } from '../errors.ts'
import { whyNot } from '../files/why-not.ts'
import type { OutputStream } from '../io.ts'

/** Thrown when the output is closed; the command exits silently. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** A stream that waits for slow readers and notices when they close it. */
export class Output {
  readonly #stream: OutputStream
  readonly #closing = new AbortController()

  constructor(stream: OutputStream) {
    this.#stream = stream
    // Without a listener, a closed pipe would crash the process.
    stream.on('error', (error: NodeJS.ErrnoException) =>
      this.#closing.abort(
        error.code === 'EPIPE' ? new OutputClosed('the output was closed') : new UsageError(`cannot write: ${whyNot(error)}`),
      ),
    )
    stream.on('close', () => this.#closing.abort(new OutputClosed('the output was closed')))
  }

  /** Fires when the stream accepts no more data. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true
  }

  get columns(): number {
    // A terminal of unknown width reports 0.
    return this.#stream.columns || 80
  }

  /** Writes, and waits until there is room for more; throws when the stream is closed. */
  async write(text: string): Promise<void> {
    this.closed.throwIfAborted()
    if (text === '' || this.#stream.write(text)) return
    try {
      await once(this.#stream, 'drain', { signal: this.closed })
    } catch {
      this.closed.throwIfAborted()
    }
  }

  /** Writes without waiting, for short messages. */
  say(text: string): void {
    if (!this.closed.aborted) this.#stream.write(text)
  }

  /** Waits until everything is written. */
  async flush(): Promise<void> {
    if (this.closed.aborted) return
    await new Promise<void>((resolve) => {
      this.closed.addEventListener('abort', () => resolve(), { once: true })
      this.#stream.write('', () => resolve())
    })
    this.closed.throwIfAborted()
  }
}

import { Deferred } from '../engine/waiting/deferred.ts'
import type { EventWriter } from '../relay/stream/stream-reply.ts'

/** Characters that may wait for the reader before the model has to. */
const mostWaiting = 16_384

const utf8 = new TextEncoder()

/** The body of a streamed response: written as it is read, and never ended normally after a failure. */
export class ResponseStream implements EventWriter {
  readonly body: ReadableStream<Uint8Array>
  closed = false
  #waiting = ''
  #isEnded = false
  /** What broke the stream, if anything did. */
  #failure: { readonly reason: unknown } | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Answers a reader that waits for more. */
  #onMore: (() => void) | undefined
  /** Answers a writer that waits for the reader. */
  #onRead: Deferred<void> | undefined

  /** `onCancel` is called when the reader wants no more. */
  constructor(onCancel: (reason: unknown) => void) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () =>
          new Promise<void>((resolve) => {
            this.#onMore = resolve
            this.#give()
          }),
        cancel: (reason: unknown) => {
          this.#close()
          onCancel(reason)
        },
      },
      { highWaterMark: 0 },
    )
  }

  write(frames: string): Promise<void> | undefined {
    if (this.closed) return undefined
    this.#waiting += frames
    this.#give()
    if (this.#waiting.length <= mostWaiting) return undefined
    this.#onRead ??= new Deferred()
    return Promise.resolve(this.#onRead)
  }

  /** Ends the stream when all of it was read: an error before that would take the rest away. */
  end(): void {
    this.#isEnded = true
    this.#give()
  }

  lastWords(): void {}

  broken(reason: unknown): void {
    this.#failure ??= { reason }
  }

  /** Breaks the stream at once. */
  abort(reason: unknown): void {
    if (this.closed) return
    this.#controller?.error(reason)
    this.#close()
  }

  /** Gives a reader that waits what there is, and after all of it the end. */
  #give(): void {
    if (this.#onMore === undefined || this.closed) return
    if (this.#waiting !== '') {
      const frames = this.#waiting
      this.#waiting = ''
      this.#controller?.enqueue(utf8.encode(frames))
      this.#answer()
    } else if (this.#isEnded) {
      if (this.#failure === undefined) this.#controller?.close()
      else this.#controller?.error(this.#failure.reason)
      this.#close()
    }
  }

  #close(): void {
    this.closed = true
    this.#waiting = ''
    this.#answer()
  }

  #answer(): void {
    const onMore = this.#onMore
    const onRead = this.#onRead
    this.#onMore = undefined
    this.#onRead = undefined
    onMore?.()
    onRead?.resolve()
  }
}

import type { Clock } from '@stickler/core'
import { wholeEnd } from '@stickler/core/internal'

/** How text is batched into messages. */
export interface CoalesceLimits {
  /** Milliseconds that text waits for more at most. */
  readonly ms: number
  /** Characters that are sent at once. */
  readonly characters: number
}

/** Each message costs far more than its text, and nobody notices a fiftieth of a second. */
const usualCoalescing: CoalesceLimits = { ms: 20, characters: 2048 }

/** Characters of one message at most, so that clients with small limits can read it. */
const longestMessage = 64 * 1024

/** Where messages go. */
export interface MessageSink {
  /**
   * Sends a text; a promise means that the client is slow, and settles when it has caught up or
   * disconnected.
   */
  send(text: string): Promise<void> | undefined
}

/** Batches pieces of text into few messages; the first one never waits. */
export class TextMessages {
  readonly #sink: MessageSink
  readonly #clock: Clock
  readonly #limits: CoalesceLimits
  #pending = ''
  #isFirst = true
  #waiting: Promise<void> | undefined
  #cancel: (() => void) | undefined

  constructor(sink: MessageSink, clock: Clock, limits = usualCoalescing) {
    this.#sink = sink
    this.#clock = clock
    this.#limits = limits
  }

  /**
   * Takes a piece; a promise means that the client is slow, and no more should be sent before it
   * settles.
   */
  add(piece: string): Promise<void> | undefined {
    this.#pending += piece
    // Text that arrives while the client is slow waits for it.
    if (this.#waiting !== undefined || this.#pending === '') return this.#waiting
    if (this.#isFirst || this.#pending.length >= this.#limits.characters) return this.#send()
    this.#cancel ??= this.#clock.after(this.#limits.ms, () => {
      this.#cancel = undefined
      void this.#send()
    })
    return undefined
  }

  /** Sends what is left. */
  async end(): Promise<void> {
    while (this.#waiting !== undefined) await this.#waiting
    await this.#send(true)
    while (this.#waiting !== undefined) await this.#waiting
  }

  /** Discards what is left. */
  drop(): void {
    this.#pending = ''
    this.#cancel?.()
    this.#cancel = undefined
  }

  #send(isEnd = false): Promise<void> | undefined {
    const text = this.#take(isEnd)
    this.#cancel?.()
    this.#cancel = undefined
    if (text === '') return undefined
    this.#isFirst = false
    let slow: Promise<void> | undefined
    for (let start = 0; start < text.length; ) {
      const end = start + longestMessage < text.length ? wholeEnd(text, start + longestMessage) : text.length
      slow = this.#sink.send(text.slice(start, end)) ?? slow
      start = end
    }
    if (slow === undefined) return undefined
    this.#waiting = slow.then(() => {
      this.#waiting = undefined
      return this.#send()
    })
    return this.#waiting
  }

  /** Half of a surrogate pair waits for its other half. */
  #take(isEnd: boolean): string {
    const end = isEnd ? this.#pending.length : wholeEnd(this.#pending, this.#pending.length)
    const text = this.#pending.slice(0, end)
    this.#pending = this.#pending.slice(end)
    return text
  }
}

import { asRunnerFailure } from '@stickler/core/runners'
import type { ChoiceEvent } from '@stickler/core/wire'
import type { ChoiceEvents } from '../upstream.ts'

/** Takes an event for the choice with that number. */
export type Push = (lane: number, event: ChoiceEvent) => void

/** Where the events of all choices come from. */
export interface LaneSource {
  /** Reads and pushes events, at least one at a time; false at the end. */
  pull(push: Push): Promise<boolean>
  /** Nobody wants more. */
  cancel(): void
}

/**
 * Shares one source among the choices of a call: a reader without events pulls for all. The queues
 * cannot exceed the whole response, which is limited; adjacent texts become one event with several
 * parts.
 */
export class Lanes {
  readonly choices: readonly ChoiceEvents[]
  readonly #lanes: Lane[]
  readonly #source: LaneSource
  #pulling: Promise<void> | undefined
  #failure: Error | undefined
  #isOver = false

  constructor(count: number, source: LaneSource) {
    this.#source = source
    this.#lanes = []
    for (let index = 0; index < count; index++) this.#lanes.push(new Lane(this))
    this.choices = this.#lanes
  }

  /** Waits until something has arrived for any choice. */
  pull(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.reject(new Error('the source ended before the choice did'))
    this.#pulling ??= this.#pull()
    return this.#pulling
  }

  /** Called when a choice wants no more. */
  left(): void {
    if (this.#isOver || this.#lanes.some(({ isClosed }) => !isClosed)) return
    this.#isOver = true
    this.#source.cancel()
  }

  readonly #push = (index: number, event: ChoiceEvent): void => this.#lanes[index]?.push(event)

  async #pull(): Promise<void> {
    try {
      const goesOn = await this.#source.pull(this.#push)
      if (!goesOn) this.#isOver = true
    } catch (thrown) {
      this.#failure = asRunnerFailure(thrown)
      throw this.#failure
    } finally {
      this.#pulling = undefined
    }
  }
}

class Lane implements AsyncIterableIterator<ChoiceEvent>, ChoiceEvents {
  readonly #lanes: Lanes
  #queue: ChoiceEvent[] = []
  #waitingText: string[] = []
  isClosed = false

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  push(event: ChoiceEvent): void {
    if (this.isClosed) return
    if (event.type === 'text') {
      this.#waitingText.push(event.text)
      return
    }
    this.#flush()
    this.#queue.push(event)
  }

  async next(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    while (!this.isClosed) {
      if (this.#queue.length === 0) this.#flush()
      const event = this.#queue.shift()
      if (event === undefined) {
        await this.#wait()
        continue
      }
      if (event.type === 'end') this.#close()
      return { done: false, value: event }
    }
    return { done: true, value: undefined }
  }

  async whole(take: (event: ChoiceEvent) => void): Promise<void> {
    while (!this.isClosed) {
      if (this.#queue.length === 0) this.#flush()
      if (this.#queue.length === 0) await this.#wait()
      for (const event of this.#queue.splice(0)) {
        if (event.type === 'end') this.#close()
        take(event)
      }
    }
  }

  async return(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    this.#close()
    return { done: true, value: undefined }
  }

  async #wait(): Promise<void> {
    try {
      await this.#lanes.pull()
    } catch (thrown) {
      // The reader has left; no reason is needed.
      if (!this.isClosed) throw thrown
    }
  }

  #flush(): void {
    const parts = this.#waitingText
    if (parts.length === 0) return
    this.#waitingText = []
    this.#queue.push(parts.length === 1 ? { type: 'text', text: parts[0] ?? '' } : { type: 'text', text: parts.join(''), parts })
  }

  #close(): void {
    this.isClosed = true
    this.#queue = []
    this.#waitingText = []
    this.#lanes.left()
  }
}

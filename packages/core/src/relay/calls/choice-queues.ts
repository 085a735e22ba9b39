import type { ChoiceEvent } from '../../apis/shared/choice-event.ts'
import type { EventIterator } from '../../engine/runner.ts'
import type { RunnerFailure } from '../../engine/runner-failure.ts'
import { Deferred } from '../../engine/waiting/deferred.ts'
import type { ChoiceEvents } from './upstream-call.ts'

/** The source of the events of all choices. */
export interface EventSource {
  /** A reader waits for events: reads on, unless it is reading already. */
  pull(): void
  /** No reader wants more. */
  cancel(): void
}

/** Takes the events of all choices. */
export interface EventSink {
  readonly choices: readonly ChoiceEvents[]
  /** Takes an event for the choice with that number. */
  push(choice: number, event: ChoiceEvent): void
  /** Delivers the collected events; true if a reader still waits for more. */
  deliver(isComplete: boolean): boolean
  /** No more events follow. */
  fail(failure: RunnerFailure): void
}

type Result = IteratorResult<ChoiceEvent, undefined>

const over: Result = { done: true, value: undefined }

/**
 * Shares one source among the choices of a call: a reader without events pulls for all. The queues
 * cannot exceed the whole response, which is limited; adjacent texts become one event with several
 * parts.
 */
export class ChoiceQueues implements EventSink {
  readonly choices: readonly ChoiceEvents[]
  readonly #queues: ChoiceQueue[] = []
  readonly #source: EventSource
  #failure: Error | undefined
  #isComplete = false

  constructor(count: number, source: EventSource) {
    this.#source = source
    for (let index = 0; index < count; index++) this.#queues.push(new ChoiceQueue(this))
    this.choices = this.#queues
  }

  push(choice: number, event: ChoiceEvent): void {
    this.#queues[choice]?.push(event)
  }

  deliver(isComplete: boolean): boolean {
    this.#isComplete = isComplete
    let isAwaited = false
    for (const queue of this.#queues) isAwaited = queue.deliver() || isAwaited
    if (!isComplete || !isAwaited) return isAwaited
    this.#give(new Error('the source ended before the choice did'))
    return false
  }

  fail(failure: RunnerFailure): void {
    this.#give(failure)
  }

  /** Called by a queue that is empty. */
  pull(): void {
    if (this.#failure !== undefined) this.#give(this.#failure)
    else if (this.#isComplete) this.#give(new Error('the source ended before the choice did'))
    else this.#source.pull()
  }

  /** Called when the reader of a choice stops. */
  left(): void {
    if (this.#isComplete || this.#failure !== undefined || this.#queues.some(({ isClosed }) => !isClosed)) return
    this.#isComplete = true
    this.#source.cancel()
  }

  #give(failure: Error): void {
    this.#failure = failure
    for (const queue of this.#queues) queue.fail(failure)
  }
}

class ChoiceQueue implements EventIterator<ChoiceEvent>, ChoiceEvents {
  isClosed = false
  readonly #all: ChoiceQueues
  #events: ChoiceEvent[] = []
  #texts: string[] = []
  /** Call the waiting reader. */
  #take: ((result: Result) => void) | undefined
  #fail: ((failure: Error) => void) | undefined
  /** Whether it is being called now: events that it asks for meanwhile are delivered afterwards, so that the stack stays short. */
  #isGiving = false

  constructor(all: ChoiceQueues) {
    this.#all = all
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  push(event: ChoiceEvent): void {
    if (this.isClosed) return
    if (event.type === 'text') {
      this.#texts.push(event.text)
      return
    }
    this.#joinTexts()
    this.#events.push(event)
  }

  next(): Promise<Result> {
    return new Promise((resolve, reject) => this.nextInto(resolve, reject))
  }

  nextInto(take: (result: Result) => void, fail: (failure: Error) => void): void {
    this.#take = take
    this.#fail = fail
    if (!this.#isGiving && this.deliver()) this.#all.pull()
  }

  async return(): Promise<Result> {
    // Leaving aborts the call; a reader that still waits must not get that as a failure.
    const take = this.#take
    this.#take = undefined
    this.#close()
    take?.(over)
    return over
  }

  /** Delivers its events to a waiting reader; true if it still waits. */
  deliver(): boolean {
    this.#isGiving = true
    try {
      for (let take = this.#take; take !== undefined; take = this.#take) {
        const result = this.#shift()
        if (result === undefined) break
        this.#take = undefined
        take(result)
      }
    } finally {
      this.#isGiving = false
    }
    return this.#take !== undefined
  }

  fail(failure: Error): void {
    const isAwaited = this.#take !== undefined
    this.#take = undefined
    if (isAwaited) this.#fail?.(failure)
  }

  #shift(): Result | undefined {
    if (this.isClosed) return over
    if (this.#events.length === 0) this.#joinTexts()
    const event = this.#events.shift()
    if (event === undefined) return undefined
    if (event.type === 'end') this.#close()
    return { done: false, value: event }
  }

  #joinTexts(): void {
    const parts = this.#texts
    if (parts.length === 0) return
    this.#texts = []
    this.#events.push(parts.length === 1 ? { type: 'text', text: parts[0] ?? '' } : { type: 'text', text: parts.join(''), parts })
  }

  #close(): void {
    this.isClosed = true
    this.#events = []
    this.#texts = []
    this.#all.left()
  }
}

/** The only choice of a whole answer: its events are delivered as they arrive. */
export class WholeChoice implements EventSink, ChoiceEvents {
  readonly choices: readonly ChoiceEvents[] = [this]
  readonly #source: EventSource
  readonly #all = new Deferred<void>()
  #take: (event: ChoiceEvent) => void = () => {}

  constructor(source: EventSource) {
    this.#source = source
  }

  push(_choice: number, event: ChoiceEvent): void {
    this.#take(event)
  }

  deliver(isComplete: boolean): boolean {
    if (isComplete) this.#all.resolve()
    return !isComplete
  }

  fail(failure: RunnerFailure): void {
    this.#all.reject(failure)
  }

  whole(take: (event: ChoiceEvent) => void): Deferred<void> {
    this.#take = take
    this.#source.pull()
    return this.#all
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChoiceEvent> {
    const events: ChoiceEvent[] = []
    await this.whole((event) => events.push(event))
    yield* events
  }
}

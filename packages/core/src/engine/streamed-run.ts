import { failedOutcome } from './build-outcome.ts'
import { StreamedSteps } from './loop.ts'
import type { Outcome } from './outcome.ts'
import { type Batches, bytesOfText } from './results/bytes-of-text.ts'
import type { EnforcedStream, PartialValue } from './results/enforced-stream.ts'
import { type ResponseOptions, responseOf } from './results/stream-response.ts'
import type { RunState } from './run-state.ts'
import { asRunnerFailure, RunnerFailure } from './runner-failure.ts'

/** The newest value of a run: a slow reader misses intermediate values, but never the last one. */
class PartialChannel {
  /** Grows with every change. */
  version = 0
  #take: () => PartialValue | undefined = () => undefined
  #waiting: (() => void)[] = []

  /** The newest value, made when it is asked for. */
  get latest(): PartialValue | undefined {
    return this.#take()
  }

  /** Notes that there is a newer value. */
  set(take: () => PartialValue | undefined): void {
    this.version++
    this.#take = take
    this.wake()
  }

  /** Ends the wait of all readers. */
  wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /** Waits for a newer value, or the end. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}

type Step = IteratorResult<readonly string[], undefined>

/** A run whose text is read as it becomes safe. */
export class StreamedRun implements EnforcedStream {
  readonly #run: RunState
  readonly #steps: StreamedSteps
  readonly #ended: Promise<Outcome>
  readonly #onEnd: (outcome: Outcome) => Outcome
  #settle = (_outcome: Outcome): void => {}
  #isOver = false
  #isRead = false
  /** What arrived without a reader: at most the answer, which the run keeps as well. */
  readonly #unread: (readonly string[])[] = []
  /** The step that is taken without a reader. */
  #driven: Promise<void> | undefined
  #crash: { readonly error: unknown } | undefined
  #values: PartialChannel | undefined

  constructor(run: RunState, onEnd: (outcome: Outcome) => Outcome) {
    const { mode, stream } = run.contract.policy
    this.#run = run
    this.#onEnd = onEnd
    this.#steps = new StreamedSteps(run, mode === 'shadow' ? 'pass' : stream)
    this.#ended = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  get outcome(): Promise<Outcome> {
    // Deferred, since a reader may subscribe right after.
    queueMicrotask(() => void this.#drive())
    return this.#ended
  }

  get partials(): AsyncIterable<PartialValue> {
    return { [Symbol.asyncIterator]: () => this.#readValues() }
  }

  batches(): AsyncIterable<readonly string[]> {
    return { [Symbol.asyncIterator]: () => this.#read() }
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return oneByOne(this.#read())
  }

  toReadableStream(): ReadableStream<Uint8Array> {
    return bytesOfText({ batches: this.#read(), outcome: () => this.#ended })
  }

  async toResponse(options?: ResponseOptions): Promise<Response> {
    return await responseOf({ batches: this.#read(), outcome: () => this.#ended }, options)
  }

  /** `new Response(stream)` asks a body for this in Node: it would end a cut text like a whole one. */
  get locked(): never {
    throw notBody()
  }

  /** Elsewhere it makes a string of it. */
  toString(): never {
    throw notBody()
  }

  #read(): Batches {
    if (this.#isRead)
      throw new TypeError('the text of this stream is already being read; it can be read only once, and `outcome` has the whole text')
    this.#isRead = true
    // By hand and not with `yield*`: another generator around every piece would cost more than the checks.
    return { next: () => this.#next(), return: () => this.#leave() }
  }

  #next(): Promise<Step> {
    if (this.#driven !== undefined) return this.#driven.then(() => this.#next())
    const unread = this.#unread.shift()
    if (unread !== undefined) return Promise.resolve({ done: false, value: unread })
    if (this.#crash !== undefined) return this.#throwCrash(this.#crash)
    return this.#steps.next().then(this.#onStep, this.#onError)
  }

  #readValues(): AsyncIterator<PartialValue, undefined> {
    this.#values ??= this.#watchValues()
    const values = this.#values
    let seen = 0
    const next = async (): Promise<IteratorResult<PartialValue, undefined>> => {
      for (;;) {
        const isNew = values.version > seen
        seen = values.version
        const value = isNew ? values.latest : undefined
        if (value !== undefined) return { done: false, value }
        if (this.#isOver && !isNew) return { done: true, value: undefined }
        if (isNew) continue
        const changed = values.changed()
        // The reader of the text sets the pace, where there is one.
        if (!this.#isRead) void this.#driveOnce().then(() => values.wake())
        await changed
      }
    }
    const leave = async (): Promise<IteratorReturnResult<undefined>> => (this.#isRead ? { done: true, value: undefined } : this.#leave())
    return { next, return: leave }
  }

  #watchValues(): PartialChannel {
    const values = new PartialChannel()
    const publish: RunState['onValue'] = (attempt, take) =>
      values.set(() => {
        const value = take()
        return value === undefined ? undefined : { final: false, attempt, value }
      })
    this.#run.onValue = publish
    void this.#ended.then((outcome) => noteFinal(values, outcome))
    return values
  }

  #throwCrash({ error }: { readonly error: unknown }): Promise<never> {
    this.#crash = undefined
    return Promise.reject(error)
  }

  /** Made once and not for each step. */
  readonly #onStep = (step: IteratorResult<readonly string[], Outcome>): Step => (step.done ? this.#finish(step.value) : step)

  readonly #onError = (error: unknown): never => {
    this.#finish(failedOutcome(this.#run, asRunnerFailure(error)))
    throw error
  }

  /** Continues as long as there is no reader. */
  async #drive(): Promise<void> {
    while (!this.#isOver && !this.#isRead) await this.#driveOnce()
  }

  /** Takes one step without a reader, or waits for the current one. */
  async #driveOnce(): Promise<void> {
    if (this.#driven === undefined) {
      const taken = this.#steps.next().then(this.#onStep, this.#onError).then(this.#keep, this.#keepCrash)
      this.#driven = taken.then(() => {
        this.#driven = undefined
      })
    }
    await this.#driven
  }

  readonly #keep = (step: Step): void => {
    if (!step.done) this.#unread.push(step.value)
  }

  readonly #keepCrash = (error: unknown): void => {
    this.#crash = { error }
  }

  #finish(ended: Outcome): IteratorReturnResult<undefined> {
    this.#run.close()
    if (!this.#isOver) this.#settle(this.#onEnd(ended))
    this.#isOver = true
    return { done: true, value: undefined }
  }

  async #leave(): Promise<IteratorReturnResult<undefined>> {
    const left = failedOutcome(this.#run, new RunnerFailure('aborted', 'the stream was abandoned before its end'))
    // Ends the wait for a model that a step is stuck in.
    this.#run.close()
    await this.#steps.return(left)
    return this.#finish(left)
  }
}

function noteFinal(values: PartialChannel, outcome: Outcome): void {
  const { attempts: attempt, value, delivered } = outcome
  if (delivered && value !== undefined) values.set(() => ({ final: true, attempt, value }))
  else values.wake()
}

function notBody(): TypeError {
  return new TypeError('a stream of text is not a body: use toResponse() or toReadableStream(), which fail when the run does')
}

/** Reads texts one by one that came together. */
function oneByOne(batches: Batches): AsyncIterator<string, undefined> {
  let texts: readonly string[] = []
  let taken = 0
  const first = (step: IteratorResult<readonly string[], undefined>): IteratorResult<string, undefined> => {
    if (step.done) return step
    texts = step.value
    taken = 1
    return { done: false, value: texts[0] ?? '' }
  }
  return {
    next: () => {
      const text = texts[taken++]
      return text === undefined ? batches.next().then(first) : Promise.resolve({ done: false, value: text })
    },
    return: async () => {
      await batches.return?.()
      return { done: true, value: undefined }
    },
  }
}

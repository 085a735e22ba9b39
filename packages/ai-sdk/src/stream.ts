import { enforceStream, type Outcome, type TraceEvent } from '@stickler/core'
import { runVerdict, systemClock, type Terms, undeliveredBy } from '@stickler/core/internal'
import { AttemptParts } from './attempt-parts.ts'
import { reasoningSearch, shownMetadata } from './beside-text.ts'
import { finishWithCalls } from './finish.ts'
import type { Model, Params, Part, Streamed } from './model.ts'
import { ModelStreams } from './model-streams.ts'
import { PartWriter } from './part-writer.ts'
import { readRequest } from './request.ts'
import { Run } from './run.ts'
import { totalUsage } from './usage.ts'

/** `doStream` of a model whose answers keep the contract: text is passed on as soon as it is safe. */
export async function stream(model: Model, params: Params, terms: Terms): Promise<Streamed> {
  const source = new ModelStreams(model)
  const run = new Run(params, terms.options, () => new AttemptParts(), source.ask)
  const parts = new EnforcedParts(params, terms, run)
  source.pass = parts.write
  const head = await Promise.race([source.head, parts.first])
  // A call that could not be made is thrown, so that the SDK can repeat it.
  if ('done' in head) await parts.requireDelivery()
  return { ...('done' in head ? {} : head), stream: parts.readable(source.read) }
}

type Step = IteratorResult<readonly string[], unknown>

/** What is made of these streams: the parts that may be shown. */
class EnforcedParts {
  readonly #run: Run<AttemptParts>
  readonly #signal: AbortSignal | undefined
  readonly #batches: AsyncIterator<readonly string[], unknown>
  readonly #outcome: () => Promise<Outcome>
  /** The first step, which makes the first call. */
  readonly first: Promise<Step>
  #next: Promise<Step> | undefined
  #controller: ReadableStreamDefaultController<Part> | undefined
  #hasWritten = false
  #failed: { readonly error: unknown } | undefined
  /** Lengths of released texts, and of the model's text that they replace. */
  readonly #released: { readonly length: number; readonly raw: number }[] = []
  readonly #writer: PartWriter

  constructor(params: Params, terms: Terms, run: Run<AttemptParts>) {
    this.#run = run
    this.#signal = params.abortSignal
    const search = reasoningSearch(terms.contract)
    this.#writer = new PartWriter((part) => this.write(search(part)))
    const texts = enforceStream({ ...readRequest(params, terms), runner: run.runner, onEvent: this.#onEvent })
    this.#outcome = () => texts.outcome
    this.#batches = texts.batches()[Symbol.asyncIterator]()
    this.first = this.#batches.next()
    this.#next = this.first
    // It is awaited again when the parts are read.
    this.first.catch(() => {})
  }

  readonly #onEvent = (event: TraceEvent): void => {
    if (event.type === 'text-released') this.#released.push({ length: event.length, raw: event.edited?.raw ?? event.length })
    this.#run.onEvent(event)
  }

  /** Throws unless the run has something to deliver by now. */
  async requireDelivery(): Promise<void> {
    if (!(await this.first).done) return
    const outcome = await this.#outcome()
    if (!outcome.delivered) throw this.#errorOf(outcome)
  }

  /** The parts; the model is read only as fast as they are. */
  readable(onRead: () => void): ReadableStream<Part> {
    return new ReadableStream<Part>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: async () => {
          onRead()
          await this.#pull()
        },
        cancel: async () => {
          this.#controller = undefined
          onRead()
          await this.#batches.return?.()
        },
      },
      { highWaterMark: 0 },
    )
  }

  readonly write = (part: Part): void => {
    this.#hasWritten = true
    this.#controller?.enqueue(part)
  }

  async #pull(): Promise<void> {
    if (this.#failed) return await this.#breakOff(this.#failed.error)
    this.#hasWritten = false
    try {
      while (!this.#hasWritten) {
        const step = await (this.#next ?? this.#batches.next())
        this.#next = undefined
        if (step.done) return this.#finish(await this.#outcome())
        for (const text of step.value) this.#release(text)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #release(text: string): void {
    const { delivered, attempts, fellBack } = this.#run
    // A fallback has nothing of the rejected answer.
    const attempt = (fellBack ? undefined : (delivered ?? attempts.at(-1))) ?? new AttemptParts()
    this.#writer.text(attempt, text, attempt.hasEnded ? Number.POSITIVE_INFINITY : this.#rawLength())
  }

  /** How much of the model's text a released text replaces; texts that were taken out are counted with the next one. */
  #rawLength(): number {
    let raw = 0
    for (let next = this.#released.shift(); next; next = this.#released.shift()) {
      raw += next.raw
      if (next.length > 0) break
    }
    return raw
  }

  #finish(outcome: Outcome): void {
    if (!outcome.delivered) {
      this.#fail(this.#errorOf(outcome))
      return
    }
    const { delivered, attempts } = this.#run
    const attempt = delivered ?? new AttemptParts()
    const { finish, calls, raw } = attempt
    this.#writer.end(attempt, outcome.toolCalls)
    if (outcome.repairs.length === 0) for (const part of raw) this.write(part)
    const finishReason = delivered ? finish?.finishReason : { unified: 'stop', raw: undefined }
    this.write({
      ...finish,
      type: 'finish',
      finishReason: finishWithCalls(finishReason, calls.length === 0 && outcome.toolCalls.length > 0),
      usage: totalUsage(attempts.map(({ finish: end }) => end?.usage)),
      providerMetadata: { ...shownMetadata(finish?.providerMetadata, outcome), stickler: runVerdict(outcome) },
    })
    this.#controller?.close()
    this.#controller = undefined
  }

  #errorOf(outcome: Outcome): unknown {
    return undeliveredBy(outcome, this.#run.thrown, this.#signal)
  }

  /** A part alone would let the SDK end its stream as if it were whole; an error alone would reach no listener. */
  #fail(error: unknown): void {
    if (!this.#signal?.aborted) this.write({ type: 'error', error })
    else this.#controller?.error(error)
    this.#failed = { error }
  }

  async #breakOff(error: unknown): Promise<void> {
    // A tick later, since an error overtakes the parts that are on their way.
    await new Promise<void>((resolve) => systemClock.after(0, resolve))
    this.#controller?.error(error)
    this.#controller = undefined
  }
}

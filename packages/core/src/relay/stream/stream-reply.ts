import type { FinalChoice, StreamEncoder } from '../../apis/shared/api.ts'
import type { HttpError } from '../../apis/shared/http-error.ts'
import { Frames } from '../../apis/shared/sse-frames.ts'
import type { WireWriter } from '../../apis/shared/wire.ts'
import { enforceStream } from '../../engine/enforce.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { TraceEvent } from '../../engine/trace.ts'
import type { ArrivalListener } from '../attempts/attempt.ts'
import { isGuarded, type RelayedChoice, type RelayedRequest } from '../relayed-request.ts'
import { endedOutcome } from '../reply/ended-outcome.ts'
import { errorText } from '../reply/error-text.ts'
import { withListedRepairs } from '../reply/listed-repairs.ts'
import { type ReplyWords, replyWords } from '../reply/reply-messages.ts'
import { annotationsOf, failureOf, finalReply, openingHeaders, replyFrame, unwritten } from '../reply/reply-parts.ts'
import { StreamRelay } from './stream-relay.ts'

/** A stream of events that has been opened. */
export interface EventWriter {
  /** Sends whole frames; a promise means that the client is slow, and settles when it has caught up or disconnected. */
  write(frames: string): Promise<void> | undefined
  /** Ends the stream. */
  end(): void
  /** Ends an aborted stream with frames that report it; does nothing otherwise. */
  lastWords(frames: string): void
  /** Called when the stream has reported an error and ends with it, for hosts whose clients could take the end for a good one. */
  broken?(error: HttpError): void
  /** Whether nothing can be sent any more. */
  readonly closed: boolean
}

/** Where the stream of a reply goes. */
interface StreamHost {
  /** The stream, if it was opened before. */
  readonly opened?: EventWriter | undefined
  open(headers: Readonly<Record<string, string>>): EventWriter
  /** Calls `open` when nothing was sent for long; returns what cancels that. */
  onSilence?(open: () => void): () => void
}

/** Reports progress when a run retries. */
class ProgressTeller {
  readonly #words: Pick<ReplyWords, 'progress'>
  readonly #tell: (description: string, done: boolean) => void
  #most = 1
  #codes = ''
  #told = ''

  constructor(words: Pick<ReplyWords, 'progress'>, tell: (description: string, done: boolean) => void) {
    this.#words = words
    this.#tell = tell
  }

  /** Takes one event of the run. */
  listen(event: TraceEvent): void {
    if (event.type === 'run-started') this.#most = event.maxAttempts
    if (event.type === 'checked' || event.type === 'attempt-stopped') {
      const codes = event.issues.filter(({ severity }) => severity === 'error').map(({ code }) => code)
      this.#codes = [...new Set(codes)].slice(0, 3).join(', ')
    }
    if (event.type !== 'attempt-started' || event.attempt === 1) return
    this.#told = this.#words.progress(event.attempt, this.#most, this.#codes)
    this.#tell(this.#told, false)
  }

  /** Reports the end, if anything was reported. */
  finish(): void {
    if (this.#told !== '') this.#tell(this.#told, true)
  }
}

/** Streams a reply with text that is proven safe. */
export function streamReply(request: RelayedRequest, host: StreamHost): Promise<void> {
  return new ReplyStream(request, host).run()
}

/**
 * One stream: opened with its first text, so that earlier failures can still be reported by status.
 */
class ReplyStream {
  readonly #request: RelayedRequest
  readonly #host: StreamHost
  /** The frames of all events, those of providers and those that are made. */
  readonly #out = new Frames()
  readonly #encoder: StreamEncoder
  readonly #relay: StreamRelay
  readonly #progress: ProgressTeller | undefined
  readonly #endSilence: (() => void) | undefined
  #sse: EventWriter | undefined
  #begun = false

  constructor(request: RelayedRequest, host: StreamHost) {
    const { client, api, sent, target } = request
    this.#request = request
    this.#host = host
    this.#sse = host.opened
    this.#encoder = api.encoder(sent, this.#out)
    // Not every API can show progress.
    const showsProgress = client.wantsProgress && this.#encoder.progress !== undefined
    this.#progress = showsProgress
      ? new ProgressTeller(replyWords[target.contract.policy.locale], (words, done) => this.#tell(words, done))
      : undefined
    // Nothing can be rejected once everything is shown at once.
    const isUnjudged = !isGuarded(target)
    // Calls can still be repaired where text is shown at once.
    const isEager = isUnjudged || target.contract.policy.stream === 'pass'
    this.#relay = new StreamRelay(request, { isLive: isUnjudged, isEager, out: this.#out, encoder: () => this.#begin() })
    const onEvents = (): void => void this.#live()
    if (isUnjudged) request.onEvents = onEvents
    const onEvent = (event: TraceEvent): void => {
      this.#turn(event)
      this.#progress?.listen(event)
    }
    const onArrival = (index: number): ArrivalListener => {
      return (event) => {
        if (this.#relay.take(request.choices[index] as RelayedChoice, event)) void this.#send()
      }
    }
    request.open({ onArrival, onEvent })
    this.#endSilence = host.onSilence?.(() => this.#open())
  }

  async run(): Promise<void> {
    try {
      const request = this.#request
      const { choices } = request
      let outcomes: readonly Outcome[] = await Promise.all(choices.map((choice) => this.#pump(choice)))
      const { signal } = request.caller
      // A stream that was cut off may lack text, however its run ended.
      let error = failureOf(request, outcomes) ?? request.cutOff()
      let last: readonly string[] = []
      if (error === undefined && !signal.aborted) {
        // Before the record, which says what is really sent.
        try {
          this.#progress?.finish()
          last = await this.#ending(outcomes)
        } catch (thrown) {
          // Nothing more of it reaches the client.
          this.#out.take()
          ;({ outcomes, error } = unwritten(request, outcomes, thrown))
        }
      }
      const bad = choices[outcomes.findIndex(({ delivered }) => !delivered)]
      const isToldInStream = this.#sse !== undefined || this.#isInWords || this.#relay.hasFailedResponse(bad)
      const unkept = await request.keep(outcomes, error !== undefined && !isToldInStream ? error.status : 200, error)
      request.tell()
      if (signal.aborted && request.cutOff() === undefined) return
      const failure = error ?? unkept
      if (failure === undefined) await this.#showAll(last)
      else await this.#fail(failure, outcomes, error === undefined ? undefined : bad)
    } finally {
      this.#endSilence?.()
      this.#sse?.end()
    }
  }

  async #pump(choice: RelayedChoice): Promise<Outcome> {
    if (choice.ended !== undefined) return endedOutcome(choice.options, choice.ended)
    const stream = enforceStream(choice.options)
    for await (const texts of stream.batches()) {
      const prepared = this.#relay.prepare(choice)
      if (prepared !== undefined) await prepared
      this.#relay.release(choice, texts)
      const slow = this.#send()
      if (slow !== undefined) await slow
    }
    return withListedRepairs(await stream.outcome)
  }

  /** Writes frames that are ready; others have their turn after many of them. */
  async #showAll(ready: readonly string[]): Promise<void> {
    for (const frames of ready) {
      await this.#send(frames)
      if (frames.length > manyFrames) await this.#request.pause()
    }
  }

  /** The last frames of an answer that is delivered. */
  async #ending(outcomes: readonly Outcome[]): Promise<readonly string[]> {
    const written: string[] = []
    if (outcomes.some(({ fallback }) => fallback)) return [await this.#inWords(outcomes, fallbackOf), this.#out.take()]
    for await (const frames of this.#ends(this.#request.choices, outcomes)) written.push(frames)
    const { wire } = this.#relay
    this.#sources()
    if (wire === undefined) this.#begin().finish(finalReply(this.#request, outcomes))
    else if (wire.last !== undefined) this.#out.event('', wire.last)
    return [...written, this.#out.take()]
  }

  #ends(choices: readonly RelayedChoice[], outcomes: readonly Outcome[]): AsyncGenerator<string, void> {
    return this.#relay.finish(choices, outcomes, ({ index }, writer) => this.#annotations(index, outcomes, writer))
  }

  /** Valid citations. */
  #annotations(index: number, outcomes: readonly Outcome[], writer: WireWriter | undefined): void {
    const { declared } = this.#request.target.contract
    const sources = this.#request.choices[index]?.options.context?.sources
    const annotations = annotationsOf(outcomes[index] as Outcome, declared, sources)
    if (annotations.length === 0) return
    if (writer?.annotations === undefined) this.#begin().fields(index, { annotations })
    else writer.annotations(annotations)
  }

  /** The retrieved passages, for clients that show them. */
  #sources(): void {
    const { pipeline, client } = this.#request
    if (pipeline !== undefined && client.wantsProgress) this.#encoder.sources?.(pipeline.verdict.sources)
  }

  /** Whether errors are text of the assistant, also where nothing was sent yet; a client of a gateway that goes down asks another one. */
  get #isInWords(): boolean {
    return this.#request.target.errorsAs === 'text' && (this.#sse !== undefined || this.#request.cutOff() === undefined)
  }

  async #fail(error: HttpError, outcomes: readonly Outcome[], bad: RelayedChoice | undefined): Promise<void> {
    const asText = this.#isInWords
    if (this.#sse === undefined && !asText && !this.#relay.hasFailedResponse(bad)) throw error
    this.#progress?.finish()
    const { type = 'api_error', param = null, code = null, body = {}, provider } = error.details
    const isCut = this.#request.cutOff() !== undefined
    if (!asText && !isCut && bad !== undefined && this.#relay.fail(bad, error)) {
      await this.#send()
      this.#sse?.broken?.(error)
      return
    }
    this.#begin()
    let kept = ''
    if (asText) kept = await this.#errorInWords(error, outcomes)
    else this.#encoder.error({ status: error.status, message: error.message, type, param, code, body, ...(provider && { provider }) })
    const frames = kept + this.#out.take()
    if (isCut) this.#open().lastWords(frames)
    else await this.#send(frames)
    if (!asText) this.#sse?.broken?.(error)
  }

  /** The error as assistant text, for chats that show nothing else. */
  #errorInWords(error: HttpError, outcomes: readonly Outcome[]): Promise<string> {
    const { target } = this.#request
    const isOnesOwn = outcomes.some(({ delivered }) => !delivered)
    return this.#inWords(outcomes, (outcome) =>
      isOnesOwn && outcome.delivered
        ? fallbackOf(outcome)
        : `\n\n${errorText(failureOf(this.#request, [outcome]) ?? error, [outcome], target)}`,
    )
  }

  /**
   * Our own text in place of answers; a choice without one is kept. Returns the frames of those.
   */
  async #inWords(outcomes: readonly Outcome[], wordsOf: (outcome: Outcome) => string | undefined): Promise<string> {
    const reply = finalReply(this.#request, outcomes)
    const words = outcomes.map(wordsOf)
    const ends = reply.choices.map((choice, at) => (words[at] === undefined ? choice : withoutCalls(choice)))
    this.#begin()
    let kept = this.#out.take()
    const good = this.#request.choices.filter(({ index }) => words[index] === undefined)
    if (good.length > 0) for await (const frames of this.#ends(good, outcomes)) kept += frames
    for (const [at, end] of ends.entries()) {
      const said = words[at]
      if (said === undefined) continue
      this.#encoder.text(end.index, said)
      this.#encoder.end(end)
    }
    this.#encoder.finish({ ...reply, choices: ends })
    return kept
  }

  /** Follows the attempts: nothing of one is shown with the text of another. */
  #turn(event: TraceEvent): void {
    if (event.type === 'text-released') this.#noteEdit(event)
    const isStart = event.type === 'attempt-started'
    if (!isStart && event.type !== 'decided' && event.type !== 'fell-back') return
    const { choices } = this.#request
    const index = choices.findIndex(({ options }) => options.runId === event.run)
    const choice = choices[index]
    if (event.type === 'fell-back' || (event.type === 'decided' && event.action !== 'retry')) this.#relay.decide(index)
    if (isStart && event.attempt > 1 && choice !== undefined) this.#relay.begin(choice)
  }

  #noteEdit({ run, edited, length }: Extract<TraceEvent, { type: 'text-released' }>): void {
    if (edited === undefined) return
    const index = this.#request.choices.findIndex(({ options }) => options.runId === run)
    this.#relay.edit(index, { ...edited, length })
  }

  #tell(words: string, done: boolean): void {
    void this.#write(() => this.#encoder.progress?.(words, done))
  }

  /** Sends events that are made; the beginning of the answer goes before them. */
  #write(make: () => void): Promise<void> | undefined {
    // Events that nobody receives must not be counted.
    if (this.#sse?.closed) return undefined
    this.#begin()
    make()
    return this.#send()
  }

  /** Sends what has arrived, where everything is shown at once. */
  #live(): Promise<void> | undefined {
    if (this.#sse?.closed) return undefined
    this.#relay.live()
    return this.#send()
  }

  #send(frames = this.#out.take()): Promise<void> | undefined {
    if (this.#sse?.closed) return undefined
    return frames === '' ? this.#sse?.write('') : this.#open().write(frames)
  }

  /**
   * The beginning is made first, because it names and numbers everything after it; where a provider's
   * own events have begun the answer, it is left out.
   */
  #begin(): StreamEncoder {
    if (this.#begun) return this.#encoder
    this.#begun = true
    const frame = replyFrame(this.#request)
    if (this.#relay.hasShown) this.#out.made(() => this.#encoder.begin(frame))
    else this.#encoder.begin(frame)
    return this.#encoder
  }

  #open(): EventWriter {
    this.#endSilence?.()
    this.#sse ??= this.#host.open(openingHeaders(this.#request))
    return this.#sse
  }
}

function fallbackOf({ fallback, text }: Outcome): string | undefined {
  return fallback ? text : undefined
}

/** How many characters of frames are written at once. */
const manyFrames = 16_384

/** The end of a rejected answer: nothing of it but what was shown before. */
function withoutCalls({ wire: _wire, ...choice }: FinalChoice): FinalChoice {
  return { ...choice, toolCalls: [], finishReason: 'stop' }
}

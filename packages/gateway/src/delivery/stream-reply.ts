import { enforceStream, type Outcome, type TraceEvent } from '@stickler/core'
import { type FinalChoice, Frames, type HttpError, heartbeatFrame, type StreamEncoder } from '@stickler/core/internal'
import { goingDown, isCutOff } from '../front/replies/going-down.ts'
import { openSse, type SseWriter } from '../front/replies/sse-writer.ts'
import type { SideListener } from '../requests/attempt.ts'
import type { Choice } from '../requests/choice.ts'
import type { ModelRequest } from '../requests/model-request.ts'
import { endedOutcome } from '../requests/pipeline/ended-outcome.ts'
import { isGuarded } from '../requests/target.ts'
import { withListedRepairs } from '../services/listed-repairs.ts'
import { LogprobQueue } from './logprob-queue.ts'
import { ProgressTeller } from './progress-teller.ts'
import { type ReasoningSecrets, reasoningSecrets } from './relay/reasoning-secrets.ts'
import { StreamRelay } from './relay/stream-relay.ts'
import { annotationsOf } from './reply/annotations.ts'
import { errorText } from './reply/error-text.ts'
import { deliveredChoice, failureOf, finalReply, openingHeaders, replyFrame, unwritten } from './reply/reply-parts.ts'
import { replyWords } from './reply/reply-words.ts'
import { passedFields } from './reply/sound-links.ts'

/** Streams a reply with text that is proven safe. */
export async function streamReply(request: ModelRequest): Promise<void> {
  const stream = new ReplyStream(request)
  try {
    await stream.run()
  } finally {
    stream.close()
  }
}

/** What a model has sent beside its text, and nobody has seen yet. */
interface Extras {
  fields: Readonly<Record<string, unknown>>[]
  /** Audio cannot be checked while it arrives: whether it is passed on is decided at the end. */
  audio: Readonly<Record<string, unknown>>[]
  readonly logprobs: LogprobQueue
}

/**
 * One stream: opened with its first text, so that earlier failures can still be reported by status.
 */
class ReplyStream {
  readonly #request: ModelRequest
  /** The frames of all events, those of providers and those that are made. */
  readonly #out = new Frames()
  readonly #encoder: StreamEncoder
  /** By choice and attempt: the engine may go back to an earlier one. */
  readonly #extras: Extras[][] = []
  readonly #relay: StreamRelay
  readonly #secrets: ReasoningSecrets | undefined
  readonly #progress: ProgressTeller | undefined
  readonly #silence: ReturnType<typeof setTimeout>
  #sse: SseWriter | undefined
  #begun = false

  constructor(request: ModelRequest) {
    const { client, settings, api, sent, target, pipeline } = request
    this.#request = request
    this.#sse = pipeline?.opened
    this.#encoder = api.encoder(sent, this.#out)
    // Not every API can show progress.
    const showsProgress = client.wantsProgress && this.#encoder.progress !== undefined
    this.#progress = showsProgress
      ? new ProgressTeller(replyWords[target.contract.policy.locale], (words, done) => this.#tell(words, done))
      : undefined
    // Nothing can be rejected once everything is shown at once.
    const isUnjudged = !isGuarded(target)
    this.#secrets = reasoningSecrets(target)
    const isLive = isUnjudged || target.contract.policy.stream === 'pass'
    // Calls can still be repaired where text is shown at once.
    this.#relay = new StreamRelay(request, isUnjudged, this.#out)
    const onEvents = (): void => void this.#live()
    if (isUnjudged) request.onEvents = onEvents
    const onEvent = (event: TraceEvent): void => {
      this.#turn(event)
      this.#progress?.listen(event)
    }
    const onSide = (index: number): SideListener => {
      this.#extras[index] = []
      return (event) => {
        const extras = this.#extrasOf(index)
        if (extras === undefined) return
        if (event.type === 'logprobs') extras.logprobs.push(event.logprobs)
        else if (!isLive && 'audio' in event.fields) extras.audio.push(event.fields)
        else extras.fields.push(event.fields)
        if (isLive && event.type === 'fields' && !this.#isNative(index)) void this.#write(() => this.#fields(index))
      }
    }
    request.open({ onSide, onEvent })
    this.#silence = setTimeout(() => this.#open(), settings.heartbeatMs)
    this.#silence.unref()
  }

  async run(): Promise<void> {
    const request = this.#request
    const { choices } = request
    let outcomes: readonly Outcome[] = await Promise.all(choices.map((choice) => this.#pump(choice)))
    const { signal } = request.caller
    // A stream that was cut off may lack text, however its run ended.
    let error = failureOf(request, outcomes) ?? (isCutOff(signal) ? goingDown : undefined)
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
    if (signal.aborted && !isCutOff(signal)) return
    const failure = error ?? unkept
    if (failure === undefined) await this.#showAll(last)
    else await this.#fail(failure, outcomes, error === undefined ? undefined : bad)
  }

  close(): void {
    clearTimeout(this.#silence)
    this.#sse?.end()
  }

  async #pump(choice: Choice): Promise<Outcome> {
    if (choice.ended !== undefined) return endedOutcome(choice.options, choice.ended)
    const stream = enforceStream(choice.options)
    for await (const texts of stream.batches()) {
      const prepared = this.#prepare(choice)
      if (prepared !== undefined) await prepared
      const slow = this.#shows(choice, texts)
      if (slow !== undefined) await slow
    }
    return withListedRepairs(await stream.outcome)
  }

  /** What has to be awaited before anything of a choice is written. */
  #prepare(choice: Choice): Promise<void> | undefined {
    if (this.#secrets === undefined) return undefined
    if (this.#isNative(choice.index)) return this.#relay.prepare(choice)
    return this.#secrets.prepareFields(choice.index, this.#extrasOf(choice.index)?.fields ?? [], () => this.#request.pause())
  }

  #shows(choice: Choice, texts: readonly string[]): Promise<void> | undefined {
    return this.#relay.release(choice, texts) ? this.#send() : this.#write(() => this.#texts(choice.index, texts))
  }

  /** Whether the provider of the current attempt uses the client's API. */
  #isNative(index: number): boolean {
    return this.#request.choices[index]?.attempts.at(-1)?.call.relay?.() !== undefined
  }

  #texts(index: number, texts: readonly string[]): void {
    this.#fields(index)
    // Log probabilities belong to the model's own text, which is not shown where it was edited.
    const logprobs = this.#relay.isEdited(index) ? undefined : this.#extrasOf(index)?.logprobs
    for (const text of texts) this.#encoder.text(index, text, logprobs?.take(text.length))
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
    const { choices } = this.#request
    const reply = finalReply(this.#request, outcomes)
    const native = choices.filter((choice) => this.#relay.answers(choice))
    const written: string[] = []
    const own = {
      text: (index: number, text: string) => this.#begin().text(index, text),
      end: (final: FinalChoice) => this.#begin().end(final),
      beside: ({ index }: FinalChoice) => this.#annotations(index, outcomes),
    }
    if (native.length > 0) for await (const frames of this.#relay.finish(outcomes, own)) written.push(frames)
    const wire = native[0]?.answering?.call.relay?.()?.wire
    if (native.length === choices.length && wire !== undefined) {
      this.#sources()
      if (wire.last !== undefined) this.#out.event('', wire.last)
      return [...written, this.#out.take()]
    }
    for (const choice of choices) if (!native.includes(choice)) await this.#prepare(choice)
    this.#begin()
    for (const choice of choices) {
      if (native.includes(choice)) continue
      this.#fields(choice.index, true)
      this.#audio(choice.index)
      this.#annotations(choice.index, outcomes)
      this.#encoder.end(deliveredChoice(this.#request, choice, outcomes[choice.index] as Outcome))
    }
    this.#sources()
    this.#encoder.finish(reply)
    return [...written, this.#out.take()]
  }

  /** Valid citations. */
  #annotations(index: number, outcomes: readonly Outcome[]): void {
    const { declared } = this.#request.target.contract
    const sources = this.#request.choices[index]?.options.context?.sources
    const annotations = annotationsOf(outcomes[index] as Outcome, declared, sources)
    if (annotations.length > 0) this.#begin().fields(index, { annotations })
  }

  /** The retrieved passages, for clients that show them. */
  #sources(): void {
    const { pipeline, client } = this.#request
    if (pipeline !== undefined && client.wantsProgress) this.#encoder.sources?.(pipeline.verdict.sources)
  }

  /** Whether errors are text of the assistant, also where nothing was sent yet; a client of a gateway that goes down asks another one. */
  get #isInWords(): boolean {
    const { target, caller } = this.#request
    return target.errorsAs === 'text' && (this.#sse !== undefined || !isCutOff(caller.signal))
  }

  async #fail(error: HttpError, outcomes: readonly Outcome[], bad: Choice | undefined): Promise<void> {
    const asText = this.#isInWords
    if (this.#sse === undefined && !asText && !this.#relay.hasFailedResponse(bad)) throw error
    this.#progress?.finish()
    const { type = 'api_error', param = null, code = null, body = {}, provider } = error.details
    const encode = () =>
      asText
        ? this.#inWords(error, outcomes)
        : this.#encoder.error({ status: error.status, message: error.message, type, param, code, body, ...(provider && { provider }) })
    if (isCutOff(this.#request.caller.signal)) {
      this.#begin()
      encode()
      this.#open().lastWords(this.#out.take())
    } else if (!asText && bad !== undefined && this.#relay.fail(bad, error)) await this.#send()
    else await this.#write(encode)
  }

  /**
   * The error as assistant text, for chats that show nothing else; a valid choice beside it is
   * kept.
   */
  #inWords(error: HttpError, outcomes: readonly Outcome[]): void {
    const { target } = this.#request
    const isOnesOwn = outcomes.some(({ delivered }) => !delivered)
    const reply = finalReply(this.#request, outcomes)
    const ends = reply.choices.map((choice, at) => (isOnesOwn && outcomes[at]?.delivered ? choice : withoutCalls(choice)))
    for (const [at, end] of ends.entries()) {
      const outcome = outcomes[at] as Outcome
      if (end === reply.choices[at]) {
        this.#fields(end.index, true)
        this.#audio(end.index)
      } else this.#encoder.text(end.index, `\n\n${errorText(failureOf(this.#request, [outcome]) ?? error, [outcome], target)}`)
      this.#encoder.end(end)
    }
    this.#encoder.finish({ ...reply, choices: ends })
  }

  /** Follows the attempts: extra fields of one are not shown with the text of another. */
  #turn(event: TraceEvent): void {
    if (event.type === 'text-released') this.#noteEdit(event)
    const isStart = event.type === 'attempt-started'
    if (!isStart && event.type !== 'decided') return
    const { choices } = this.#request
    const index = choices.findIndex(({ options }) => options.runId === event.run)
    const choice = choices[index]
    if (!isStart && event.action !== 'retry') this.#relay.decide(index)
    if (isStart && event.attempt > 1 && choice !== undefined) this.#relay.begin(choice)
    if (!isStart && event.action !== 'deliver') return
    const extras = this.#extras[index]
    if (isStart) extras?.push({ fields: [], audio: [], logprobs: new LogprobQueue() })
    else extras?.splice(event.attempt)
  }

  #noteEdit({ run, edited, length }: Extract<TraceEvent, { type: 'text-released' }>): void {
    if (edited === undefined) return
    const index = this.#request.choices.findIndex(({ options }) => options.runId === run)
    this.#relay.edit(index, { ...edited, length })
  }

  #extrasOf(index: number): Extras | undefined {
    return this.#extras[index]?.at(-1)
  }

  #fields(index: number, isLast = false): void {
    const extras = this.#extrasOf(index)
    if (extras === undefined || extras.fields.length === 0) return
    const passed = this.#secrets?.fields(index, extras.fields, isLast) ?? extras.fields
    for (const fields of passed) this.#written(index, fields)
    extras.fields = extras.fields.slice(passed.length)
  }

  #audio(index: number): void {
    for (const fields of this.#extrasOf(index)?.audio ?? []) this.#written(index, fields)
  }

  #written(index: number, fields: Readonly<Record<string, unknown>>): void {
    this.#encoder.fields(index, passedFields(fields, this.#request.target))
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

  #open(): SseWriter {
    clearTimeout(this.#silence)
    this.#sse ??= openSse(this.#request.caller, {
      heartbeatMs: this.#request.settings.heartbeatMs,
      heartbeat: () => this.#request.api.heartbeat ?? heartbeatFrame,
      headers: openingHeaders(this.#request),
    })
    return this.#sse
  }
}

/** How many characters of frames are written at once. */
const manyFrames = 16_384

/** The end of a rejected answer: nothing of it but what was shown before. */
function withoutCalls({ wire: _wire, ...choice }: FinalChoice): FinalChoice {
  return { ...choice, toolCalls: [], finishReason: 'stop' }
}

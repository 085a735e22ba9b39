import { callId } from '../../apis/reply/reply-ids.ts'
import { choiceMembers } from '../../apis/reply/verdict-body.ts'
import type { FinalChoice, StreamEncoder } from '../../apis/shared/api.ts'
import type { ChoiceEvent } from '../../apis/shared/choice-event.ts'
import type { HttpError } from '../../apis/shared/http-error.ts'
import type { Frames } from '../../apis/shared/sse-frames.ts'
import type { Wire, WireChanges, WireEvent, WireWriter } from '../../apis/shared/wire.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { Attempt } from '../attempts/attempt.ts'
import type { CallRelay } from '../calls/upstream-call.ts'
import type { RelayedChoice, RelayedRequest } from '../relayed-request.ts'
import { deliveredChoice, replyFrame } from '../reply/reply-parts.ts'
import { nativeUsage } from '../reply/reply-usage.ts'
import { AttemptQueues } from './attempt-queues.ts'
import { brokenEvent, isFailedResponse, numberedAfter } from './broken-frame.ts'
import { MadeEvents, MadeWriter } from './encoded-events.ts'
import { finalValues } from './final-parts.ts'
import type { FinalParts, RelayQueue } from './relay-queue.ts'

const noCalls = { toolCalls: [] }

/** A released text that replaces another. */
interface EditedRelease {
  /** Where it starts in the text that is shown. */
  readonly offset: number
  readonly length: number
  /** How many characters of the provider's text it replaces. */
  readonly raw: number
}

/** How a stream is shown. */
interface RelaySettings {
  /** Whether the events of providers are shown as they arrive. */
  readonly isLive: boolean
  /** Whether what is made of other events is, apart from text, which is shown when it is released. */
  readonly isEager: boolean
  /** Where all events go. */
  readonly out: Frames
  /** Makes the events that no provider has sent; the answer has begun. */
  readonly encoder: () => StreamEncoder
}

/** What a client sees of the calls that answer it: the events of providers with its API, and those that are made of what others bring. */
export class StreamRelay {
  readonly #request: RelayedRequest
  readonly #settings: RelaySettings
  readonly #out: Frames
  readonly #made: MadeWriter
  readonly #queues: AttemptQueues
  /**
   * Choices whose text is written at the end: the verdict is known, or the attempt continues shown
   * text.
   */
  readonly #held = new Set<number>()
  /** Released replacement texts, by choice, and how much text of each has been released. */
  readonly #edits = new Map<number, EditedRelease[]>()
  readonly #released: number[] = []
  #shownId: string | undefined
  #writer: WireWriter | undefined
  /** The call whose event was written last. */
  #written: CallRelay | undefined

  readonly #pause = (): Promise<void> => this.#request.pause()

  constructor(request: RelayedRequest, settings: RelaySettings) {
    this.#request = request
    this.#settings = settings
    this.#out = settings.out
    this.#made = new MadeWriter(request.target, settings.encoder)
    this.#queues = new AttemptQueues(request, settings, this.#made, {
      write: (relay, event, changes) => this.#write(relay, event, changes),
      shownId: () => this.#shownId,
    })
  }

  /** Whether the client has seen anything of a provider's events. */
  get hasShown(): boolean {
    return this.#shownId !== undefined
  }

  /** The API's wire, where all choices are answered by providers that use it. */
  get wire(): Wire | undefined {
    const sources = this.#request.choices.map(({ answering }) => answering && this.#queues.sourceOf(answering))
    const [first] = sources
    if (first === undefined || sources.some((source) => source === undefined || source instanceof MadeEvents)) return undefined
    return (first as CallRelay).wire
  }

  /** Takes what a choice brings; whether something was written that can be sent at once. */
  take(choice: RelayedChoice, event: ChoiceEvent): boolean {
    const reply = choice.attempts.at(-1)
    const source = reply && this.#queues.sourceOf(reply)
    if (reply === undefined || !(source instanceof MadeEvents)) return false
    source.push(event)
    if (!this.#settings.isEager || event.type !== 'fields') return false
    this.#flush(this.#queues.of(choice, reply), reply)
    return true
  }

  /** Called when another attempt of a choice starts. */
  begin(choice: RelayedChoice): void {
    const { attempts, index } = choice
    const reply = attempts.at(-1)
    if (reply !== undefined) this.#queues.of(choice, reply).leave(reply.choice)
    if (this.#shownLength(choice) > 0) this.#held.add(index)
    else this.#held.delete(index)
  }

  /** Called when the verdict on a choice is known. */
  decide(index: number): void {
    this.#held.add(index)
  }

  /** Called when text about to be released replaces another. */
  edit(index: number, edited: EditedRelease): void {
    const known = this.#edits.get(index)
    if (known === undefined) this.#edits.set(index, [edited])
    else known.push(edited)
    // Log probabilities belong to the model's own text.
    const reply = this.#request.choices[index]?.attempts.at(-1)
    const source = reply && this.#queues.sourceOf(reply)
    if (source instanceof MadeEvents) source.logprobs = undefined
  }

  /** What has to be awaited before the first text of a choice is released. */
  prepare(choice: RelayedChoice): Promise<void> | undefined {
    const reply = choice.attempts.at(-1)
    if (!this.#queues.isSearched || reply === undefined || this.#held.has(choice.index)) return undefined
    return this.#queues.of(choice, reply).prepare(this.#pause)
  }

  /** Writes what these released texts of a choice allow to be shown. */
  release(choice: RelayedChoice, texts: readonly string[]): void {
    const reply = choice.attempts.at(-1)
    if (reply === undefined || this.#held.has(choice.index)) return
    const queue = this.#queues.of(choice, reply)
    if (queue.isLive) return
    const edits = this.#edits.get(choice.index)
    if (edits !== undefined) {
      this.#releaseEdited(queue, reply, choice.index, texts, edits)
      return
    }
    for (const text of texts) this.#released[choice.index] = (this.#released[choice.index] ?? 0) + text.length
    const asCame = queue.showAsCame(reply.choice, texts)
    if (asCame > 0) this.#shownId ??= reply.call.head().id ?? ''
    // One by one, so that nothing depends on how the provider's bytes were split.
    for (let at = asCame; at < texts.length; at++) {
      queue.release(reply.choice, texts[at]?.length ?? 0)
      this.#flush(queue, reply)
    }
  }

  #releaseEdited(queue: RelayQueue, reply: Attempt, index: number, texts: readonly string[], edits: EditedRelease[]): void {
    let at = this.#released[index] ?? 0
    for (const text of texts) {
      let next = edits[0]
      // A removal without a replacement.
      for (; next?.offset === at && next.length === 0; next = edits[0]) {
        queue.replace(reply.choice, next.raw, '')
        edits.shift()
      }
      if (next?.offset === at) {
        queue.replace(reply.choice, next.raw, text)
        edits.shift()
      } else queue.release(reply.choice, text.length)
      at += text.length
      this.#flush(queue, reply)
    }
    this.#released[index] = at
  }

  /** Writes what has arrived, where everything is shown at once. */
  live(): void {
    for (const choice of this.#request.choices) {
      const reply = choice.attempts.at(-1)
      if (reply !== undefined) this.#flush(this.#queues.of(choice, reply), reply)
    }
  }

  /** Writes the ends of these choices, and nothing of others, piece by piece, each after what is `beside` it; others have their turn between them. */
  async *finish(
    choices: readonly RelayedChoice[],
    outcomes: readonly Outcome[],
    beside: (final: FinalChoice, writer?: WireWriter) => void,
  ): AsyncGenerator<string, void> {
    const finals = new Map<RelayQueue, Map<number, FinalParts>>()
    /** The ends of choices that no event ends. */
    const behind: (() => void)[] = []
    for (const choice of this.#request.choices) {
      const reply = choice.answering
      if (reply === undefined) continue
      const queue = this.#queues.of(choice, reply)
      if (!choices.includes(choice)) {
        queue.leave(reply.choice)
        continue
      }
      if (!finals.has(queue)) await queue.gather(this.#pause)
      const final = deliveredChoice(this.#request, choice, outcomes[choice.index] as Outcome)
      queue.rejoin(reply.choice)
      const parts = this.#finalParts(queue, reply, final, final.text.slice(this.#shownLength(choice)), beside)
      finals.set(queue, (finals.get(queue) ?? new Map()).set(reply.choice, parts))
      if (queue.ends(reply.choice)) continue
      behind.push(() => {
        parts.before?.()
        if (parts.skips === undefined) this.#made.encoder().end(final)
      })
    }
    const usage = nativeUsage(this.#request.choices, this.#request.api)
    // Those of single choices first: the end of the whole answer is in the call that all share.
    const queues = [...finals].sort(([, a], [, b]) => a.size - b.size)
    // Usage-only events are written once, after all choices; where some are translated, the end of
    // the stream reports it.
    let told = ''
    const isWhole = choices.length === this.#request.choices.length && this.wire !== undefined
    const keepUsage = (frame: string): void => {
      if (isWhole) told = frame
    }
    for (const [queue, parts] of queues) {
      let isFirst = true
      for (const frames of queue.finish(parts, usage, queues.length > 1 || !isWhole ? keepUsage : undefined)) {
        if (!isFirst) await this.#pause()
        isFirst = false
        yield frames
      }
    }
    for (const end of behind) end()
    this.#made.settle()
    yield this.#out.take() + told
  }

  /** Whether a choice has failed with an answer that says so, which clients read like any other. */
  hasFailedResponse(choice: RelayedChoice | undefined): boolean {
    const broken = choice?.attempts.at(-1)?.call.relay?.()?.broken
    return this.#settings.isLive && broken !== undefined && isFailedResponse(broken)
  }

  /**
   * Writes the provider's own error that ended a choice; false when there was none, or the client
   * has seen nothing of the choice.
   */
  fail(choice: RelayedChoice, { message, details: { body = {} } }: HttpError): boolean {
    const reply = choice.attempts.at(-1)
    const source = reply && this.#queues.sourceOf(reply)
    const { isLive } = this.#settings
    if (reply === undefined || source === undefined || source instanceof MadeEvents) return false
    const { wire, broken } = source
    if (broken === undefined || !(isLive || this.hasShown)) return false
    const members = { stickler: body.stickler }
    const last = brokenEvent(broken, { api: wire.api, model: this.#request.shownModel, message, isLive, members })
    if (last === undefined) return false
    if (isLive) this.#queues.of(choice, reply).drain()
    this.#out.event(last.name, numberedAfter(this.#out.number, last.data))
    return true
  }

  /** How many characters of a choice the client has seen, over all attempts. */
  #shownLength({ attempts }: RelayedChoice): number {
    const queues = new Map(attempts.map((reply) => [this.#queues.known(reply), reply.choice]))
    let length = 0
    for (const [queue, lane] of queues) length += queue?.shownLength(lane) ?? 0
    return length
  }

  #finalParts(
    queue: RelayQueue,
    reply: Attempt,
    final: FinalChoice,
    unseen: string,
    beside: (final: FinalChoice, writer?: WireWriter) => void,
  ): FinalParts {
    const lane = reply.choice
    const pieces = queue.rest(lane)
    const isHomeless = unseen !== '' && pieces.every((piece) => piece === '')
    const source = this.#queues.sourceOf(reply)
    const isMade = source instanceof MadeEvents
    const writer = isMade ? undefined : this.#writerOf(source)
    // Written in its place, because block numbers depend on what was written before.
    const added = (): void => {
      if (!isHomeless || queue.append(lane, unseen)) return
      if (writer?.text === undefined) this.#made.encoder().text(final.index, unseen)
      else writer.text(unseen)
    }
    const text = isHomeless ? '' : unseen
    const { repairs } = final.verdict
    const isRepaired = repairs.length > 0
    if (isMade && isRepaired) source.logprobs = undefined
    const rest = (of: 'text' | number, isName?: true) => queue.rest(lane, of, isName)
    const noArguments = isMade || this.#settings.isLive ? undefined : source.wire.noArguments
    // What is made has its calls at the end.
    const take = isMade ? undefined : finalValues(rest, text, reply.end ?? noCalls, final.toolCalls, repairs, noArguments)
    const before = (): void => {
      added()
      this.#made.settle()
      beside(final, writer)
    }
    if (take !== undefined) return { take, before, members: choiceMembers(final), isRepaired }
    // The calls differ from the provider's, so they are encoded again.
    const texts = finalValues((of, isName) => (of === 'text' ? rest(of, isName) : []), text, noCalls, [], repairs)
    if (writer?.calls !== undefined) {
      return {
        take: (part) => (part.of === 'text' ? texts?.(part) : undefined),
        before: () => {
          before()
          const { id } = replyFrame(this.#request)
          writer.calls?.(final.toolCalls.map((call, at) => ({ ...call, id: callId(call, id, final.index, at) })))
        },
        members: choiceMembers(final),
        isRepaired,
        skips: ({ parts, place, isCall }) => place !== 'close' && (isCall === true || parts.some(({ of }) => of !== 'text')),
      }
    }
    return {
      take: (part) => (part.of === 'text' ? texts?.(part) : undefined),
      before: () => {
        before()
        this.#made.encoder().end(final)
      },
      isRepaired,
      skips: ({ parts, ends }) => ends?.includes(lane) === true || parts.some(({ of }) => of !== 'text'),
    }
  }

  #flush(queue: RelayQueue, reply: Attempt): void {
    queue.flush()
    this.#made.settle()
    if (queue.hasShown && !(this.#queues.sourceOf(reply) instanceof MadeEvents)) this.#shownId ??= reply.call.head().id ?? ''
  }

  /**
   * One writer for all calls, so that events of another attempt continue from what the client has.
   */
  #write(relay: CallRelay, event: WireEvent, changes: WireChanges): void {
    const writer = this.#writerOf(relay)
    if (this.#written !== undefined && this.#written !== relay) writer.turn()
    this.#written = relay
    writer.write(event, changes)
  }

  /** Every shown call is answered in the client's API. */
  #writerOf({ wire }: CallRelay): WireWriter {
    this.#writer ??= wire.writeStream(this.#out)
    return this.#writer
  }
}

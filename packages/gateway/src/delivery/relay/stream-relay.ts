import type { Outcome } from '@stickler/core'
import {
  choiceMembers,
  type FinalChoice,
  type Frames,
  type HttpError,
  type WireChanges,
  type WireEvent,
  type WireWriter,
} from '@stickler/core/internal'
import type { Attempt } from '../../requests/attempt.ts'
import type { Choice } from '../../requests/choice.ts'
import type { ModelRequest } from '../../requests/model-request.ts'
import type { CallRelay } from '../../upstreams/upstream.ts'
import { deliveredChoice } from '../reply/reply-parts.ts'
import { passesIn } from '../reply/sound-links.ts'
import { nativeUsage } from '../reply/usage.ts'
import { brokenEvent, isFailedResponse } from './broken-frame.ts'
import { finalValues } from './final-parts.ts'
import { reasoningSecrets } from './reasoning-secrets.ts'
import { type FinalParts, RelayQueue } from './relay-queue.ts'

const noCalls = { toolCalls: [] }

/** A released text that replaces another. */
export interface EditedRelease {
  /** Where it starts in the text that is shown. */
  readonly offset: number
  readonly length: number
  /** How many characters of the provider's text it replaces. */
  readonly raw: number
}

/** Makes events that no provider has sent. */
export interface OwnEvents {
  /** Further text of a choice. */
  text(choice: number, text: string): void
  /** The end of a choice, with its tool calls. */
  end(final: FinalChoice): void
  /** What comes before the end of a choice, such as annotations. */
  beside(final: FinalChoice): void
}

/** What a client sees of calls that were answered in its own API. */
export class StreamRelay {
  readonly #request: ModelRequest
  readonly #isLive: boolean
  readonly #out: Frames
  readonly #queues = new Map<CallRelay, RelayQueue>()
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

  constructor(request: ModelRequest, isLive: boolean, out: Frames) {
    this.#request = request
    this.#isLive = isLive
    this.#out = out
  }

  /** Whether the client has seen anything of a provider's events. */
  get hasShown(): boolean {
    return this.#shownId !== undefined
  }

  /** Called when another attempt of a choice starts. */
  begin(choice: Choice): void {
    const { attempts, index } = choice
    const reply = attempts.at(-1)
    if (reply !== undefined) this.#queueOf(choice, reply)?.leave(reply.choice)
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
  }

  /** Whether the text of a choice was edited. */
  isEdited(index: number): boolean {
    return this.#edits.has(index)
  }

  /** What has to be awaited before the first text of a choice is released. */
  prepare(choice: Choice): Promise<void> | undefined {
    if (this.#isLive || this.#held.has(choice.index)) return undefined
    return this.#queueOf(choice, choice.attempts.at(-1))?.prepare(this.#pause)
  }

  /**
   * Writes what these released texts of a choice allow to be shown; false when its provider uses
   * another API.
   */
  release(choice: Choice, texts: readonly string[]): boolean {
    const reply = choice.attempts.at(-1)
    const queue = this.#queueOf(choice, reply)
    if (queue === undefined || reply === undefined) return false
    if (this.#isLive || this.#held.has(choice.index)) return true
    const edits = this.#edits.get(choice.index)
    if (edits !== undefined) {
      this.#releaseEdited(queue, reply, choice.index, texts, edits)
      return true
    }
    for (const text of texts) this.#released[choice.index] = (this.#released[choice.index] ?? 0) + text.length
    const asCame = queue.showAsCame(reply.choice, texts)
    if (asCame > 0) this.#shownId ??= reply.call.head().id ?? ''
    // One by one, so that nothing depends on how the provider's bytes were split.
    for (let at = asCame; at < texts.length; at++) {
      queue.release(reply.choice, texts[at]?.length ?? 0)
      this.#flush(queue, reply)
    }
    return true
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
      const queue = this.#queueOf(choice, reply)
      if (queue !== undefined && reply !== undefined) this.#flush(queue, reply)
    }
  }

  /** Whether a choice is answered in the client's own API. */
  answers(choice: Choice): boolean {
    return this.#queueOf(choice, choice.answering) !== undefined
  }

  /** Writes the ends of all choices that are answered in the client's own API, piece by piece; others have their turn between them. */
  async *finish(outcomes: readonly Outcome[], own: OwnEvents): AsyncGenerator<string, void> {
    const { choices, api } = this.#request
    const finals = new Map<RelayQueue, Map<number, FinalParts>>()
    let behind = ''
    for (const choice of choices) {
      const reply = choice.answering
      const queue = this.#queueOf(choice, reply)
      if (queue === undefined || reply === undefined) continue
      if (!finals.has(queue)) await queue.gather(this.#pause)
      const final = deliveredChoice(this.#request, choice, outcomes[choice.index] as Outcome)
      queue.rejoin(reply.choice)
      const parts = this.#finalParts(queue, reply, final, final.text.slice(this.#shownLength(choice)), own)
      finals.set(queue, (finals.get(queue) ?? new Map()).set(reply.choice, parts))
      if (queue.ends(reply.choice)) continue
      behind += this.#out.made(() => {
        parts.before?.()
        if (parts.skips === undefined) own.end(final)
      })
    }
    const usage = nativeUsage(choices, api)
    // Those of single choices first: the end of the whole answer is in the call that all share.
    const queues = [...finals].sort(([, a], [, b]) => a.size - b.size)
    // Usage-only events are written once, after all choices; where some are translated, the end of
    // the stream reports it.
    let told = ''
    const isWhole = choices.every((choice) => this.answers(choice))
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
    yield behind + told
  }

  /** Whether a choice has failed with an answer that says so, which clients read like any other. */
  hasFailedResponse(choice: Choice | undefined): boolean {
    const broken = choice?.attempts.at(-1)?.call.relay?.()?.broken
    return this.#isLive && broken !== undefined && isFailedResponse(broken)
  }

  /**
   * Writes the provider's own error that ended a choice; false when there was none, or the client
   * has seen nothing of the choice.
   */
  fail(choice: Choice, { message, details: { body = {} } }: HttpError): boolean {
    const reply = choice.attempts.at(-1)
    const queue = this.#queueOf(choice, reply)
    const { wire, broken } = reply?.call.relay?.() ?? {}
    if (queue === undefined || wire === undefined || broken === undefined || !(this.#isLive || this.hasShown)) return false
    const members = { stickler: body.stickler }
    const last = brokenEvent(broken, { api: wire.api, model: this.#request.sent.chat.model, message, isLive: this.#isLive, members })
    if (last === undefined) return false
    if (this.#isLive) queue.drain()
    this.#out.event(last.name, last.data)
    return true
  }

  /** How many characters of a choice the client has seen, over all attempts. */
  #shownLength({ attempts }: Choice): number {
    const queues = new Map(attempts.map((reply) => [this.#queues.get(reply.call.relay?.() as CallRelay), reply.choice]))
    let length = 0
    for (const [queue, lane] of queues) length += queue?.shownLength(lane) ?? 0
    return length
  }

  #finalParts(queue: RelayQueue, reply: Attempt, final: FinalChoice, unseen: string, own: OwnEvents): FinalParts {
    const lane = reply.choice
    const pieces = queue.rest(lane)
    const isHomeless = unseen !== '' && pieces.every((piece) => piece === '')
    const relay = reply.call.relay?.()
    const writer = relay && this.#writerOf(relay)
    // Written in its place, because block numbers depend on what was written before.
    const added = (): void => {
      if (!isHomeless || queue.append(lane, unseen)) return
      if (writer?.text === undefined) own.text(final.index, unseen)
      else writer.text(unseen)
    }
    const text = isHomeless ? '' : unseen
    const { repairs } = final.verdict
    const isRepaired = repairs.length > 0
    const rest = (of: 'text' | number, isName?: true) => queue.rest(lane, of, isName)
    const noArguments = this.#isLive ? undefined : relay?.wire.noArguments
    const take = finalValues(rest, text, reply.end ?? noCalls, final.toolCalls, repairs, noArguments)
    const before = (): void => {
      added()
      own.beside(final)
    }
    if (take !== undefined) return { take, before, members: choiceMembers(final), isRepaired }
    // The calls differ from the provider's, so they are encoded again.
    const texts = finalValues((of, isName) => (of === 'text' ? rest(of, isName) : []), text, noCalls, [], repairs)
    if (writer?.calls !== undefined) {
      return {
        take: (part) => (part.of === 'text' ? texts?.(part) : undefined),
        before: () => {
          before()
          writer.calls?.(final.toolCalls)
        },
        members: choiceMembers(final),
        isRepaired,
        skips: ({ parts }) => parts.some(({ of }) => of !== 'text'),
      }
    }
    return {
      take: (part) => (part.of === 'text' ? texts?.(part) : undefined),
      before: () => {
        before()
        own.end(final)
      },
      isRepaired,
      skips: ({ parts, ends }) => ends?.includes(lane) === true || parts.some(({ of }) => of !== 'text'),
    }
  }

  #flush(queue: RelayQueue, reply: Attempt): void {
    queue.flush()
    if (queue.hasShown) this.#shownId ??= reply.call.head().id ?? ''
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

  #queueOf(choice: Choice, reply: Attempt | undefined): RelayQueue | undefined {
    const relay = reply?.call.relay?.()
    if (reply === undefined || relay === undefined || relay.reply !== undefined) return undefined
    const known = this.#queues.get(relay)
    if (known !== undefined) return known
    const { sent, target } = this.#request
    const isShared = reply.call.choices.length > 1
    const isOne = !isShared && (sent.chat.n ?? 1) > 1
    const passes = passesIn(target)
    const secrets = reasoningSecrets(target)
    const queue = new RelayQueue({
      relay,
      changes: {
        model: sent.chat.model,
        ...(this.#shownId ? { id: this.#shownId } : {}),
        ...(isOne ? { choice: choice.index } : {}),
      },
      isSingle: !isShared,
      isLive: this.#isLive,
      out: this.#out,
      write: (event, changes) => this.#write(relay, event, changes),
      wantsUsage: sent.includeUsage,
      isOpen: this.hasShown,
      holds: (event) => secrets?.holds(event, relay.events) ?? false,
      prepare: (pause) => secrets?.prepare(relay.events, pause),
      sound: (event) => {
        const shown = secrets?.event(event, relay.events) ?? event
        return passes === undefined ? shown : relay.wire.passEvent(shown, passes)
      },
    })
    this.#queues.set(relay, queue)
    return queue
  }
}

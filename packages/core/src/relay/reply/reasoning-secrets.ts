import { Answer } from '../../answer/answer.ts'
import { editedEvent, editedReply, eventValue } from '../../apis/shared/edited-event.ts'
import type { WireEvent, WireReply } from '../../apis/shared/wire.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Issue } from '../../contract/issue.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { settledLength } from '../../engine/stream/settled-length.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import type { Mutable } from '../mutable.ts'
import { isGuarded, type RelayTarget } from '../relayed-request.ts'
import { ContinuedTexts } from './continued-texts.ts'
import { type Leaf, leavesOf, mayReason } from './reasoned-texts.ts'
import { replyWords } from './reply-messages.ts'
import { passedFields } from './safe-links.ts'

type Fields = Readonly<Record<string, unknown>>

/** A text of an event, and what is to be taken out of it. */
interface Piece extends Leaf {
  /** The place of its event among those that are searched together. */
  readonly at: number
  /** Only where there is something. */
  hidings: Hiding[] | undefined
}

/** So much of what came before is searched again with what follows, and so much of it before what may go on. */
const longestTail = 20_000
const context = 400
/** What may go on and says nothing yet: a few words, with few digits. */
const harmless = /^(?=[^\d]*(?:\d[^\d]*){0,4}$)(?!.*\S{17})[\p{L}\p{M}\p{N}\s.,;:!?'"’“”…()*_-]*$/su

/** How many events, and how many characters of joined text, are searched in one step. */
const searchedAtOnce = 256
const slice = 65_536
/** What no finding goes beyond, between texts that are searched together. */
const between = '\n|\n'

const hidden = '[hidden]'

type Arrived = readonly (WireEvent | string)[]
type Searched = readonly [event: object, value: unknown]

interface Hiding {
  readonly start: number
  readonly end: number
  readonly after: string
}

/**
 * Takes out of reasoning what validators such as `sensitive` take out of text, and out of what tools that the provider runs have given. It is
 * beside the answer and is not repaired; what is delivered of it is searched nevertheless.
 */
export class ReasoningSecrets {
  readonly #validators: Contract['validators']
  readonly #continued = new ContinuedTexts()
  /** The ends of texts that pieces may continue. */
  readonly #lanes = new Map<string, string>()
  /** Edits of events that have been searched together with others. */
  readonly #edits = new WeakMap<object, readonly JsonEdit[]>()
  readonly #locale: Contract['policy']['locale']
  /** How many events of a stream have been looked at. */
  #seen = 0
  /** Those that have not been searched, and those whose text may be the beginning of something, from the first of them on. */
  #waiting: Searched[] = []
  #held: readonly Searched[] = []
  /** A search that takes turns with other work. */
  #steps: Generator<void, void> | undefined

  constructor({ validators, policy }: Contract) {
    this.#validators = validators.filter(({ prepared }) => prepared.secret === true)
    this.#locale = policy.locale
  }

  /** The notes on something that was taken out. */
  get notes(): readonly Issue[] {
    const message = replyWords[this.#locale].secretReasoning
    return this.#validators.map(({ name }) => ({ code: 'SENSITIVE', severity: 'warning', validator: name, message, path: ['reasoning'] }))
  }

  /** A whole reply without them. */
  reply(reply: WireReply): WireReply {
    return mayReason(reply.body) ? editedReply(reply, this.#whole(JSON.parse(reply.body))) : reply
  }

  #whole(value: unknown): readonly JsonEdit[] {
    const pieces = piecesOf(value, 0)
    finish(this.#searchEach(pieces))
    return editsOf(pieces)
  }

  /** A message without them. */
  without<Value>(value: Value): Value {
    const edits = this.#whole(value)
    return edits.length === 0 ? value : (JSON.parse(editJson(JSON.stringify(value), edits)) as Value)
  }

  /** An event of a stream without them; those that have arrived since are searched with it, because they may continue it. */
  event(event: WireEvent, arrived: Arrived): WireEvent {
    if (!mayReason(event.data)) return event
    if (!this.#edits.has(event)) finish(this.#steps)
    if (!this.#edits.has(event)) finish(this.#search([[event, eventValue(event)], ...this.#unseen(arrived)], true))
    return editedEvent(event, this.#edits.get(event) ?? [])
  }

  /** Whether an event waits: it ends with what may be the beginning of something that is taken out. */
  holds(event: WireEvent, arrived: Arrived): boolean {
    if (!mayReason(event.data) || this.#edits.has(event)) return false
    finish(this.#steps)
    if (this.#edits.has(event)) return false
    this.#waiting = this.#unseen(arrived)
    const isHeld = this.#held.some(([one]) => one === event)
    // To search all of it again for every piece would not be linear.
    if (isHeld && sizeOf(this.#waiting) * 4 <= sizeOf(this.#held)) return true
    finish(this.#search(isHeld ? this.#unseen(arrived) : [[event, eventValue(event)], ...this.#unseen(arrived)]))
    return !this.#edits.has(event)
  }

  /** Searches what has arrived before it is shown, if that is much; others have their turn between its steps. */
  prepare(arrived: Arrived, pause: () => Promise<void>): Promise<void> | undefined {
    return arrived.length - this.#seen > searchedAtOnce ? this.#inTurns(this.#unseen(arrived), pause) : undefined
  }

  /** What is needed of it before it is done is searched at once. */
  async #inTurns(events: Iterable<Searched>, pause: () => Promise<void>): Promise<void> {
    finish(this.#steps)
    const steps = this.#search(events)
    this.#steps = steps
    while (steps.next().done !== true) await pause()
  }

  /** Takes what has arrived and was not searched. */
  #unseen(arrived: Arrived): Searched[] {
    const unseen = this.#waiting
    this.#waiting = []
    for (; this.#seen < arrived.length; this.#seen++) {
      const one = arrived[this.#seen]
      if (typeof one === 'object' && mayReason(one.data)) unseen.push([one, eventValue(one)])
    }
    return unseen
  }

  /** Searches in steps that are short; unless nothing follows, events that have to wait are searched again with those that do. */
  *#search(events: Iterable<Searched>, isLast = false): Generator<void, void> {
    const found = new Map<object, Searched & { pieces: readonly Piece[] }>()
    const whole: Piece[] = []
    const lanes = new Map<string, Piece[]>()
    let count = 0
    for (const one of [...this.#held, ...events]) {
      const [event, value] = one
      if (++count % searchedAtOnce === 0) yield
      if (this.#edits.has(event) || found.has(event)) continue
      const pieces = piecesOf(value, found.size, this.#continued.take(value))
      found.set(event, Object.assign([event, value] as const, { pieces }))
      const choices = new Set<unknown>()
      for (const piece of pieces) {
        const isFirst = !choices.has(piece.path[1])
        const names = piece.isReasoning ? this.#continued.namesOf(value, piece.path, isFirst) : []
        if (names.length > 0) choices.add(piece.path[1])
        // What a delta says is nothing by itself.
        if (names.length === 0 || !piece.path.includes('delta')) whole.push(piece)
        for (const name of names) {
          const known = lanes.get(name)
          if (known === undefined) lanes.set(name, [piece])
          else known.push(piece)
        }
      }
    }
    yield* this.#searchEach(whole)
    const ended = yield* this.#searchLanes(lanes, isLast ? found.size : undefined)
    let at = 0
    const held: Searched[] = []
    for (const [event, one] of found) {
      if (at++ >= ended) held.push(one)
      else this.#edits.set(event, editsOf(one.pieces))
    }
    this.#held = held
  }

  /** Searches texts in pieces; gives how many events need not wait, if that is not said. */
  *#searchLanes(lanes: ReadonlyMap<string, readonly Piece[]>, all: number | undefined): Generator<void, number> {
    const searched = new Map<Piece | undefined, (readonly [before: string, pieces: readonly Piece[]])[]>()
    const tails: (readonly [name: string, text: string, open: number, shown: number, pieces: readonly Piece[]])[] = []
    let ended = all ?? Number.POSITIVE_INFINITY
    for (const [name, pieces] of lanes) {
      const before = this.#lanes.get(name) ?? ''
      const text = before + pieces.map((piece) => piece.text).join('')
      const open = settledLength(this.#validators, text.slice(-longestTail), this.#context()) + Math.max(0, text.length - longestTail)
      tails.push([name, text, open, before.length, pieces])
      if (all === undefined && (text.length - open > 40 || !harmless.test(text.slice(open))))
        ended = Math.min(ended, firstFrom(pieces, before.length, open))
      const same = searched.get(pieces[0]) ?? []
      // Most texts have the same pieces, whatever they are named by.
      if (same.some(([start, some]) => start === before && areSame(some, pieces))) continue
      searched.set(pieces[0], [...same, [before, pieces]])
      hideIn(pieces, before.length, yield* this.#findLong(text))
    }
    for (const [name, text, open, shown, pieces] of tails) {
      let length = shown
      for (const piece of pieces) if (piece.at < ended) length += piece.text.length
      const from = Math.max(0, Math.min(open, length) - context, length - longestTail)
      this.#lanes.set(name, text.slice(from, length))
    }
    return ended
  }

  /** Searches texts of which none continues another; there may be very many, so that they are searched together. */
  *#searchEach(pieces: readonly Piece[]): Generator<void, void> {
    for (let from = 0, to = 0, size = 0; from < pieces.length; from = to, size = 0) {
      while (to < pieces.length && size < slice) size += (pieces[to++]?.text.length ?? 0) + between.length
      const some = pieces.slice(from, to)
      hideIn(some, 0, yield* this.#findLong(some.map(({ text }) => text).join(between)), between.length)
      if (to < pieces.length) yield
    }
  }

  /** What is to be taken out of a long text, which is searched in slices, each with what is around it. */
  *#findLong(text: string): Generator<void, readonly Hiding[]> {
    const found: Hiding[] = []
    for (let at = 0; at < text.length; at += slice) {
      if (at > 0) yield
      const from = Math.max(0, at - longestTail)
      for (const { start, end, after } of this.#find(text.slice(from, at + slice + longestTail)))
        if (from + start < at + slice && from + end > at) found.push({ start: from + start, end: from + end, after })
    }
    return merged(found)
  }

  /** What is to be taken out, in text order; everything where a validator cannot tell at once. */
  #find(text: string): readonly Hiding[] {
    const whole = [{ start: 0, end: text.length, after: hidden }]
    if (text === '') return []
    const found: Hiding[] = []
    for (const { prepared } of this.#validators) {
      try {
        const certificates = prepared.repair?.(new Answer(text), [], this.#context(), { usual: ['lossy'], now: ['lossy'] })
        if (certificates === undefined || !(Symbol.iterator in certificates)) return whole
        for (const { span, after } of certificates) found.push({ ...span, after })
      } catch {
        return whole
      }
    }
    return merged(found)
  }

  #context(): CheckContext {
    return { locale: this.#locale, context: {}, ports: {}, signal: new AbortController().signal }
  }
}

/** What searches the reasoning of a target's answers; undefined when nothing has to be taken out. */
export function reasoningSecrets(target: Pick<RelayTarget, 'contractName' | 'contract'>): ReasoningSecrets | undefined {
  const { contract } = target
  return isGuarded(target) && contract.validators.some(({ prepared }) => prepared.secret === true)
    ? new ReasoningSecrets(contract)
    : undefined
}

/** Fields of a provider as they are delivered. */
export function shownFields(fields: Fields, target: RelayTarget): Fields {
  const passed = passedFields(fields, target)
  return reasoningSecrets(target)?.without(passed) ?? passed
}

function finish(steps: Generator<void, void> | undefined): void {
  while (steps !== undefined && steps.next().done !== true);
}

/** Findings in text order; those that overlap are one. */
function merged(found: readonly Hiding[]): readonly Hiding[] {
  const all: Mutable<Hiding>[] = []
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (last === undefined || one.start >= last.end) all.push({ ...one })
    else last.end = Math.max(last.end, one.end)
  }
  return all
}

function piecesOf(value: unknown, at: number, isHosted = false): readonly Piece[] {
  return leavesOf(value, isHosted).map(({ path, text, isReasoning, isBytes }) => ({
    path,
    text,
    isReasoning,
    isBytes,
    at,
    hidings: undefined,
  }))
}

/** The event of the first piece that reaches beyond an offset. */
function firstFrom(pieces: readonly Piece[], shown: number, offset: number): number {
  let end = shown
  for (const { text, at } of pieces) {
    end += text.length
    if (end > offset) return at
  }
  return Number.POSITIVE_INFINITY
}

function sizeOf(events: readonly Searched[]): number {
  let size = 0
  for (const [event] of events) size += (event as WireEvent).data.length
  return size
}

function areSame(some: readonly Piece[], others: readonly Piece[]): boolean {
  return some.length === others.length && some.every((piece, at) => piece === others[at])
}

/** Notes in pieces what is to be taken out of the text that they are together, which begins with so many characters that are shown already. */
function hideIn(pieces: readonly Piece[], shown: number, hidings: readonly Hiding[], gap = 0): void {
  let at = shown
  let next = 0
  for (const piece of pieces) {
    const end = at + piece.text.length
    for (let one = hidings[next]; one !== undefined && one.start < end; one = hidings[next]) {
      const start = Math.max(one.start, at)
      if (one.end > at) {
        piece.hidings ??= []
        const after = start === Math.max(one.start, shown) ? one.after : ''
        piece.hidings.push({ start: start - at, end: Math.min(one.end, end) - at, after })
      }
      if (one.end > end) break
      next++
    }
    at = end + gap
  }
}

function editsOf(pieces: readonly Piece[]): readonly JsonEdit[] {
  const edits: JsonEdit[] = []
  for (const { path, text, hidings, isBytes } of pieces) {
    if (hidings === undefined) continue
    let shown = ''
    let at = 0
    for (const { start, end, after } of merged(hidings)) {
      shown += text.slice(at, start) + after
      at = end
    }
    edits.push({ path, json: isBytes ? 'null' : JSON.stringify(shown + text.slice(at)) })
  }
  return edits
}

import { refusalText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isItemCall, isNativeCall } from '../../answer/tool-shapes/native-calls.ts'
import { utf8Length } from '../../engine/tokens/estimate-tokens.ts'
import { areTokensOf } from '../reply/tokens.ts'
import { StreamWeight, weightOf, weightOfEvent } from '../shared/event-weight.ts'
import { withoutOwn } from '../shared/forged-verdicts.ts'
import { needRoom, readReply } from '../shared/parse-reply.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import { isNothing } from '../shared/unchecked-values.ts'
import type { JudgedPart, WireEvent, WireListener, WireReader } from '../shared/wire.ts'
import { type EventPlace, eventNames, eventPlaces, isTextKey } from './event-parts.ts'
import { OnlyJudged, outputOf } from './response-conflicts.ts'
import { continues, holdsCalls, judgedEnd, saysTheSame } from './response-consistency.ts'
import { responseEnd, throwFailed } from './response-end.ts'
import { responsePlaces, textOf } from './response-parts.ts'
import { responseHead } from './response-usage.ts'
import { hasUnread } from './unchecked-response.ts'

/** An event of a response, read. */
export interface ResponseEvent extends WireEvent {
  readonly type: string
  readonly fields: Fields
  readonly places: readonly EventPlace[]
  /** For each position the number of its part; -1 if it only repeats earlier text. */
  readonly partOf: readonly number[]
}

/** How many characters before their event log probabilities may be about. */
const recent = 1000

const opening = new Set(['response.created', 'response.queued', 'response.in_progress'])
const closing = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'])

/** Reads the events of a response. */
export class ResponseReader implements WireReader {
  readonly #listener: WireListener
  /** The text so far of each text, name and arguments. */
  readonly #known = new Map<string, string>()
  readonly #items = new Map<number, Fields>()
  /** Calls that the client executes, as last reported; another id at the same index is another call. */
  readonly #calls = new Map<string, Fields>()
  readonly #weight = new StreamWeight(eventNames)
  readonly #onlyJudged: OnlyJudged | undefined
  #response: Fields | undefined
  #hasBegun = false
  #hasUnread = false
  /** Arguments that were empty when they were complete. */
  readonly #empty = new Set<string>()
  /** Texts that events repeated before they were sent. */
  readonly #ahead: (readonly [key: string, value: string])[] = []
  /** Whether the final event has all reported content. */
  #isClosedWhole = false

  constructor(listener: WireListener) {
    this.#listener = listener
    this.#onlyJudged = listener.isGuarded ? new OnlyJudged() : undefined
  }

  get finished(): boolean {
    return this.#response !== undefined
  }

  take(name: string, given: string): ResponseEvent {
    const { value, text } = readReply(given, this.#listener.isGuarded)
    if (!isFields(value)) throw protocolFailure('the stream contains an event that is not a JSON object', given)
    const { fields, data } = withoutOwn(value, text, 'response')
    const type = typeof fields.type === 'string' ? fields.type : name
    throwError(type, fields)
    if (isFields(fields.response)) this.#listener.head(responseHead(fields.response))
    if (closing.has(type)) {
      if (!isFields(fields.response)) throw protocolFailure(`the stream contains a ${type} without a response`, data)
      return this.#close(name, data, type, fields, fields.response)
    }
    const isGuarded = this.#onlyJudged !== undefined
    const places = eventPlaces(type, fields, isGuarded)
    this.#onlyJudged?.take(name, type, fields, places)
    const parts: JudgedPart[] = []
    const ahead = this.#ahead.length
    const partOf = places.map((place) => this.#takePlace(place, parts, type.endsWith('.done')))
    if (isFields(fields.item) && typeof fields.output_index === 'number') {
      this.#items.set(fields.output_index, fields.item)
      this.#noteCall(fields.output_index, fields.item)
    }
    for (const [index, item] of outputOf(fields.response).entries()) if (isFields(item)) this.#noteCall(index, item)
    needRoom(Math.max(this.#items.size, this.#known.size, this.#calls.size))
    const isHeld = isUnread(type, fields)
    const isOther =
      isGuarded && (this.#findUnread(type, fields, places) || (isHeld && this.#isAlone(type, fields)) || this.#ahead.length > ahead)
    const isOpening = !this.#hasBegun && opening.has(type)
    this.#hasBegun ||= !isOpening
    const weight = type.endsWith('.done') ? weightOfDone(fields, places, parts) : this.#weight.of(fields)
    const isCall = isItemCall(this.#items.get(Number(fields.output_index ?? -1))?.type) || parts.some(({ of }) => of !== 'text')
    const event = { name, data, type, fields, places, partOf, parts, place: isOpening ? ('open' as const) : ('body' as const), weight }
    return { ...event, ...(isCall && { choices: [0], isCall }), ...((isOther || isHeld) && { isUnread: true }) }
  }

  end(): void {
    const response = this.#response
    if (response === undefined) throw protocolFailure('the stream ended before the answer did')
    // Some providers omit the output in the final response.
    const isEmpty = !Array.isArray(response.output) || response.output.length === 0
    const indexes = [...this.#items.keys()].sort((a, b) => a - b)
    const whole = isEmpty ? { ...response, output: indexes.map((index) => this.#items.get(index)) } : response
    const end = responseEnd(whole, this.#listener.alwaysEnds, isEmpty ? indexes : undefined)
    const isSame =
      (this.#isClosedWhole || saysTheSame(this.#known, responsePlaces(whole.output))) && holdsCalls(whole.output, this.#calls.values())
    const isJudged =
      !this.#hasUnread && (this.#onlyJudged?.isToldIn(whole.output, isEmpty ? indexes : undefined) ?? true) && this.#hasSaidAhead(whole)
    this.#listener.see(0, judgedEnd(end, isSame && isJudged, this.#onlyJudged !== undefined))
  }

  #close(name: string, data: string, type: string, fields: Fields, response: Fields): ResponseEvent {
    throwFailed(response)
    // Some providers send only the start and the end.
    const places = responsePlaces(response.output)
    this.#isClosedWhole =
      this.#known.size === 0 || ([...this.#known.values()].every((said) => said === '') && places.some(({ value }) => value !== ''))
    const parts = this.#isClosedWhole ? places : []
    for (const { of, value } of parts) if (of === 'text') this.#say(value)
    this.#response = response
    if (this.#onlyJudged !== undefined) {
      const said = places.length === 0 ? this.#saidText() : textOf(places)
      this.#hasUnread ||= hasUnread(type, fields) || !(isNothing(response.output_text) || response.output_text === said)
    }
    return { name, data, type, fields, places: [], partOf: [], parts, place: 'close', ends: [0], isLast: true, weight: weightOfEvent }
  }

  /** Whether an event has unchecked content, or repeats text differently. */
  #findUnread(type: string, fields: Fields, places: readonly EventPlace[]): boolean {
    const { response, logprobs } = fields
    const isJoined = !isFields(response) || isNothing(response.output_text) || response.output_text === this.#saidText()
    const [place] = places
    const said = place?.kind === 'text' ? this.#known.get(place.key)?.slice(-(place.value.length + recent)) : undefined
    const isOwn = isNothing(logprobs) || (said !== undefined && areTokensOf(logprobs, said))
    const found = !isJoined || !isOwn || hasUnread(type, fields)
    this.#hasUnread ||= found
    return found
  }

  #noteCall(index: number, item: Fields): void {
    if (!isItemCall(item.type)) return
    const key = `${index} ${item.type} ${item.call_id ?? item.id}`
    this.#hasUnread ||= this.#onlyJudged !== undefined && !continues(item, this.#calls.get(key))
    this.#calls.set(key, item)
  }

  /** Whether an event is about a call that the client executes and no item has shown, so that it was not checked. */
  #isAlone(type: string, { item, output_index: index }: Fields): boolean {
    const isFound = !ofCalls.test(type) || isFields(item) || isNativeCall(this.#items.get(Number(index ?? 0))?.type)
    this.#hasUnread ||= !isFound
    return !isFound
  }

  #hasSaidAhead(response: Fields): boolean {
    if (this.#ahead.length === 0) return true
    const said = new Map(eventPlaces('', { response }, true).map(({ key, value }) => [key, value]))
    return this.#ahead.every(([key, value]) => said.get(key)?.startsWith(value) === true)
  }

  /** All texts so far. */
  #saidText(): string {
    return [...this.#known].map(([key, value]) => (isTextKey(key) ? value : '')).join('')
  }

  /** The number of the part at a position; -1 if it is not new. */
  #takePlace({ key, kind, item, value, isWhole, isRepeat }: EventPlace, parts: JudgedPart[], isDone: boolean): number {
    const before = this.#known.get(key)
    if (isRepeat) {
      if (!(before ?? '').startsWith(value)) this.#ahead.push([key, value])
      return -1
    }
    const added = isWhole ? (before === undefined ? value : value.startsWith(before) ? value.slice(before.length) : '') : value
    this.#known.set(key, (before ?? '') + added)
    const isEmpty = isDone && kind === 'arguments' && (before ?? '') + added === '' && !this.#empty.has(key)
    if (isEmpty) this.#empty.add(key)
    else if (added === '' && (before !== undefined || kind !== 'name')) return -1
    if (kind === 'text') this.#say(added)
    else this.#listener.receive(utf8Length(added))
    const of = kind === 'text' ? kind : item
    return parts.push({ choice: 0, of, ...(kind === 'name' ? { isName: true as const } : {}), value: added }) - 1
  }

  #say(text: string): void {
    if (text !== '') this.#listener.see(0, { type: 'text', text })
  }
}

/** The error of a stream is a separate event, with its fields at the top level. */
function throwError(type: string, fields: Fields): void {
  const { code, message, param, error } = fields
  const failure = errorObjectFailure(type === 'error' && !isFields(error) ? { error: { code, message, param } } : fields)
  if (failure !== undefined) throw failure
}

/** Most of a finished item was sent before in pieces; the rest is stored too. */
function weightOfDone(fields: Fields, places: readonly EventPlace[], parts: readonly JudgedPart[]): number {
  const added = lengthOf(parts)
  return isFields(fields.item) ? Math.max(weightOfEvent, weightOf(fields, eventNames) - lengthOf(places) + added) : weightOfEvent + added
}

function lengthOf(values: readonly { readonly value: string }[]): number {
  return values.reduce((sum, { value }) => sum + value.length, 0)
}

/** Content that waits for the verdict: images and audio, which no validator can read, refusals, and calls that are checked as a whole. */
function isUnread(type: string, { item, part, response }: Fields): boolean {
  if (waiting.test(type) || (isFields(part) && !isNothing(part.refusal))) return true
  return waits(item) || outputOf(response).some(waits)
}

function waits(item: unknown): boolean {
  if (!isFields(item)) return false
  return item.type === 'image_generation_call' || item.type === 'custom_tool_call' || isNativeCall(item.type) || refusalText(item) !== ''
}

const ofCalls = /^response\.(?:local_shell_call|shell_call|apply_patch_call|computer_call|tool_search_call|mcp_approval)/
const waiting =
  /^response\.(?:image_generation_call|audio|custom_tool_call_input|refusal|local_shell_call|shell_call|apply_patch_call|computer_call|tool_search_call|mcp_approval)/

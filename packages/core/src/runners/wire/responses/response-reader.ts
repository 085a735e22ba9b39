import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { isNativeCall } from '../../../answer/tool-shapes/native-calls.ts'
import { utf8Length } from '../../../engine/tokens/utf8-length.ts'
import { protocolFailure } from '../../failures/provider-failures.ts'
import { parseJson } from '../../json.ts'
import { errorObjectFailure } from '../../provider-error.ts'
import { weightOf, weightOfEvent } from '../weight-of.ts'
import type { JudgedPart, WireEvent, WireListener, WireReader } from '../wire.ts'
import { withoutOwn } from '../without-own.ts'
import { type EventPlace, eventPlaces } from './event-places.ts'
import { OnlyJudged } from './only-judged.ts'
import { responseEnd, throwFailed } from './response-end.ts'
import { responsePlaces } from './response-places.ts'
import { responseHead } from './response-usage.ts'
import { holdsCalls, otherWords, saysTheSame } from './says-the-same.ts'

/** An event of a response, read. */
export interface ResponseEvent extends WireEvent {
  readonly type: string
  readonly fields: Fields
  readonly places: readonly EventPlace[]
  /** For each place the number of its part; -1 where it only repeats what came before. */
  readonly partOf: readonly number[]
}

const opening = new Set(['response.created', 'response.queued', 'response.in_progress'])
const closing = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'])

/** Reads the events of a response. */
export class ResponseReader implements WireReader {
  readonly #listener: WireListener
  /** What has come of each text, name and arguments. */
  readonly #known = new Map<string, string>()
  readonly #items = new Map<number, Fields>()
  readonly #onlyJudged: OnlyJudged | undefined
  #response: Fields | undefined
  #hasBegun = false
  /** Whether everything that was said is in the event that ends the response. */
  #isClosedWhole = false

  constructor(listener: WireListener) {
    this.#listener = listener
    this.#onlyJudged = listener.isGuarded ? new OnlyJudged() : undefined
  }

  get finished(): boolean {
    return this.#response !== undefined
  }

  take(name: string, given: string): ResponseEvent {
    const parsed = parseJson(given)
    if (!isFields(parsed)) throw protocolFailure('the stream contains an event that is not a JSON object', given)
    const { fields, data } = withoutOwn(parsed, given, 'response')
    const type = typeof fields.type === 'string' ? fields.type : name
    throwError(type, fields)
    if (isFields(fields.response)) this.#listener.head(responseHead(fields.response))
    if (closing.has(type) && isFields(fields.response)) return this.#close(name, data, type, fields, fields.response)
    const places = eventPlaces(type, fields)
    this.#onlyJudged?.take(name, type, fields, places)
    const parts: JudgedPart[] = []
    const partOf = places.map((place) => this.#takePlace(place, parts))
    if (isFields(fields.item) && typeof fields.output_index === 'number') this.#items.set(fields.output_index, fields.item)
    const isOpening = !this.#hasBegun && opening.has(type)
    this.#hasBegun ||= !isOpening
    const weight = type.endsWith('.done') ? weightOfDone(fields, places, parts) : weightOf(fields)
    const event = { name, data, type, fields, places, partOf, parts, place: isOpening ? ('open' as const) : ('body' as const), weight }
    return isUnread(type, fields) ? { ...event, isUnread: true } : event
  }

  end(): void {
    const response = this.#response
    if (response === undefined) throw protocolFailure('the stream ended before the answer did')
    // Some end with a response that leaves its output out.
    const isEmpty = !Array.isArray(response.output) || response.output.length === 0
    const indexes = [...this.#items.keys()].sort((a, b) => a - b)
    const whole = isEmpty ? { ...response, output: indexes.map((index) => this.#items.get(index)) } : response
    const end = responseEnd(whole, this.#listener.alwaysEnds, isEmpty ? indexes : undefined)
    const isSame =
      (this.#isClosedWhole || saysTheSame(this.#known, responsePlaces(whole.output))) && holdsCalls(whole.output, this.#items.values())
    this.#listener.see(0, isSame ? end : { ...end, unread: otherWords })
  }

  #close(name: string, data: string, type: string, fields: Fields, response: Fields): ResponseEvent {
    throwFailed(response)
    // Some begin and end, with nothing between.
    const places = responsePlaces(response.output)
    this.#isClosedWhole =
      this.#known.size === 0 || ([...this.#known.values()].every((said) => said === '') && places.some(({ value }) => value !== ''))
    const parts = this.#isClosedWhole ? places : []
    for (const { of, value } of parts) if (of === 'text') this.#say(value)
    this.#response = response
    return { name, data, type, fields, places: [], partOf: [], parts, place: 'close', ends: [0], isLast: true, weight: weightOfEvent }
  }

  /** The number of the part that a place is; -1 when it brings nothing new. */
  #takePlace({ key, kind, item, value, isWhole }: EventPlace, parts: JudgedPart[]): number {
    const before = this.#known.get(key)
    const added = isWhole ? (before === undefined ? value : value.startsWith(before) ? value.slice(before.length) : '') : value
    this.#known.set(key, (before ?? '') + added)
    if (added === '' && (before !== undefined || kind !== 'name')) return -1
    if (kind === 'text') this.#say(added)
    else this.#listener.receive(utf8Length(added))
    const of = kind === 'text' ? kind : item
    return parts.push({ choice: 0, of, ...(kind === 'name' ? { isName: true as const } : {}), value: added }) - 1
  }

  #say(text: string): void {
    if (text !== '') this.#listener.see(0, { type: 'text', text })
  }
}

/** The error of a stream is an event of its own, with its names at the top. */
function throwError(type: string, fields: Fields): void {
  const { code, message, param, error } = fields
  const failure = errorObjectFailure(type === 'error' && !isFields(error) ? { error: { code, message, param } } : fields)
  if (failure !== undefined) throw failure
}

/** Most that is done has come before in pieces; of an item, the rest is kept too. */
function weightOfDone(fields: Fields, places: readonly EventPlace[], parts: readonly JudgedPart[]): number {
  const added = lengthOf(parts)
  return isFields(fields.item) ? Math.max(weightOfEvent, weightOf(fields) - lengthOf(places) + added) : weightOfEvent + added
}

function lengthOf(values: readonly { readonly value: string }[]): number {
  return values.reduce((sum, { value }) => sum + value.length, 0)
}

/** What waits for the verdict: pictures and sounds, which no validator can read, and calls that are judged as a whole. */
function isUnread(type: string, { item }: Fields): boolean {
  return (
    waiting.test(type) ||
    (isFields(item) && (item.type === 'image_generation_call' || item.type === 'custom_tool_call' || isNativeCall(item.type)))
  )
}

const waiting =
  /^response\.(?:image_generation_call|audio|custom_tool_call_input|local_shell_call|shell_call|apply_patch_call|computer_call|tool_search_call|mcp_approval)/

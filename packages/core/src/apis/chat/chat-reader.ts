import { unreadOf } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { Endings } from '../shared/choice-end.ts'
import { StreamWeight, weightOfEvent } from '../shared/event-weight.ts'
import { readReply } from '../shared/parse-reply.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import { saidBytes } from '../shared/unchecked-values.ts'
import type { JudgedPart, WireEvent, WireListener, WireReader } from '../shared/wire.ts'
import { ChoiceAssembly, type Emit } from './chat-choice.ts'
import { addCopyEdits, eventEdits, needOnlyJudged, saysSomething } from './chat-conflicts.ts'
import { chatHead, eventNames } from './chat-head.ts'
import { isAsked, judgedPlaces, laneOf } from './checked-parts.ts'
import { RepeatedChunk } from './repeated-chunk.ts'
import type { CallPlace } from './tool-call-assembly.ts'
import { hasUnread, judgedEnd, refuses } from './unchecked-chat.ts'

/** An event of chat completions, with its parsed chunk. */
export interface ChatEvent extends WireEvent {
  readonly chunk: Fields
}

/** Reads the chunks of chat completions; `data: [DONE]` is the end, never a chunk. */
export class ChatReader implements WireReader {
  readonly #listener: WireListener
  readonly #endings: Endings
  readonly #choices = new Map<number, ChoiceAssembly>()
  #unfinished: number
  #hasBegun = false
  #hasUnread = false
  readonly #repeated = new RepeatedChunk()
  readonly #weight = new StreamWeight(eventNames)
  /** Takes the text of a chunk that has nothing else new. */
  #takeText: (text: string) => void = takeNothing

  constructor(listener: WireListener) {
    this.#listener = listener
    this.#endings = { always: listener.alwaysEnds }
    this.#unfinished = listener.count
  }

  get finished(): boolean {
    return this.#unfinished === 0
  }

  take(name: string, data: string): ChatEvent {
    const { value: given, text } = readReply(data, this.#listener.isGuarded)
    if (!isFields(given)) throw protocolFailure('the stream contains an event that is not a JSON object', data)
    const error = errorObjectFailure(name === 'error' && given.error === undefined ? { error: given } : given)
    if (error !== undefined) throw error
    if (this.#listener.isGuarded) needOnlyJudged(given, 'delta')
    const cleaned = this.#cleaned(given, text)
    const isUnread = this.#listener.isGuarded === true && hasUnread(cleaned.chunk)
    this.#hasUnread ||= isUnread
    this.#listener.head(chatHead(cleaned.chunk))
    this.#takeText = takeNothing
    this.#repeated.learn(cleaned.source, cleaned.chunk)
    const wasFinished = this.finished
    const calls: (readonly CallPlace[])[] = []
    for (const choice of choicesOf(cleaned.chunk)) calls.push(isFields(choice) ? this.#takeChoice(choice) : [])
    const { chunk, source } = edited(cleaned, numberEdits(cleaned.chunk, calls))
    const parts = partsOf(chunk, calls)
    const waits = this.#listener.isGuarded === true && (isUnread || refuses(chunk) || !this.#hasOwnTokens(chunk))
    const place = wasFinished ? 'close' : this.#placeOf(chunk, parts)
    const event = eventOf(source, chunk, parts, place, this.#weight.of(chunk), waits)
    this.#hasBegun ||= event.place !== 'open'
    return event
  }

  takeRepeated(name: string, data: string): number | undefined {
    const text = name === 'error' || this.finished ? undefined : this.#repeated.textOf(data)
    if (text !== undefined) this.#takeText(text)
    return text?.length
  }

  repeated(data: string): ChatEvent {
    const chunk = parseJson(data) as Fields
    return eventOf(data, chunk, partsOf(chunk, []), 'body', weightOfEvent)
  }

  end(): void {
    const { count, see, isGuarded } = this.#listener
    for (let lane = 0; lane < count; lane++) {
      const choice = this.#choices.get(lane)
      if (choice === undefined) throw missingChoice(lane, count)
      choice.end((event) => {
        see(lane, isGuarded && event.type === 'end' ? judgedEnd(event, this.#hasUnread || choice.isRenamed) : event)
      })
    }
  }

  /** Without fields that some clients execute, and without choices that were not requested. */
  #cleaned(chunk: Fields, data: string): Written {
    const edits = eventEdits(chunk)
    if (this.#listener.isGuarded) addCopyEdits(edits, choicesOf(chunk), 'delta')
    for (const [at, choice] of choicesOf(chunk).entries()) {
      if (!isAsked(laneOf(choice), this.#listener.count)) edits.push({ path: ['choices', at], json: undefined })
      // Some providers repeat the text so far; after a repair that would be another answer.
      else if (this.#listener.isGuarded && isFields(choice) && isFields(choice.delta) && saysSomething(choice.message))
        edits.push({ path: ['choices', at, 'message'], json: undefined })
    }
    return edited({ chunk, source: data }, edits)
  }

  #takeChoice(choice: Fields): readonly CallPlace[] {
    const lane = laneOf(choice)
    let assembly = this.#choices.get(lane)
    if (assembly === undefined) {
      assembly = new ChoiceAssembly(this.#endings)
      this.#choices.set(lane, assembly)
    }
    const known = assembly
    const emit: Emit = (event) => this.#listener.see(lane, event)
    const takeText = (text: string): void => known.takeText(text, emit)
    this.#takeText = takeText
    const wasFinished = assembly.finished
    const calls = assembly.take(choice, emit)
    this.#countCalls(isFields(choice.delta) ? choice.delta : choice.message)
    if (!wasFinished && assembly.finished) this.#unfinished--
    return calls
  }

  /** Whether log probabilities belong to the texts of the same or the previous chunk; others wait for the end. */
  #hasOwnTokens(chunk: Fields): boolean {
    return choicesOf(chunk).every((choice) => {
      const logprobs = isFields(choice) ? choice.logprobs : undefined
      return !isFields(logprobs) || this.#choices.get(laneOf(choice))?.hasSaid(logprobs) === true
    })
  }

  /** Calls are reported at the end, but counted as they arrive. */
  #countCalls(said: unknown): void {
    if (!isFields(said)) return
    const { tool_calls: calls, function_call: call } = said
    if (calls !== undefined || call !== undefined) this.#listener.receive(saidBytes(calls) + saidBytes(call))
  }

  #placeOf(chunk: Fields, parts: readonly JudgedPart[]): WireEvent['place'] {
    if (choicesOf(chunk).some((choice) => isFields(choice) && (choice.finish_reason ?? null) !== null)) return 'close'
    const saysNothing = parts.every(({ value }) => value === '') && choicesOf(chunk).every(isOnlyRole)
    return saysNothing && !this.#hasBegun ? 'open' : 'body'
  }
}

/** A chunk, parsed and as text. */
interface Written {
  readonly chunk: Fields
  readonly source: string
}

function edited(written: Written, edits: readonly JsonEdit[]): Written {
  if (edits.length === 0) return written
  const source = editJson(written.source, edits)
  return { chunk: JSON.parse(source) as Fields, source }
}

/** Numbers calls without a number, because clients merge them by number. */
function numberEdits(chunk: Fields, calls: readonly (readonly CallPlace[])[]): JsonEdit[] {
  const edits: JsonEdit[] = []
  for (const [at, choice] of choicesOf(chunk).entries()) {
    const holder = isFields(choice) && isFields(choice.delta) ? 'delta' : 'message'
    const message = isFields(choice) ? choice[holder] : undefined
    const entries: readonly unknown[] = isFields(message) && Array.isArray(message.tool_calls) ? message.tool_calls : none
    let next = 0
    for (const [index, entry] of entries.entries()) {
      if (!isFields(entry)) continue
      const place = calls[at]?.[next++]?.place
      if (place === undefined || entry.index === place) continue
      edits.push({ path: ['choices', at, holder, 'tool_calls', index, 'index'], json: String(place) })
    }
  }
  return edits
}

function eventOf(
  data: string,
  chunk: Fields,
  parts: readonly JudgedPart[],
  place: WireEvent['place'],
  weight: number,
  waits = false,
): ChatEvent {
  const event: { -readonly [Key in keyof ChatEvent]: ChatEvent[Key] } = { name: '', data, chunk, parts, place, weight }
  const choices = choicesOf(chunk)
  if (choices.length > 0) event.choices = [...new Set(choices.map((choice) => laneOf(choice)))]
  const ends = choices.filter((choice) => isFields(choice) && (choice.finish_reason ?? null) !== null).map((choice) => laneOf(choice))
  if (ends.length > 0) event.ends = ends
  if (choices.length === 0 && isFields(chunk.usage)) event.isUsage = true
  if (waits || choices.some((choice) => isFields(choice) && (isUnread(choice.delta ?? choice.message) || isFields(choice.message))))
    event.isUnread = true
  return event
}

/** The parts of a chunk; `calls` has, for each choice, the call of each of its entries. */
function partsOf(chunk: Fields, calls: readonly (readonly CallPlace[])[]): readonly JudgedPart[] {
  const choices = choicesOf(chunk)
  return judgedPlaces(chunk).map(({ at, call, isName, value }) => {
    const of = call === undefined ? 'text' : (calls[at]?.[call]?.position ?? call)
    return { choice: laneOf(choices[at]), of, ...(isName && { isName }), value }
  })
}

function choicesOf({ choices }: Fields): readonly unknown[] {
  return Array.isArray(choices) ? choices : none
}

const none: readonly unknown[] = []

function isUnread(message: unknown): boolean {
  if (!isFields(message)) return false
  const { tool_calls: calls } = message
  // Calls of custom tools are checked as a whole.
  const isCustom = Array.isArray(calls) && calls.some((call) => isFields(call) && isFields(call.custom))
  return isCustom || unreadOf(message) !== undefined
}

function isOnlyRole(choice: unknown): boolean {
  const delta = isFields(choice) ? (choice.delta ?? choice.message) : undefined
  return !isFields(delta) || Object.entries(delta).every(([name, value]) => name === 'role' || value === null || value === '')
}

/** The failure of an answer that lacks a choice. */
export function missingChoice(lane: number, count: number): Error {
  return protocolFailure(count === 1 ? 'the response has no choice' : `the response has no choice ${lane}, though ${count} were requested`)
}

function takeNothing(): void {}

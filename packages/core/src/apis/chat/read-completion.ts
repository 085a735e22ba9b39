import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson } from '../../json/edit-json.ts'
import { withoutOtherCopies } from '../shared/message-copies.ts'
import { readReply } from '../shared/parse-reply.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import type { JudgedPart, WireListener, WireReply } from '../shared/wire.ts'
import { readWholeChoice } from './chat-choice.ts'
import { addCopyEdits, eventEdits, needOnlyJudged } from './chat-conflicts.ts'
import { chatHead } from './chat-head.ts'
import { missingChoice } from './chat-reader.ts'
import { addTextEdits, isAsked, type JudgedPlace, judgedPlaces, laneOf } from './checked-parts.ts'
import { hasUnread, judgedEnd } from './unchecked-chat.ts'

/** A chat completion, with its parsed object. */
export interface ChatReply extends WireReply {
  readonly reply: Fields
  readonly places: readonly JudgedPlace[]
}

/** Reads a whole chat completion. */
export function readCompletion(source: string, listener: WireListener): ChatReply {
  const { value: given, text } = readReply(source, listener.isGuarded)
  if (!isFields(given)) throw protocolFailure(source.trim() === '' ? 'the response is empty' : 'the response is not a JSON object', source)
  const error = errorObjectFailure(given)
  if (error !== undefined) throw error
  if (!Array.isArray(given.choices)) throw protocolFailure('the response has no choices', source)
  if (listener.isGuarded) needOnlyJudged(given, 'message')
  listener.head(chatHead(given))
  const lanes = lanesOf(given.choices)
  const { body, reply, kept } = cleaned(text, given, given.choices, lanes, listener)
  const isUnread = listener.isGuarded === true && hasUnread(reply)
  for (let lane = 0; lane < listener.count; lane++) {
    const choice: unknown = given.choices[lanes.lastIndexOf(lane)]
    if (!isFields(choice)) throw missingChoice(lane, listener.count)
    readWholeChoice(listener.isGuarded ? ownChoice(choice) : choice, { always: listener.alwaysEnds }, (event) => {
      listener.see(lane, listener.isGuarded && event.type === 'end' ? judgedEnd(event, isUnread) : event)
    })
  }
  const places = judgedPlaces(reply, true)
  return { body, reply, places, parts: places.map((place) => partOf(place, kept)) }
}

/** Without fields that some clients execute, and without choices that were not requested; under a contract, arguments are text. */
function cleaned(source: string, given: Fields, choices: readonly unknown[], lanes: readonly number[], { count, isGuarded }: WireListener) {
  const edits = eventEdits(given)
  if (isGuarded) {
    addTextEdits(edits, choices)
    addCopyEdits(edits, choices, 'message')
  }
  for (const [at, lane] of lanes.entries()) if (!isAsked(lane, count)) edits.push({ path: ['choices', at], json: undefined })
  if (edits.length === 0) return { body: source, reply: given, kept: lanes }
  const body = editJson(source, edits)
  return { body, reply: JSON.parse(body) as Fields, kept: lanes.filter((lane) => isAsked(lane, count)) }
}

function ownChoice(choice: Fields): Fields {
  const message = isFields(choice.message) ? withoutOtherCopies(choice.message) : choice.message
  return message === choice.message ? choice : { ...choice, message }
}

function partOf({ at, call, isName, value }: JudgedPlace, lanes: readonly number[]): JudgedPart {
  const choice = lanes[at] ?? at
  return isName ? { choice, of: call ?? 'text', isName, value } : { choice, of: call ?? 'text', value }
}

/** The index of each choice; some providers give every choice the same. */
function lanesOf(choices: readonly unknown[]): readonly number[] {
  const lanes = choices.map((choice, position) => laneOf(choice, position))
  return lanes.length > 1 && new Set(lanes).size < lanes.length ? choices.map((_, position) => position) : lanes
}

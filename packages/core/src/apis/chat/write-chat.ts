import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { parseJson } from '../../json/parse-json.ts'
import { bytesOf, exactBytes, isSilent } from '../reply/tokens.ts'
import { memberJson } from '../reply/verdict-body.ts'
import { changedCopies } from '../shared/message-copies.ts'
import { type EventSink, frame, frameEnd, frameStart, inLines } from '../shared/sse-frames.ts'
import { isNothing } from '../shared/unchecked-values.ts'
import type { WireChanges, WireEvent, WireReply, WireWriter } from '../shared/wire.ts'
import type { ChatEvent } from './chat-reader.ts'
import { type JudgedPlace, judgedPlaces } from './checked-parts.ts'
import type { ChatReply } from './read-completion.ts'

/** Writes a stream of chunks, which are independent of each other. */
export class ChunkWriter implements WireWriter {
  readonly #out: EventSink
  readonly #logprobs = new PieceLogprobs()

  constructor(out: EventSink) {
    this.#out = out
  }

  write(event: WireEvent, changes: WireChanges): void {
    this.#out.event('', chunkData(event, changes, this.#logprobs))
  }

  turn(): void {}
}

function chunkData(event: WireEvent, changes: WireChanges, logprobs: PieceLogprobs): string {
  const chunk = chunkOf(event)
  if (changes.isPartial) return partial(event.data, chunk, changes, logprobs)
  const places = changes.parts === undefined && !changes.isEdited ? [] : judgedPlaces(chunk)
  const edits = editsOf(chunk, places, changes, (...piece) => logprobs.of(event.data, ...piece))
  return editJson(event.data, edits)
}

/** Writes a completion. */
export function writeCompletion(reply: WireReply, changes: WireChanges): string {
  const { reply: completion, places } = reply as ChatReply
  const logprobs = new PieceLogprobs()
  const edits = editsOf(completion, places, changes, (...piece) => logprobs.of(reply.body, ...piece))
  for (const [choice, fields] of changes.messages ?? []) {
    const at = reply.parts.findIndex((part) => part.choice === choice)
    const holder = places[at]?.path.slice(0, 3) ?? ['choices', choice, 'message']
    for (const [name, value] of Object.entries(fields)) edits.push({ path: [...holder, name], json: JSON.stringify(value) })
  }
  return editJson(reply.body, edits)
}

/** Writes the frames of chunks that repeat each other except for their text: the differences are found once. */
export function repeatedWriter(changes: WireChanges): (data: string) => string {
  let [from, to, isTail] = ['', '', false]
  // Split into lines here: searching the joined text would cost as much as joining it.
  let [head, tail] = ['', '']
  const learn = (data: string): string => {
    const written = editJson(data, editsOf((parseJson(data) ?? {}) as Fields, [], changes))
    let start = 0
    while (start < data.length && data[start] === written[start]) start++
    let same = 0
    while (same < data.length - start && data[data.length - 1 - same] === written[written.length - 1 - same]) same++
    // The text comes after the changed fields, or before them.
    const choices = data.indexOf('"choices"')
    isTail = start > choices
    from = isTail ? data.slice(start) : data.slice(0, data.length - same)
    to = isTail ? written.slice(start) : written.slice(0, written.length - same)
    if (data === written) [from, to, isTail] = ['', '', false]
    head = frameStart + (isTail ? '' : inLines(to))
    tail = (isTail ? inLines(to) : '') + frameEnd
    return frame('', written)
  }
  let isLearned = false
  return (data) => {
    if (isLearned && !isTail && data.slice(0, from.length) === from) return head + inLines(data.slice(from.length)) + tail
    if (isLearned && isTail && data.endsWith(from)) return head + inLines(data.slice(0, data.length - from.length)) + tail
    isLearned = true
    return learn(data)
  }
}

function chunkOf(event: WireEvent): Fields {
  const { chunk } = event as Partial<ChatEvent>
  return chunk ?? ((parseJson(event.data) ?? {}) as Fields)
}

function editsOf(reply: Fields, places: readonly JudgedPlace[], changes: WireChanges, keptOf: KeptLogprobs = () => null): JsonEdit[] {
  const { model, id, choice, parts, usage, members } = changes
  const edits: JsonEdit[] = []
  const changed = new Set<number>()
  const replace = (path: JsonEdit['path'], value: unknown): number => edits.push({ path, json: JSON.stringify(value) })
  if (model !== undefined && typeof reply.model === 'string' && reply.model !== model) replace(['model'], model)
  if (id !== undefined && typeof reply.id === 'string' && reply.id !== id) replace(['id'], id)
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  if (choice !== undefined) for (const at of choices.keys()) replace(['choices', at, 'index'], choice)
  if (usage !== undefined && isFields(reply.usage)) replace(['usage'], usage)
  const others = changes.isEdited ? otherTokens(choices, places) : none
  for (const at of others) replace(['choices', at, 'logprobs'], null)
  for (let at = 0; parts !== undefined && at < places.length; at++) {
    const place = places[at]
    const value = parts[at]
    if (place === undefined || value === undefined || value === place.value) continue
    replace(place.path, value)
    const said = choices[place.at]
    const parsed = [...place.path.slice(0, place.call === undefined ? 3 : -1), place.call === undefined ? 'parsed' : 'parsed_arguments']
    // Fields parsed from the earlier text do not apply to this one.
    if (isFields(valueAt(reply, parsed))) replace(parsed, null)
    if (place.call !== undefined) continue
    if (!others.has(place.at)) addLogprobs(edits, said, place, value, changes, keptOf)
    // Some providers repeat the text beside the delta.
    if (isFields(said) && said.text === place.value) replace(['choices', place.at, 'text'], value)
    changed.add(place.at)
  }
  for (const at of changed) {
    const [, , holder] = places.find((place) => place.at === at)?.path ?? []
    const message = valueAt(choices, [at, holder ?? ''])
    const text = places.map((place, index) => (place.at === at && place.call === undefined ? (parts?.[index] ?? place.value) : '')).join('')
    const copies = isFields(message) ? changedCopies(message, text) : {}
    for (const name in copies) replace(['choices', at, holder ?? '', name], copies[name])
  }
  for (const name in members) edits.push({ path: [name], json: memberJson(members[name]) })
  return edits
}

/** Probabilities stay with their tokens; those of a repaired text are dropped. */
function addLogprobs(
  edits: JsonEdit[],
  choice: unknown,
  { at, value: before }: JudgedPlace,
  value: string,
  { offset = 0 }: WireChanges,
  keptOf: KeptLogprobs,
): void {
  if (!isFields(choice) || !isFields(choice.logprobs)) return
  const kept = keptOf(choice.logprobs, before, value, offset)
  if (kept !== choice.logprobs) edits.push({ path: ['choices', at, 'logprobs'], json: JSON.stringify(kept) })
}

/** The remaining log probabilities of a piece of a text. */
type KeptLogprobs = (logprobs: Fields, text: string, piece: string, offset: number) => Fields | null

const none: ReadonlySet<number> = new Set()

/** The choices with tokens of earlier or later texts, which may belong to removed text. */
function otherTokens(choices: readonly unknown[], places: readonly JudgedPlace[]): ReadonlySet<number> {
  const isOther = (choice: unknown, at: number): boolean => {
    const text = places.find((place) => place.at === at && place.call === undefined)?.value ?? ''
    return isFields(choice) && isFields(choice.logprobs) && !areExactly(choice.logprobs, text)
  }
  return new Set([...choices.keys()].filter((at) => isOther(choices[at], at)))
}

/** A chunk with only a piece of the text of another one. */
function partial(source: string, chunk: Fields, changes: WireChanges, pieces: PieceLogprobs): string {
  const { choices, usage: _usage, ...head } = chunk
  const place = judgedPlaces(chunk).find(({ call }) => call === undefined)
  const choice: unknown = Array.isArray(choices) && place !== undefined ? choices[place.at] : undefined
  const [value = ''] = changes.parts ?? []
  const isList = place !== undefined && place.path.length > 4
  const delta = { content: isList ? [{ type: 'text', text: value }] : value }
  const { offset = 0, isEdited } = changes
  const given = isFields(choice) && isFields(choice.logprobs) ? choice.logprobs : undefined
  const isOther = given !== undefined && isEdited && !areExactly(given, place?.value ?? '')
  const logprobs =
    given === undefined || place === undefined ? {} : { logprobs: isOther ? null : pieces.of(source, given, place.value, value, offset) }
  const index = isFields(choice) ? (choice.index ?? 0) : 0
  const data = { ...head, choices: [{ index, delta, ...logprobs, finish_reason: null }] }
  return JSON.stringify({
    ...data,
    ...(changes.model !== undefined && typeof head.model === 'string' && { model: changes.model }),
    ...(changes.id !== undefined && typeof head.id === 'string' && { id: changes.id }),
    ...(changes.choice !== undefined && { choices: [{ ...data.choices[0], index: changes.choice }] }),
  })
}

function valueAt(value: unknown, path: JsonEdit['path']): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string | number, unknown>> | null | undefined)?.[key], value)
}

/** Gives each piece of a text the log probabilities of its own tokens; an edited piece gets none, nor does a token that begins in one. */
export class PieceLogprobs {
  /** The event of the latest text, and the offset from which it was not edited. */
  #data: string | undefined
  #cleanFrom = 0
  #isEdited = false

  /** The log probabilities of the piece at an offset of the text of the event with that data. */
  of(data: string, logprobs: Fields, text: string, piece: string, offset: number): Fields | null {
    if (offset === 0 || this.#isEdited || this.#data !== data) this.#cleanFrom = offset
    this.#data = data
    this.#isEdited = !text.startsWith(piece, offset) || (piece === '' && offset < text.length)
    return this.#isEdited ? null : logprobsBetween(logprobs, text, offset, offset + piece.length, this.#cleanFrom)
  }
}

/** The log probabilities of the tokens that end between two offsets of their text; if they cannot be separated, all stay with the last piece. */
function logprobsBetween(logprobs: Fields, text: string, from: number, to: number, cleanFrom: number): Fields | null {
  const { content } = logprobs
  if (!Array.isArray(content) || (from === 0 && to === text.length)) return logprobs
  const tokens = content.map(exactBytes)
  if (tokens.join('') !== bytesOf(text)) return to === text.length && cleanFrom === 0 ? logprobs : null
  const [first, last, clean] = [from, to, cleanFrom].map((at) => bytesOf(text.slice(0, at)).length) as [number, number, number]
  let end = 0
  const kept = content.filter((_, at) => {
    const start = end
    end += tokens[at]?.length ?? 0
    return end > first && end <= last && start >= clean
  })
  return kept.length === 0 ? null : { ...logprobs, content: kept }
}

/** Whether log probabilities belong to a text, and none to earlier or later text. */
export function areExactly({ content, refusal, tokens }: Fields, text: string): boolean {
  if (!isNothing(refusal) || !isNothing(tokens)) return false
  if (isNothing(content)) return true
  if (!Array.isArray(content)) return false
  const said = content.map(exactBytes)
  // A token without bytes has no position, so it may belong to removed text.
  return said.every((one, at) => !isNothing(one) || isSilent(content[at])) && said.join('') === bytesOf(text)
}

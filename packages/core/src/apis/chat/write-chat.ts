import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { parseJson } from '../../json/parse-json.ts'
import { type EventSink, frame, frameEnd, frameStart, inLines } from '../shared/frame.ts'
import type { WireChanges, WireEvent, WireReply, WireWriter } from '../shared/wire.ts'
import type { ChatEvent } from './chat-reader.ts'
import { type JudgedPlace, judgedPlaces } from './judged-places.ts'
import { logprobsBetween } from './logprobs-between.ts'
import type { ChatReply } from './read-completion.ts'

/** Writes a stream of chunks, which do not depend on each other. */
export class ChunkWriter implements WireWriter {
  readonly #out: EventSink

  constructor(out: EventSink) {
    this.#out = out
  }

  write(event: WireEvent, changes: WireChanges): void {
    this.#out.event('', chunkData(event, changes))
  }

  turn(): void {}
}

function chunkData(event: WireEvent, changes: WireChanges): string {
  const chunk = chunkOf(event)
  if (changes.isPartial) return partial(chunk, changes)
  const places = changes.parts === undefined ? [] : judgedPlaces(chunk)
  return editJson(event.data, editsOf(chunk, places, changes))
}

/** Writes a completion. */
export function writeCompletion(reply: WireReply, changes: WireChanges): string {
  const { reply: completion, places } = reply as ChatReply
  const edits = editsOf(completion, places, changes)
  for (const [choice, fields] of changes.messages ?? []) {
    const at = reply.parts.findIndex((part) => part.choice === choice)
    const holder = places[at]?.path.slice(0, 3) ?? ['choices', choice, 'message']
    for (const [name, value] of Object.entries(fields)) edits.push({ path: [...holder, name], json: JSON.stringify(value) })
  }
  return editJson(reply.body, edits)
}

/** Writes the frames of chunks that repeat each other in everything but their text: what differs is found once. */
export function repeatedWriter(changes: WireChanges): (data: string) => string {
  let [from, to, isTail] = ['', '', false]
  // Written into its lines here: to look through what is joined costs as much as to join it.
  let [head, tail] = ['', '']
  const learn = (data: string): string => {
    const written = editJson(data, editsOf((parseJson(data) ?? {}) as Fields, [], changes))
    let start = 0
    while (start < data.length && data[start] === written[start]) start++
    let same = 0
    while (same < data.length - start && data[data.length - 1 - same] === written[written.length - 1 - same]) same++
    // The text comes after what differs, or before it.
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

function editsOf(reply: Fields, places: readonly JudgedPlace[], changes: WireChanges): JsonEdit[] {
  const { model, id, choice, parts, usage, members } = changes
  const edits: JsonEdit[] = []
  const replace = (path: JsonEdit['path'], value: unknown): number => edits.push({ path, json: JSON.stringify(value) })
  if (model !== undefined && typeof reply.model === 'string' && reply.model !== model) replace(['model'], model)
  if (id !== undefined && typeof reply.id === 'string' && reply.id !== id) replace(['id'], id)
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  if (choice !== undefined) for (const at of choices.keys()) replace(['choices', at, 'index'], choice)
  if (usage !== undefined && isFields(reply.usage)) replace(['usage'], usage)
  for (const [at, place] of places.entries()) {
    const value = parts?.[at]
    if (value === undefined || value === place.value) continue
    replace(place.path, value)
    const said = choices[place.at]
    const parsed = [...place.path.slice(0, place.call === undefined ? 3 : -1), place.call === undefined ? 'parsed' : 'parsed_arguments']
    // What was parsed from the text before says nothing about this one.
    if (isFields(valueAt(reply, parsed))) replace(parsed, null)
    if (place.call !== undefined) continue
    addLogprobs(edits, said, place, value, changes)
    // Some providers repeat the text beside the delta.
    if (isFields(said) && said.text === place.value) replace(['choices', place.at, 'text'], value)
  }
  for (const [name, value] of Object.entries(members ?? {})) replace([name], value)
  return edits
}

/** Probabilities stay beside the tokens that they are about; of a text that was repaired they say nothing. */
function addLogprobs(
  edits: JsonEdit[],
  choice: unknown,
  { at, value: before }: JudgedPlace,
  value: string,
  { offset = 0 }: WireChanges,
): void {
  if (!isFields(choice) || !isFields(choice.logprobs)) return
  const isPiece = before.startsWith(value, offset) && offset + value.length <= before.length
  const kept = isPiece ? logprobsBetween(choice.logprobs, before, offset, offset + value.length) : null
  if (kept !== choice.logprobs) edits.push({ path: ['choices', at, 'logprobs'], json: JSON.stringify(kept) })
}

/** A chunk with nothing but a piece of the text of another one. */
function partial(chunk: Fields, changes: WireChanges): string {
  const { choices, usage: _usage, ...head } = chunk
  const place = judgedPlaces(chunk).find(({ call }) => call === undefined)
  const choice: unknown = Array.isArray(choices) && place !== undefined ? choices[place.at] : undefined
  const [value = ''] = changes.parts ?? []
  const isList = place !== undefined && place.path.length > 4
  const delta = { content: isList ? [{ type: 'text', text: value }] : value }
  const { offset = 0 } = changes
  const logprobs =
    isFields(choice) && isFields(choice.logprobs) && place !== undefined
      ? { logprobs: logprobsBetween(choice.logprobs, place.value, offset, offset + value.length) }
      : {}
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

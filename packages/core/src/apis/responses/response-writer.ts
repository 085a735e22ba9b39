import type { ToolCall } from '../../answer/tool-calls.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isItemCall } from '../../answer/tool-shapes/native-calls.ts'
import { editJson, type JsonEdit, memberSource } from '../../json/edit-json.ts'
import { areExactly, PieceLogprobs } from '../chat/write-chat.ts'
import type { EventSink } from '../shared/sse-frames.ts'
import type { WireChanges, WireEvent, WireWriter } from '../shared/wire.ts'
import { type EventPlace, isTextKey } from './event-parts.ts'
import { itemId, readAnnotations } from './reply/output-items.ts'
import { type ItemPlace, MessageWriter, NumberedEvents, writeCall } from './reply/responses-encoder.ts'
import { type ResponsePlace, responsePlaces } from './response-parts.ts'
import type { ResponseEvent } from './response-reader.ts'
import { changedPlace, changedRepeats } from './text-edits.ts'
import { addedAnnotations, headEdits } from './write-response.ts'

/** An index that the provider does not use. */
const noItem = 'null'

/** The largest number of a provider that can still be followed by consecutive ones. */
const mostNumber = 2 ** 52

/**
 * Writes the events of a response: later events repeat the text as it was written, event numbers increase, and items of another attempt follow
 * those that the client has. The id stays the provider's, because a stored conversation continues from the delivered answer.
 */
export class ResponseWriter implements WireWriter {
  readonly #out: EventSink
  /** The written text of each text, name and arguments, in order. */
  #written = new Map<string, string>()
  #open = new Map<number, OpenItem>()
  /** Items of this attempt that were sent to the client. */
  #count = 0
  /** The JSON of the items of earlier attempts. */
  readonly #earlier: string[] = []
  #isChanged = false
  readonly #logprobs = new PieceLogprobs()
  #shift = 0
  /** The events of a message without text so far, which waits for its first text: a message that a repair has emptied is omitted. */
  #begun: { readonly index: unknown; readonly held: (readonly [ResponseEvent, WireChanges])[] } | undefined
  /** The omitted messages. */
  readonly #omitted = new Set<unknown>()
  /** Text that follows the provider's items, and the calls that replace its own. */
  #text = ''
  #calls: readonly ToolCall[] | undefined
  #annotations: readonly unknown[] = []
  /** The position of the last text. */
  #lastText: Fields = {}

  constructor(out: EventSink) {
    this.#out = out
  }

  write(given: WireEvent, changes: WireChanges): void {
    const event = given as ResponseEvent
    const { type, fields } = event
    const isEmpty = event.parts.every(({ of }, at) => of === 'text' && changes.parts?.[at] === '')
    if (this.#begun === undefined) {
      const isBegun = changes.mayRemove && isEmpty && type === 'response.output_item.added' && isMessage(fields.item)
      if (isBegun) this.#begun = { index: fields.output_index, held: [[event, changes]] }
      else this.#write(event, changes)
      return
    }
    const { index, held } = this.#begun
    const isIts = isEmpty && fields.output_index === index
    if (isIts) held.push([event, changes])
    if (isIts && type !== 'response.output_item.done') return
    this.#begun = undefined
    if (isIts && typeof index === 'number' && isText(fields.item) && held.some(([{ parts }]) => parts.length > 0)) {
      this.#omitted.add(index)
      this.#isChanged = true
      this.#count = Math.max(this.#count, index + 1)
      this.#shift -= held.length
    } else for (const [one, its] of held) this.#write(one, its)
    if (!isIts) this.write(event, changes)
  }

  text(text: string): void {
    this.#text += text
  }

  calls(calls: readonly ToolCall[]): void {
    this.#calls = calls
  }

  annotations(annotations: readonly unknown[]): void {
    this.#annotations = readAnnotations(annotations)
  }

  #write(event: ResponseEvent, changes: WireChanges): void {
    const { type, fields, places, partOf, parts, name, data } = event
    const edits: JsonEdit[] = []
    for (const [at, place] of places.entries()) {
      const part = partOf[at] ?? -1
      this.#writePlace(edits, event, place, part < 0 ? undefined : (changes.parts?.[part] ?? parts[part]?.value), changes)
    }
    if (isFields(fields.response)) {
      edits.push(...headEdits(fields.response, changes, ['response']))
      if (event.place === 'close') for (const edit of this.#outputEdits(fields.response, event, changes)) edits.push(edit)
      else if (this.#isChanged) edits.push(...changedRepeats(fields.response, ['response'], [...this.#texts()].join('')))
    }
    const index = fields.output_index
    const shift = this.#earlier.length - this.#omitted.size
    if (typeof index === 'number' && shift !== 0) edits.push({ path: ['output_index'], json: String(index + shift) })
    const number = this.#numberOf(fields.sequence_number)
    if (number !== fields.sequence_number) edits.push({ path: ['sequence_number'], json: String(number) })
    const written = edits.length === 0 ? data : editJson(data, edits)
    if (typeof index === 'number') {
      this.#note(type, index, fields, written)
      const { item_id, content_index } = fields
      if (type === 'response.output_text.done') this.#lastText = { item_id, output_index: index + shift, content_index }
    }
    this.#out.event(name, written)
  }

  turn(): void {
    for (const [index, open] of [...this.#open].sort(([a], [b]) => a - b)) {
      const text = (part: number): string | undefined => this.#written.get(`${index}/${part}`)
      for (const event of closingEvents(open, index + this.#earlier.length, text)) {
        this.#out.event(event.type, JSON.stringify({ ...event, sequence_number: this.#numberOf(0) }))
        if (isFields(event.item)) open.json = JSON.stringify(event.item)
      }
    }
    for (let index = 0; index < this.#count; index++) this.#earlier.push(this.#jsonOf(index))
    this.#items.clear()
    this.#open = new Map()
    this.#written = new Map()
    this.#count = 0
  }

  readonly #items = new Map<number, string>()

  #jsonOf(index: number): string {
    return this.#items.get(index) ?? this.#open.get(index)?.json ?? noItem
  }

  #writePlace(edits: JsonEdit[], event: ResponseEvent, place: EventPlace, part: string | undefined, changes: WireChanges): void {
    const { fields, data } = event
    const { key, kind, path, value, isWhole } = place
    const before = this.#written.get(key)
    // The text that the client has, and the text that this event adds.
    const given = isWhole ? (before ?? '') + (part ?? '') : (part ?? value)
    this.#written.set(key, isWhole ? given : (before ?? '') + given)
    const hasTokens = path.length === 1 && kind === 'text' && Array.isArray(fields.logprobs) && fields.logprobs.length > 0
    const logprobs = hasTokens ? { content: fields.logprobs } : undefined
    const isOther = logprobs !== undefined && changes.isEdited === true && !areExactly(logprobs, value)
    if (given !== value) {
      this.#isChanged = true
      edits.push(...changedPlace(fields, path, kind === 'text', given))
    } else if (!isOther) return
    if (logprobs === undefined) return
    const kept = isOther ? null : this.#logprobs.of(data, logprobs, value, given, changes.offset ?? 0)
    edits.push({ path: ['logprobs'], json: JSON.stringify(kept?.content ?? []) })
  }

  /** The repetitions at the end of a response, as they were written; what follows the provider's items is written before. */
  #outputEdits(response: Fields, event: WireEvent, { parts, mayRemove }: WireChanges): readonly JsonEdit[] {
    const output: readonly unknown[] = Array.isArray(response.output) ? response.output : []
    const places = responsePlaces(output, ['response', 'output'])
    const edits: JsonEdit[] = []
    const isWhole = event.parts.length > 0
    const values = isWhole ? (parts ?? event.parts.map(({ value }) => value)) : this.#isChanged ? this.#valuesFor(places) : undefined
    const given = places.map(({ value }, at) => values?.[at] ?? value)
    const gone = new Set(this.#omitted)
    if (isWhole && mayRemove) for (const index of emptied(output, places, given)) gone.add(index)
    if (this.#calls !== undefined) for (const [at, item] of output.entries()) if (isFields(item) && isItemCall(item.type)) gone.add(at)
    const texts: string[] = []
    for (const [index, { of, path, value }] of places.entries()) {
      const text = given[index] ?? value
      if (gone.has(path[2])) continue
      if (of === 'text') texts.push(text)
      if (text !== value) edits.push(...changedPlace({ response }, path, of === 'text', text))
    }
    for (const at of gone)
      if (typeof at === 'number' && at < output.length) edits.push({ path: ['response', 'output', at], json: undefined })
    if (this.#text === '' && this.#annotations.length > 0) {
      const own = places.filter(({ path }) => !gone.has(path[2]))
      for (const edit of addedAnnotations({ response }, own, this.#annotations)) edits.push(edit)
    }
    const made = this.#made(response)
    if (this.#isChanged || edits.length > 0 || this.#earlier.length + made.length > 0) {
      const own = places.length === 0 ? [...this.#texts()] : texts
      // With further items, clients join the texts themselves.
      edits.push(...changedRepeats(response, ['response'], this.#earlier.length > 0 || this.#text !== '' ? undefined : own.join('')))
    }
    const before = this.#earlier.filter((json) => json !== noItem)
    for (const json of before) edits.push({ path: ['response', 'output', 0], json, isNew: true })
    if (made.length === 0) return edits
    if (output.length > 0) for (const json of made) edits.push({ path: ['response', 'output', output.length], json, isNew: true })
    else {
      // Some providers omit the output in the final response.
      const shown = Array.from({ length: this.#count }, (_, index) => this.#jsonOf(index)).filter((json) => json !== noItem)
      return [
        ...edits.filter(({ isNew }) => !isNew),
        { path: ['response', 'output'], json: `[${[...before, ...shown, ...made].join(',')}]` },
      ]
    }
    return edits
  }

  /** Writes the items that follow the provider's, and gives their JSON. */
  #made({ id }: Fields): readonly string[] {
    const events = new NumberedEvents(this.#out)
    const made: string[] = []
    if (this.#text === '')
      for (const [at, annotation] of this.#annotations.entries())
        events.event('response.output_text.annotation.added', { ...this.#lastText, annotation_index: at, annotation })
    const next = (kind: 'msg' | 'fc'): ItemPlace => {
      const index = this.#earlier.length + this.#count - this.#omitted.size + made.length
      return { item_id: itemId(kind, typeof id === 'string' ? id : '', index), output_index: index }
    }
    if (this.#text !== '') {
      const message = new MessageWriter(events, next('msg'))
      message.open()
      message.text(this.#text, [])
      message.annotations(this.#annotations)
      message.close('completed')
      made.push(JSON.stringify(message.item('completed')))
    }
    for (const call of this.#calls ?? []) made.push(JSON.stringify(writeCall(events, next('fc'), call, 'completed')))
    return made
  }

  /** The written text of each part. */
  *#texts(): Generator<string> {
    for (const [key, value] of this.#written) if (isTextKey(key)) yield value
  }

  /** The written values of an output, by the index of their item. */
  #valuesFor(places: ReturnType<typeof responsePlaces>): readonly string[] {
    return places.map(({ of, isName, value, path: [, , item, , part] }) => {
      const key = `${item}/${of === 'text' ? part : isName ? 'name' : 'arguments'}`
      return this.#written.get(key) ?? value
    })
  }

  /** Increases from event to event, and is the provider's own number if possible. */
  #numberOf(given: unknown): unknown {
    if (typeof given !== 'number') return given
    const { number: last = -1 } = this.#out
    const isUsable = Number.isSafeInteger(given) && given >= 0
    if (isUsable && given + this.#shift <= last) this.#shift = last + 1 - given
    const number = given + this.#shift
    this.#out.number = isUsable && number <= mostNumber ? number : last + 1
    return this.#out.number
  }

  #note(type: string, index: number, fields: Fields, written: string): void {
    if (type === 'response.output_item.added' && isFields(fields.item)) {
      this.#count = Math.max(this.#count, index + 1)
      this.#open.set(index, { item: fields.item, parts: new Map(), json: memberSource(written, 'item') ?? 'null' })
    } else if (type === 'response.output_item.done') {
      this.#count = Math.max(this.#count, index + 1)
      this.#open.delete(index)
      this.#items.set(index, memberSource(written, 'item') ?? 'null')
    } else if (type === 'response.content_part.added' && isFields(fields.part)) {
      this.#open.get(index)?.parts.set(Number(fields.content_index ?? 0), { part: fields.part, isOpen: true })
    } else if (type === 'response.content_part.done' && isFields(fields.part)) {
      this.#open.get(index)?.parts.set(Number(fields.content_index ?? 0), { part: fields.part, isOpen: false })
    }
  }
}

function isMessage(item: unknown): item is Fields {
  return isFields(item) && item.type === 'message'
}

/** Whether an item is a message with nothing but text. */
function isText(item: unknown): boolean {
  return isMessage(item) && Array.isArray(item.content) && item.content.every((part) => isFields(part) && part.type === 'output_text')
}

/** The indexes of messages that had nothing but text, and have lost it. */
function emptied(output: readonly unknown[], places: readonly ResponsePlace[], given: readonly string[]): readonly number[] {
  const left = new Map<unknown, number>()
  for (const [at, { path }] of places.entries()) left.set(path[2], (left.get(path[2]) ?? 0) + (given[at]?.length ?? 0))
  return [...output.keys()].filter((at) => left.get(at) === 0 && isText(output[at]))
}

/** An item that was started for the client, and not ended. */
interface OpenItem {
  readonly item: Fields
  /** Its parts by number, as last reported. */
  readonly parts: Map<number, { readonly part: Fields; readonly isOpen: boolean }>
  json: string
}

/** An event that closes what an attempt has left open. */
interface ClosingEvent extends Fields {
  readonly type: string
}

/** The events that end an item of an abandoned attempt, with the text that the client has seen. */
function closingEvents({ item, parts }: OpenItem, index: number, textOf: (part: number) => string | undefined): readonly ClosingEvent[] {
  const place = { item_id: item.id, output_index: index }
  const events: ClosingEvent[] = []
  const content: Fields[] = []
  for (const [at, { part, isOpen }] of [...parts].sort(([a], [b]) => a - b)) {
    const text = textOf(at)
    const told = text === undefined ? part : { ...part, text }
    content.push(told)
    if (!isOpen) continue
    if (text !== undefined) events.push({ type: 'response.output_text.done', ...place, content_index: at, text, logprobs: [] })
    events.push({ type: 'response.content_part.done', ...place, content_index: at, part: told })
  }
  // The text goes on in the next item; anything else was broken off.
  const ended = { ...item, ...(item.type === 'message' ? { status: 'completed', content } : { status: 'incomplete' }) }
  return [...events, { type: 'response.output_item.done', output_index: index, item: ended }]
}

import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit, memberSource } from '../../json/edit-json.ts'
import { areExactly, PieceLogprobs } from '../chat/write-chat.ts'
import type { EventSink } from '../shared/sse-frames.ts'
import type { WireChanges, WireEvent, WireWriter } from '../shared/wire.ts'
import { type EventPlace, isTextKey } from './event-parts.ts'
import { responsePlaces } from './response-parts.ts'
import type { ResponseEvent } from './response-reader.ts'
import { changedPlace, changedRepeats } from './text-edits.ts'
import { headEdits } from './write-response.ts'

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

  constructor(out: EventSink) {
    this.#out = out
  }

  write(event: WireEvent, changes: WireChanges): void {
    const { type, fields, places, partOf, parts, name, data } = event as ResponseEvent
    const edits: JsonEdit[] = []
    for (const [at, place] of places.entries()) {
      const part = partOf[at] ?? -1
      this.#writePlace(edits, event as ResponseEvent, place, part < 0 ? undefined : (changes.parts?.[part] ?? parts[part]?.value), changes)
    }
    if (isFields(fields.response)) {
      edits.push(...headEdits(fields.response, changes, ['response']))
      if (event.place === 'close') for (const edit of this.#outputEdits(fields.response, event, changes)) edits.push(edit)
      else if (this.#isChanged) edits.push(...changedRepeats(fields.response, ['response'], [...this.#texts()].join('')))
    }
    const index = fields.output_index
    if (typeof index === 'number' && this.#earlier.length > 0)
      edits.push({ path: ['output_index'], json: String(index + this.#earlier.length) })
    const number = this.#numberOf(fields.sequence_number)
    if (number !== fields.sequence_number) edits.push({ path: ['sequence_number'], json: String(number) })
    const written = edits.length === 0 ? data : editJson(data, edits)
    if (typeof index === 'number') this.#note(type, index, fields, written)
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

  /** The repetitions at the end of a response, as they were written. */
  #outputEdits(response: Fields, event: WireEvent, { parts }: WireChanges): readonly JsonEdit[] {
    const places = responsePlaces(response.output, ['response', 'output'])
    const edits: JsonEdit[] = []
    const values =
      event.parts.length > 0 ? (parts ?? event.parts.map(({ value }) => value)) : this.#isChanged ? this.#valuesFor(places) : undefined
    for (const [index, { of, path, value }] of places.entries()) {
      const given = values?.[index] ?? value
      if (given === value) continue
      edits.push(...changedPlace({ response }, path, of === 'text', given))
    }
    const isOther = this.#isChanged || edits.length > 0
    if (isOther || this.#earlier.length > 0) {
      const texts =
        places.length === 0 ? [...this.#texts()] : places.flatMap(({ of }, index) => (of === 'text' ? [values?.[index] ?? ''] : []))
      // With items of earlier attempts, clients join the texts themselves.
      edits.push(...changedRepeats(response, ['response'], this.#earlier.length > 0 ? undefined : texts.join('')))
    }
    for (const json of this.#earlier) if (json !== noItem) edits.push({ path: ['response', 'output', 0], json, isNew: true })
    return edits
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
  const ended = { ...item, status: 'incomplete', ...(item.type === 'message' ? { content } : {}) }
  return [...events, { type: 'response.output_item.done', output_index: index, item: ended }]
}

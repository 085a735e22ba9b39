import type { ToolCall } from '../../answer/tool-calls.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { memberJson } from '../reply/verdict-body.ts'
import type { EventSink } from '../shared/sse-frames.ts'
import type { WireChanges, WireEvent, WireWriter } from '../shared/wire.ts'
import { isMessageEvent, type MessageEvent, type PlacedPart } from './message-event.ts'
import { toolInputText } from './tool-input.ts'

/** Whether an event begins a block of text. */
function beginsText(event: WireEvent): boolean {
  return isMessageEvent(event) && event.beginsText === true
}

/** Whether all text of an event was removed. */
function isEmpty(event: WireEvent, { parts }: WireChanges): boolean {
  return event.parts.every(({ of }, at) => of === 'text' && parts?.[at] === '')
}

/** Writes a stream of the Messages API to one client. */
export class MessageWriter implements WireWriter {
  readonly #out: EventSink
  /** Number of the client's open block. */
  #open: number | undefined
  /** The number of the next block. */
  #next = 0
  /** Offset of block numbers, because earlier attempts have shown some. */
  #shift = 0
  /** The released text of an event that can only be written as a whole. */
  #held: readonly string[] | undefined
  /** The start of a text block, which waits for its first text: an empty block is omitted. */
  #begun: { readonly number: number; readonly events: readonly (readonly [name: string, data: string])[]; isEmptied: boolean } | undefined
  /** The stop reason, if the provider's calls were replaced. */
  #stopReason: string | undefined

  constructor(out: EventSink) {
    this.#out = out
  }

  write(event: WireEvent, changes: WireChanges): void {
    if (this.#isLeftOut(event, changes)) return
    this.#begin()
    if (!changes.mayRemove || !beginsText(event) || !isEmpty(event, changes)) {
      this.#write(event, changes, this.#out)
      return
    }
    const events: [string, string][] = []
    this.#write(event, changes, { event: (name, data) => events.push([name, data]) })
    this.#begun = { number: this.#next - 1, events, isEmptied: event.parts.length > 0 }
  }

  #begin(): void {
    const begun = this.#begun
    this.#begun = undefined
    if (begun !== undefined) for (const [name, data] of begun.events) this.#out.event(name, data)
  }

  /** Whether an event belongs to a block that is empty so far. */
  #isLeftOut(event: WireEvent, changes: WireChanges): boolean {
    if (this.#begun === undefined || !isMessageEvent(event) || event.index === undefined) return false
    if (event.index + this.#shift !== this.#begun.number || !isEmpty(event, changes)) return false
    this.#begun.isEmptied ||= event.parts.length > 0
    if (!this.#begun.isEmptied) return false
    if (event.type !== 'content_block_stop') return true
    this.#begun = undefined
    this.#open = undefined
    this.#next--
    this.#shift--
    return true
  }

  #write(event: WireEvent, changes: WireChanges, out: EventSink): void {
    if (!isMessageEvent(event)) {
      out.event(event.name, event.data)
      return
    }
    const { type, index } = event
    const parts = this.#join(changes.parts)
    if (changes.isPartial) {
      if (type === 'content_block_delta' && index !== undefined) this.#part(index, event, changes.parts ?? [])
      else this.#held = parts
      return
    }
    this.#held = undefined
    const all = parts === undefined ? changes : { ...changes, parts }
    if (index === undefined) {
      this.#late(event, changes)
      out.event(event.name, this.#edited(event, all, 0))
      return
    }
    const number = index + this.#shift
    // The block that it would close was omitted.
    if (type === 'content_block_stop' && number >= this.#next) return
    if (type === 'content_block_stop' && parts) this.#deltas(number, event.parts, parts)
    this.#follow(type, number)
    out.event(event.name, this.#edited(event, all, this.#shift))
  }

  /** Fields that the end must report, and that the first event of a complete message has reported differently. */
  #late({ type, ends }: MessageEvent, { usage }: WireChanges): void {
    if (type !== 'message_stop' || ends === undefined || (this.#stopReason === undefined && usage === undefined)) return
    const delta = this.#stopReason === undefined ? {} : { stop_reason: this.#stopReason, stop_sequence: null }
    this.#event('message_delta', { delta, usage: usage ?? {} })
  }

  /** Starts another attempt: closes the blocks of the earlier one; block numbers continue. */
  turn(): void {
    this.#begin()
    this.#close()
    this.#shift = this.#next
    this.#held = undefined
  }

  /** Writes text in a separate block. */
  text(text: string): void {
    if (text !== '') this.#block({ type: 'text', text: '' }, { type: 'text_delta', text })
  }

  /** Writes calls, each in a separate block. */
  calls(calls: readonly ToolCall[]): void {
    this.#stopReason = calls.length === 0 ? 'end_turn' : 'tool_use'
    for (const { id, name, arguments: given } of calls) {
      this.#block({ type: 'tool_use', id, name, input: {} }, { type: 'input_json_delta', partial_json: toolInputText(given) })
    }
  }

  #block(block: object, delta: object): void {
    this.#begin()
    this.#close()
    const index = this.#next++
    this.#event('content_block_start', { index, content_block: block })
    this.#event('content_block_delta', { index, delta })
    this.#event('content_block_stop', { index })
  }

  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (open !== undefined) this.#event('content_block_stop', { index: open })
  }

  /** Notes the client's open block. */
  #follow(type: string, number: number): void {
    if (type === 'content_block_start') this.#open = number
    else if (type === 'content_block_stop') this.#open = undefined
    this.#next = Math.max(this.#next, number + 1)
  }

  /** Part of a delta; if its block is already closed, in a separate block. */
  #part(index: number, { parts }: MessageEvent, values: readonly string[]): void {
    const number = index + this.#shift
    if (this.#open !== undefined && this.#open !== number) this.text(values.join(''))
    else this.#deltas(number, parts, values)
  }

  /** Deltas for parts without an event. */
  #deltas(index: number, parts: readonly PlacedPart[], values: readonly string[]): void {
    for (const [at, { of }] of parts.entries()) {
      const value = values[at] ?? ''
      if (value === '') continue
      const delta = of === 'text' ? { type: 'text_delta', text: value } : { type: 'input_json_delta', partial_json: value }
      this.#event('content_block_delta', { index, delta })
    }
  }

  #event(type: string, fields: object): void {
    this.#out.event(type, JSON.stringify({ type, ...fields }))
  }

  #join(parts: readonly string[] | undefined): readonly string[] | undefined {
    const held = this.#held
    if (held === undefined || parts === undefined) return parts ?? held
    return parts.map((part, at) => (held[at] ?? '') + part)
  }

  /** The JSON of an event with its changes. */
  #edited(given: MessageEvent, { model, parts, usage, members }: WireChanges, shift: number): string {
    const { type, data, index, hasUsage, hasModel } = given
    const edits: JsonEdit[] = []
    if (shift !== 0 && index !== undefined) edits.push({ path: ['index'], json: String(index + shift) })
    if (parts !== undefined) for (const edit of partEdits(given.parts, parts)) edits.push(edit)
    if (model !== undefined && hasModel) edits.push({ path: ['message', 'model'], json: JSON.stringify(model) })
    if (type === 'message_delta') {
      if (usage !== undefined && hasUsage) edits.push({ path: ['usage'], json: JSON.stringify(usage) })
      if (this.#stopReason !== undefined) edits.push({ path: ['delta', 'stop_reason'], json: JSON.stringify(this.#stopReason) })
    }
    if (given.ends !== undefined) for (const name in members) edits.push({ path: [name], json: memberJson(members[name]) })
    return editJson(data, edits)
  }
}

/** The edits of parts with new values. */
export function partEdits(parts: readonly PlacedPart[], values: readonly string[]): JsonEdit[] {
  const edits: JsonEdit[] = []
  for (const [at, { path, isJson, value }] of parts.entries()) {
    const next = values[at] ?? value
    if (next !== value && path.length > 0) edits.push({ path, json: isJson ? toolInputText(next) : JSON.stringify(next) })
  }
  return edits
}

import type { ToolCall } from '../../answer/tool-calls.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { frame } from '../shared/frame.ts'
import type { WireChanges, WireEvent, WireWriter } from '../shared/wire.ts'
import { isMessageEvent, type MessageEvent, type PlacedPart } from './message-event.ts'
import { toolInputText } from './tool-input.ts'

/** Whether an event begins a block of text. */
function beginsText(event: WireEvent): boolean {
  return isMessageEvent(event) && event.beginsText === true
}

/** Whether nothing is left of the text of an event, if it had any. */
function isEmpty(event: WireEvent, { parts }: WireChanges): boolean {
  return event.parts.every(({ of }, at) => of === 'text' && parts?.[at] === '')
}

/** Writes a stream of the Messages API to one client. */
export class MessageWriter implements WireWriter {
  /** Number of the block that the client has open. */
  #open: number | undefined
  /** The number that a block would have which comes next. */
  #next = 0
  /** What is added to numbers of blocks, because earlier attempts have shown some. */
  #shift = 0
  /** Text of an event that can only be written as a whole, as far as it was released. */
  #held: readonly string[] | undefined
  /** The beginning of a block of text, which waits for the first of it: a block of which all was removed is left out. */
  #begun: { readonly number: number; readonly frame: string; isEmptied: boolean } | undefined
  /** Why the answer ended, when its calls are not those of the provider. */
  #stopReason: string | undefined

  /** Writes an event as complete frames. */
  write(event: WireEvent, changes: WireChanges): string {
    if (this.#isLeftOut(event, changes)) return ''
    const begun = this.#begin()
    const frames = this.#write(event, changes)
    if (!changes.mayRemove || !beginsText(event) || !isEmpty(event, changes)) return begun + frames
    this.#begun = { number: this.#next - 1, frame: frames, isEmptied: event.parts.length > 0 }
    return begun
  }

  #begin(): string {
    const begun = this.#begun?.frame ?? ''
    this.#begun = undefined
    return begun
  }

  /** Whether an event belongs to a block of which nothing is left so far. */
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

  #write(event: WireEvent, changes: WireChanges): string {
    if (!isMessageEvent(event)) return frame(event.name, event.data)
    const { type, index } = event
    const parts = this.#join(changes.parts)
    if (changes.isPartial) {
      if (type === 'content_block_delta' && index !== undefined) return this.#part(index, event, changes.parts ?? [])
      this.#held = parts
      return ''
    }
    this.#held = undefined
    const all = parts === undefined ? changes : { ...changes, parts }
    if (index === undefined) return this.#late(event, changes) + frame(event.name, this.#edited(event, all, 0))
    const number = index + this.#shift
    // The block that it would close was left out.
    if (type === 'content_block_stop' && number >= this.#next) return ''
    const late = type === 'content_block_stop' && parts ? deltas(number, event.parts, parts) : ''
    this.#follow(type, number)
    return late + frame(event.name, this.#edited(event, all, this.#shift))
  }

  /** What the end must report and a message that is whole from the start has said otherwise. */
  #late({ type, ends }: MessageEvent, { usage }: WireChanges): string {
    if (type !== 'message_stop' || ends === undefined || (this.#stopReason === undefined && usage === undefined)) return ''
    const delta = this.#stopReason === undefined ? {} : { stop_reason: this.#stopReason, stop_sequence: null }
    return event('message_delta', { delta, usage: usage ?? {} })
  }

  /** Another attempt begins: closes what the earlier one has left open; numbers of blocks go on. */
  turn(): string {
    const closed = this.#begin() + this.#close()
    this.#shift = this.#next
    this.#held = undefined
    return closed
  }

  /** Writes text in a block of its own. */
  text(text: string): string {
    return text === '' ? '' : this.#block({ type: 'text', text: '' }, { type: 'text_delta', text })
  }

  /** Writes calls, each in a block of its own. */
  calls(calls: readonly ToolCall[]): string {
    this.#stopReason = calls.length === 0 ? 'end_turn' : 'tool_use'
    let frames = ''
    for (const { id, name, arguments: given } of calls) {
      const block = { type: 'tool_use', id: id ?? `toolu_stickler_${this.#next}`, name, input: {} }
      frames += this.#block(block, { type: 'input_json_delta', partial_json: toolInputText(given) })
    }
    return frames
  }

  #block(block: object, delta: object): string {
    const closed = this.#begin() + this.#close()
    const index = this.#next++
    return (
      closed +
      event('content_block_start', { index, content_block: block }) +
      event('content_block_delta', { index, delta }) +
      event('content_block_stop', { index })
    )
  }

  #close(): string {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? '' : event('content_block_stop', { index: open })
  }

  /** Notes what the client has open. */
  #follow(type: string, number: number): void {
    if (type === 'content_block_start') this.#open = number
    else if (type === 'content_block_stop') this.#open = undefined
    this.#next = Math.max(this.#next, number + 1)
  }

  /** Part of a delta; where its block is closed already, a block of its own. */
  #part(index: number, { parts }: MessageEvent, values: readonly string[]): string {
    const number = index + this.#shift
    return this.#open !== undefined && this.#open !== number ? this.text(values.join('')) : deltas(number, parts, values)
  }

  #join(parts: readonly string[] | undefined): readonly string[] | undefined {
    const held = this.#held
    if (held === undefined || parts === undefined) return parts ?? held
    return parts.map((part, at) => (held[at] ?? '') + part)
  }

  /** The JSON of an event with what changed in it. */
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
    if (given.ends !== undefined)
      for (const [name, value] of Object.entries(members ?? {})) edits.push({ path: [name], json: JSON.stringify(value) })
    return editJson(data, edits)
  }
}

/** The changes of parts that got another value. */
export function partEdits(parts: readonly PlacedPart[], values: readonly string[]): JsonEdit[] {
  const edits: JsonEdit[] = []
  for (const [at, { path, isJson, value }] of parts.entries()) {
    const next = values[at] ?? value
    if (next !== value && path.length > 0) edits.push({ path, json: isJson ? toolInputText(next) : JSON.stringify(next) })
  }
  return edits
}

/** Deltas for parts that have no event of their own. */
function deltas(index: number, parts: readonly PlacedPart[], values: readonly string[]): string {
  let frames = ''
  for (const [at, { of }] of parts.entries()) {
    const value = values[at] ?? ''
    if (value === '') continue
    const delta = of === 'text' ? { type: 'text_delta', text: value } : { type: 'input_json_delta', partial_json: value }
    frames += event('content_block_delta', { index, delta })
  }
  return frames
}

function event(type: string, fields: object): string {
  return frame(type, JSON.stringify({ type, ...fields }))
}

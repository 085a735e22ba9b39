import { editJson, type JsonEdit } from '../edit-json.ts'
import { frame } from '../frame.ts'
import type { WireChanges, WireEvent, WireWriter } from '../wire.ts'
import { isMessageEvent, type MessageEvent, type PlacedPart } from './message-event.ts'
import { toolInputText } from './tool-input.ts'

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

  /** Writes an event as complete frames. */
  write(event: WireEvent, changes: WireChanges): string {
    if (!isMessageEvent(event)) return frame(event.name, event.data)
    const { type, index } = event
    const parts = this.#join(changes.parts)
    if (changes.isPartial) {
      if (type === 'content_block_delta' && index !== undefined) return deltas(this.#numbered(index), event.parts, changes.parts ?? [])
      this.#held = parts
      return ''
    }
    this.#held = undefined
    if (index === undefined) return frame(event.name, edited(event, { ...changes, ...(parts && { parts }) }, 0))
    const number = this.#follow(type, index)
    const late = type === 'content_block_stop' && parts ? deltas(number, event.parts, parts) : ''
    return late + frame(event.name, edited(event, { ...changes, ...(parts && { parts }) }, this.#shift))
  }

  /** Another attempt begins: closes what the earlier one has left open; numbers of blocks go on. */
  turn(): string {
    const open = this.#open
    this.#open = undefined
    this.#shift = this.#next
    this.#held = undefined
    return open === undefined ? '' : frame('content_block_stop', JSON.stringify({ type: 'content_block_stop', index: open }))
  }

  /** Notes what the client has open. */
  #follow(type: string, index: number): number {
    const number = this.#numbered(index)
    if (type === 'content_block_start') this.#open = number
    else if (type === 'content_block_stop') this.#open = undefined
    this.#next = Math.max(this.#next, number + 1)
    return number
  }

  #numbered(index: number): number {
    return index + this.#shift
  }

  #join(parts: readonly string[] | undefined): readonly string[] | undefined {
    const held = this.#held
    if (held === undefined || parts === undefined) return parts ?? held
    return parts.map((part, at) => (held[at] ?? '') + part)
  }
}

/** The JSON of an event with what changed in it. */
function edited(event: MessageEvent, { model, parts, usage, members }: WireChanges, shift: number): string {
  const { type, data } = event
  const edits: JsonEdit[] = []
  if (shift > 0 && event.index !== undefined) edits.push({ path: ['index'], json: String(event.index + shift) })
  if (parts !== undefined) edits.push(...partEdits(event.parts, parts))
  if (type === 'message_start' && model !== undefined && /"model"\s*:/.test(data))
    edits.push({ path: ['message', 'model'], json: JSON.stringify(model) })
  if (type === 'message_delta') {
    if (usage !== undefined && event.hasUsage) edits.push({ path: ['usage'], json: JSON.stringify(usage) })
    for (const [name, value] of Object.entries(members ?? {})) edits.push({ path: [name], json: JSON.stringify(value) })
  }
  return editJson(data, edits)
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
    frames += frame('content_block_delta', JSON.stringify({ type: 'content_block_delta', index, delta }))
  }
  return frames
}

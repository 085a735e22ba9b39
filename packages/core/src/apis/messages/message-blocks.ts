import { readFinishReason, worseFinish } from '../../answer/finish-reason.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { ToolCall } from '../../answer/tool-shapes/tool-call.ts'
import { refusal, unreadText } from '../../engine/check/unreadable-content.ts'
import { utf8Length } from '../../engine/tokens/estimate-tokens.ts'
import { endOf } from '../shared/choice-end.ts'
import type { ChoiceEnd } from '../shared/choice-event.ts'
import { needRoom } from '../shared/parse-reply.ts'
import { protocolFailure } from '../shared/provider-error.ts'
import { unplaced, type WireReference } from '../shared/references.ts'
import type { WireListener } from '../shared/wire.ts'
import type { PlacedPart } from './message-event.ts'
import { blockReferences, deltaReference } from './message-references.ts'
import { mergeUsage, usageOf } from './message-usage.ts'

type Path = PlacedPart['path']

interface OpenBlock {
  readonly block: Fields
  /** Position among the tool calls; undefined for every other block. */
  readonly call: number | undefined
  /** The accumulated thinking or arguments. */
  readonly pieces: string[]
  /** Parts of the event with the whole input of a tool. */
  readonly whole: PlacedPart[]
  signature?: string
}

const none: readonly PlacedPart[] = []

/** Blocks that are not an answer without text: thinking, and inputs and results of tools. */
const read = /^(?:text|(?:redacted_)?thinking|\w*tool_(?:use|result))$/

/** Types that may be repeated in an error. */
const plainType = /^[a-z_]{1,60}$/

/** Reads the blocks of a message for the engine, and returns which pieces are checked. */
export class MessageBlocks {
  readonly #listener: WireListener
  readonly #text: string[] = []
  readonly #reasoning: string[] = []
  readonly #thoughts: Fields[] = []
  readonly #calls: (Pick<ToolCall, 'id' | 'name'> & { arguments: string })[] = []
  readonly #references: WireReference[] = []
  readonly #open = new Map<unknown, OpenBlock>()
  /** The number of blocks, and whether the last is open. */
  #count = 0
  #isOpen = false
  #usage: Fields | undefined
  #stopReason: string | undefined
  #stopSequence: string | undefined
  /** The first block of an unknown type. */
  #unread: string | undefined
  #hasUnread = false

  constructor(listener: WireListener) {
    this.#listener = listener
  }

  /** Whether the model has sent a stop reason. */
  get finished(): boolean {
    return this.#stopReason !== undefined
  }

  /** The type of an open block. */
  typeOf(index: unknown): unknown {
    return this.#open.get(index)?.block.type
  }

  /** Notes that the message has content that is not checked. */
  foundUnread(): void {
    this.#hasUnread = true
  }

  /** Reads the fields beside the blocks, of a whole message or of an event. */
  head({ id, model, usage, stop_reason: reason, stop_sequence: sequence }: Fields): void {
    this.#stopReason = worseFinish(this.#stopReason, readFinishReason(reason))
    if (typeof sequence === 'string') this.#stopSequence = sequence
    if (isFields(usage)) this.#usage = mergeUsage(this.#usage, usage)
    const counts = this.#usage && usageOf(this.#usage)
    this.#listener.head({
      ...(typeof id === 'string' && id !== '' ? { id } : {}),
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      ...(counts && { usage: counts }),
      ...(isFields(usage) && this.#usage ? { rawUsage: this.#usage } : {}),
    })
  }

  /** Takes the start of a block, or a whole one; `input` is the JSON text of a tool's input. */
  start(index: unknown, block: Fields, path: Path, input: string): readonly PlacedPart[] {
    const { type } = block
    if (this.#listener.isGuarded) this.#needNext(index, type)
    needRoom(++this.#count)
    this.#isOpen = true
    if (typeof type === 'string' && !read.test(type))
      this.#unread ??= plainType.test(type) ? `a block of type ${type}` : 'a block of an unknown type'
    for (const reference of unplaced(blockReferences(block, path))) this.#references.push(reference)
    const parts: PlacedPart[] = []
    const call = type === 'tool_use' ? this.#startCall(block, path, input, parts) : undefined
    this.#open.set(index, { block, call, pieces: [], whole: call === undefined ? [] : parts })
    if (type === 'text' && typeof block.text === 'string' && block.text !== '') parts.push(this.#say(block.text, [...path, 'text']))
    else if (type === 'thinking') this.#think(block.thinking)
    return parts
  }

  /** Takes a delta of a block. */
  delta(index: unknown, delta: Fields): readonly PlacedPart[] {
    const { type, text, thinking, partial_json: json, signature } = delta
    if (this.#listener.isGuarded) this.#needOpen(index, type)
    if (type === 'text_delta') return typeof text === 'string' && text !== '' ? [this.#say(text, textPath)] : none
    const open = this.#open.get(index)
    if (type === 'thinking_delta') {
      this.#think(thinking)
      if (typeof thinking === 'string') open?.pieces.push(thinking)
    } else if (type === 'input_json_delta' && open?.call !== undefined && typeof json === 'string' && json !== '') {
      return this.#addInput(open, open.call, json)
    } else if (type === 'signature_delta' && open !== undefined && typeof signature === 'string') open.signature = signature
    for (const reference of unplaced(deltaReference(delta))) this.#references.push(reference)
    needRoom(this.#references.length)
    return none
  }

  /** Takes the end of a block. */
  stop(index: unknown): readonly PlacedPart[] {
    const open = this.#open.get(index)
    if (open === undefined) return none
    this.#open.delete(index)
    if (index === this.#count - 1) this.#isOpen = false
    const { block, call, pieces, whole, signature } = open
    if (call !== undefined) {
      const hasInput = pieces.length > 0 || whole.some(({ isJson }) => isJson)
      return hasInput ? none : [{ choice: 0, of: call, value: '', path: [] }]
    }
    if (block.type === 'thinking') {
      const begun = typeof block.thinking === 'string' ? block.thinking : ''
      this.#keepThought({ ...block, thinking: begun + pieces.join(''), ...(signature === undefined ? {} : { signature }) })
    } else if (block.type === 'redacted_thinking') this.#keepThought(block)
    return none
  }

  /** Ends the message. */
  end(): void {
    for (const index of [...this.#open.keys()]) this.stop(index)
    const { finishReason, finishMissing } = endOf(this.#stopReason, false, this.#listener.alwaysEnds)
    const refused = finishReason === 'refusal'
    const isSilent = this.#calls.length === 0 && this.#text.every((text) => text.trim() === '')
    const unread = this.#hasUnread ? unreadText : isSilent ? (refused ? refusal : this.#unread) : undefined
    const end: ChoiceEnd = {
      type: 'end',
      ...(finishReason === undefined ? {} : { finishReason }),
      ...(finishMissing === undefined ? {} : { finishMissing }),
      wire: 'messages',
      toolCalls: this.#calls,
      refused,
      ...(unread === undefined ? {} : { unread }),
      message: this.#message(),
      ...(this.#references.length === 0 ? {} : { references: this.#references }),
      fields: this.#stopSequence === undefined ? {} : { stop_sequence: this.#stopSequence },
    }
    this.#listener.see(0, end)
  }

  /** Clients number blocks in order, so a block with another number would change one that was checked. */
  #needNext(index: unknown, type: unknown): void {
    if (index !== this.#count) throw protocolFailure(`the message has a block at ${quoted(index)} where block ${this.#count} was expected`)
    if (typeof type !== 'string') throw protocolFailure(`block ${this.#count} of the message has no type`)
  }

  /** A delta must be for the last, open block and of its type: clients merge blocks by number, the check in order. */
  #needOpen(index: unknown, type: unknown): void {
    const last = this.#count - 1
    const block = index === last && this.#isOpen ? this.#open.get(index)?.block : undefined
    if (block === undefined) throw protocolFailure(`the message adds to block ${quoted(index)}, which is not open`)
    const isFitting =
      type === 'text_delta' ? block.type === 'text' : type !== 'input_json_delta' || !(block.type === 'text' || block.type === 'thinking')
    if (!isFitting) throw protocolFailure(`the message adds a ${type} to block ${last}, which is of another kind`)
  }

  /** The message in the format of chat completions. */
  #message(): Fields {
    const text = this.#text.join('')
    const calls = this.#calls.map(({ id, name, arguments: given }) => ({
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name, arguments: given },
    }))
    return {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(this.#reasoning.length === 0 ? {} : { reasoning_content: this.#reasoning.join('') }),
      ...(this.#thoughts.length === 0 ? {} : { thinking_blocks: this.#thoughts }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
  }

  #startCall({ id, name, input }: Fields, path: Path, source: string, parts: PlacedPart[]): number {
    const of = this.#calls.length
    const isWhole = isFields(input) && Object.keys(input).length > 0
    const called = typeof name === 'string' ? name : ''
    this.#calls.push({ ...(typeof id === 'string' ? { id } : {}), name: called, arguments: isWhole ? source : '{}' })
    if (typeof name === 'string') parts.push({ choice: 0, of, isName: true, value: called, path: [...path, 'name'] })
    if (isWhole) parts.push({ choice: 0, of, value: source, path: [...path, 'input'], isJson: true })
    return of
  }

  #addInput({ pieces, whole }: OpenBlock, of: number, json: string): readonly PlacedPart[] {
    const call = this.#calls[of]
    if (call === undefined) return none
    // Deltas replace the initial value of the block.
    const at = pieces.length === 0 ? whole.findIndex(({ isJson }) => isJson) : -1
    if (at >= 0) whole.splice(at, 1)
    call.arguments = pieces.length === 0 ? json : call.arguments + json
    pieces.push(json)
    // Calls are reported at the end, but counted as they arrive.
    this.#listener.receive(utf8Length(json))
    return [{ choice: 0, of, value: json, path: inputPath }]
  }

  #say(text: string, path: Path): PlacedPart {
    this.#text.push(text)
    this.#listener.see(0, { type: 'text', text })
    return { choice: 0, of: 'text', value: text, path }
  }

  #think(text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this.#reasoning.push(text)
    this.#listener.see(0, { type: 'fields', fields: { reasoning_content: text } })
  }

  /** Thinking must be sent back with its signature, unchanged. */
  #keepThought(thought: Fields): void {
    this.#thoughts.push(thought)
    this.#listener.see(0, { type: 'fields', fields: { thinking_blocks: [thought] } })
  }
}

function quoted(index: unknown): string {
  return String(JSON.stringify(index)).slice(0, 40)
}

const textPath: Path = ['delta', 'text']
const inputPath: Path = ['delta', 'partial_json']

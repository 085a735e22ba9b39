import type { RunnerFailure } from '@stickler/core'
import { errorObjectFailure, protocolFailure, readFinishReason, worseFinish } from '@stickler/core/runners'
import { type ChoiceEvent, chatHead, choiceEnd, type Endings, elementSources, memberSource } from '@stickler/core/wire'
import { isRecord, parseJson } from '../transport/json.ts'
import { count } from '../usage.ts'
import type { HeadAssembly } from './reply-head.ts'

type Fields = Readonly<Record<string, unknown>>

interface OpenBlock {
  readonly block: Record<string, unknown>
  readonly pieces: string[]
}

/** Reads an answer of the Messages API, whole or in events, into one choice. */
export class MessageReader {
  readonly #head: HeadAssembly
  readonly #endings: Endings
  readonly #text: string[] = []
  readonly #reasoning: string[] = []
  readonly #thoughts: Fields[] = []
  readonly #calls: Fields[] = []
  readonly #open = new Map<unknown, OpenBlock>()
  #usage: Record<string, unknown> = {}
  #stopReason: string | undefined
  #stopSequence: string | undefined
  #emit: (event: ChoiceEvent) => void = () => {}

  constructor(head: HeadAssembly, finishReasons: 'always' | 'sometimes') {
    this.#head = head
    this.#endings = { always: finishReasons === 'always', wire: 'messages' }
  }

  /** Whether the model has said that it is done. */
  get finished(): boolean {
    return this.#stopReason !== undefined
  }

  /** Says where events go from now on. */
  sendTo(emit: (event: ChoiceEvent) => void): void {
    this.#emit = emit
  }

  /** Reads a message that came in one piece. */
  readWhole(body: string): void {
    const message = parseJson(body)
    if (!isRecord(message)) throw protocolFailure(body.trim() === '' ? 'the response is empty' : 'the response is not a JSON object', body)
    this.#throwError(message)
    if (!Array.isArray(message.content)) throw protocolFailure('the response has no content', body)
    this.#takeMessage(message)
    const hasCalls = message.content.some((block) => isRecord(block) && block.type === 'tool_use')
    // As it is written: JavaScript cannot hold every number.
    const sources = hasCalls ? elementSources(memberSource(body, 'content') ?? '') : []
    for (const [index, block] of message.content.entries()) {
      if (!isRecord(block)) continue
      this.#startBlock(index, block)
      const input = block.type === 'tool_use' && isRecord(block.input) ? memberSource(sources[index] ?? '', 'input') : undefined
      if (input !== undefined) this.#open.get(index)?.pieces.push(input)
      this.#stopBlock(index)
    }
  }

  /** Takes one event of a stream; true when it was the last one. */
  take(_event: string, data: Fields): boolean {
    const { type, index, delta } = data
    this.#throwError(data)
    if (type === 'message_start' && isRecord(data.message)) this.#takeMessage(data.message)
    else if (type === 'content_block_start' && isRecord(data.content_block)) this.#startBlock(index, data.content_block)
    else if (type === 'content_block_delta' && isRecord(delta)) this.#takeDelta(index, delta)
    else if (type === 'content_block_stop') this.#stopBlock(index)
    else if (type === 'message_delta') this.#takeMessage({ ...(isRecord(delta) ? delta : {}), usage: data.usage })
    return type === 'message_stop'
  }

  /** The last event. */
  end(): void {
    for (const index of [...this.#open.keys()]) this.#stopBlock(index)
    const text = this.#text.join('')
    const message = {
      role: 'assistant',
      content: text === '' && this.#calls.length > 0 ? null : text,
      ...(this.#reasoning.length === 0 ? {} : { reasoning_content: this.#reasoning.join('') }),
      ...(this.#thoughts.length === 0 ? {} : { thinking_blocks: this.#thoughts }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    }
    const fields = this.#stopSequence === undefined ? {} : { stop_sequence: this.#stopSequence }
    this.#emit(choiceEnd(message, this.#stopReason, this.#endings, fields))
  }

  #throwError(data: Fields): void {
    const failure = errorObjectFailure(data)
    if (failure !== undefined) throw failure satisfies RunnerFailure
  }

  #takeMessage({ id, model, usage, stop_reason: reason, stop_sequence: sequence }: Fields): void {
    this.#stopReason = worseFinish(this.#stopReason, readFinishReason(reason))
    if (typeof sequence === 'string') this.#stopSequence = sequence
    if (isRecord(usage))
      this.#usage = { ...this.#usage, ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)) }
    this.#head.take(chatHead({ id, model, ...(isRecord(usage) ? { usage: openaiUsage(this.#usage) } : {}) }))
  }

  #startBlock(index: unknown, block: Record<string, unknown>): void {
    this.#open.set(index, { block, pieces: [] })
    if (block.type === 'text') this.#say(block.text)
    else if (block.type === 'thinking') this.#think(block.thinking)
  }

  #takeDelta(index: unknown, delta: Fields): void {
    const open = this.#open.get(index)
    if (delta.type === 'text_delta') this.#say(delta.text)
    else if (delta.type === 'thinking_delta') this.#think(delta.thinking)
    if (open === undefined) return
    const piece = delta.type === 'thinking_delta' ? delta.thinking : delta.type === 'input_json_delta' ? delta.partial_json : undefined
    if (typeof piece === 'string') open.pieces.push(piece)
    // Calls are told at the end, but paid for as they come.
    if (typeof piece === 'string' && delta.type === 'input_json_delta') this.#head.receive(Buffer.byteLength(piece))
    if (delta.type === 'signature_delta' && typeof delta.signature === 'string') open.block.signature = delta.signature
  }

  #stopBlock(index: unknown): void {
    const open = this.#open.get(index)
    if (open === undefined) return
    this.#open.delete(index)
    const { block, pieces } = open
    if (block.type === 'tool_use') this.#calls.push(toolCall(block, pieces.join('')))
    else if (block.type === 'thinking')
      this.#keepThought({ ...block, thinking: `${typeof block.thinking === 'string' ? block.thinking : ''}${pieces.join('')}` })
    else if (block.type === 'redacted_thinking') this.#keepThought(block)
  }

  #say(text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this.#text.push(text)
    this.#emit({ type: 'text', text })
  }

  #think(text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this.#reasoning.push(text)
    this.#emit({ type: 'fields', fields: { reasoning_content: text } })
  }

  /** Thoughts must be sent back with their signature, exactly as they came. */
  #keepThought(thought: Fields): void {
    this.#thoughts.push(thought)
    this.#emit({ type: 'fields', fields: { thinking_blocks: [thought] } })
  }
}

function toolCall({ id, name, input }: Fields, written: string): Fields {
  const given = written === '' ? JSON.stringify(input ?? {}) : written
  return { ...(typeof id === 'string' ? { id } : {}), type: 'function', function: { name: String(name ?? ''), arguments: given } }
}

/** Anthropic counts tokens of the cache beside the others, OpenAI among them. */
function openaiUsage(usage: Fields): Fields {
  const read = count(usage.cache_read_input_tokens)
  const written = count(usage.cache_creation_input_tokens)
  const prompt = (count(usage.input_tokens) ?? 0) + (read ?? 0) + (written ?? 0)
  const completion = count(usage.output_tokens) ?? 0
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(read === undefined ? {} : { prompt_tokens_details: { cached_tokens: read }, cache_read_input_tokens: read }),
    ...(written === undefined ? {} : { cache_creation_input_tokens: written }),
  }
}

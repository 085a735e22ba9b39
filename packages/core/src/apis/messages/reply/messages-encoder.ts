import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import { reasoningOf, refusalOf } from '../../reply/reasoning-fields.ts'
import { callId } from '../../reply/reply-ids.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame, StreamEncoder } from '../../shared/api.ts'
import type { ClientError } from '../../shared/client-error.ts'
import type { EventSink } from '../../shared/sse-frames.ts'
import { messagesUsage } from '../message-usage.ts'
import { toolInputText } from '../tool-input.ts'
import { messagesErrorBody } from './messages-error.ts'
import { messageHead, messagesVerdict } from './messages-reply.ts'
import { stopOf } from './stop-reason.ts'

const nothingYet = { usage: { promptTokens: 0, completionTokens: 0 } }
const blocks = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
} satisfies Record<string, Fields>

/** Writes a stream of the Messages API: blocks one after the other, each opened and closed. */
export class MessagesEncoder implements StreamEncoder {
  readonly #request: ClientRequest
  readonly #out: EventSink
  #id = ''
  /** Number of the open block, or of the next one. */
  #index = 0
  #open: keyof typeof blocks | undefined
  /** Whether thinking was sent without its signature so far. */
  #isThoughtTold = false

  constructor(request: ClientRequest, out: EventSink) {
    this.#request = request
    this.#out = out
  }

  begin(frame: ReplyFrame): void {
    this.#id = frame.id
    const message = { ...messageHead(frame), content: [], stop_reason: null, stop_sequence: null, usage: messagesUsage(nothingYet) }
    this.#event('message_start', { message })
  }

  text(_choice: number, text: string): void {
    if (text !== '') this.#block('text')
    for (const piece of pieces(text)) this.#delta({ type: 'text_delta', text: piece })
  }

  fields(choice: number, fields: Fields): void {
    this.#think(reasoningOf(fields))
    if (Array.isArray(fields.thinking_blocks)) for (const thought of fields.thinking_blocks) this.#thought(thought)
    this.text(choice, refusalOf(fields))
  }

  end(choice: FinalChoice): void {
    this.#close()
    for (const [position, call] of choice.toolCalls.entries()) {
      this.#start({ type: 'tool_use', id: callId(call, this.#id, choice.index, position), name: call.name, input: {} })
      for (const piece of pieces(toolInputText(call.arguments))) this.#delta({ type: 'input_json_delta', partial_json: piece })
      this.#stop()
    }
  }

  finish(reply: FinalReply): void {
    const [choice] = reply.choices
    const delta = choice ? stopOf(choice, this.#request.body.stop_sequences) : { stop_reason: null, stop_sequence: null }
    this.#event('message_delta', { delta, usage: messagesUsage(reply), ...messagesVerdict(reply) })
    this.#event('message_stop', {})
  }

  error(error: ClientError): void {
    this.#out.event('error', JSON.stringify(messagesErrorBody(error)))
  }

  #think(text: string): void {
    if (text === '') return
    this.#block('thinking')
    for (const thinking of pieces(text)) this.#delta({ type: 'thinking_delta', thinking })
    this.#isThoughtTold = true
  }

  /** A complete thinking block; its text has usually been sent before, and only the signature is new. */
  #thought(thought: unknown): void {
    if (!isFields(thought)) return
    if (thought.type === 'redacted_thinking') {
      this.#close()
      this.#start(thought)
      this.#stop()
      return
    }
    if (typeof thought.thinking === 'string' && !this.#isThoughtTold) this.#think(thought.thinking)
    const { signature } = thought
    if (typeof signature !== 'string' || signature === '') return
    // Some thinking has only a signature.
    if (thought.thinking === '') this.#block('thinking')
    this.#isThoughtTold = false
    if (this.#open !== 'thinking') return
    this.#delta({ type: 'signature_delta', signature })
    this.#close()
  }

  /** Opens a block of that kind unless it is open already. */
  #block(kind: keyof typeof blocks): void {
    if (this.#open === kind) return
    this.#close()
    this.#open = kind
    this.#start(blocks[kind])
  }

  #start(block: Fields): void {
    this.#event('content_block_start', { index: this.#index, content_block: block })
  }

  #close(): void {
    if (this.#open === undefined) return
    this.#open = undefined
    this.#stop()
  }

  #stop(): void {
    this.#event('content_block_stop', { index: this.#index++ })
  }

  #delta(delta: Fields): void {
    this.#event('content_block_delta', { index: this.#index, delta })
  }

  #event(type: string, fields: Fields): void {
    this.#out.event(type, JSON.stringify({ type, ...fields }))
  }
}

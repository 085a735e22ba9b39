import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import { reasoningOf, refusalOf } from '../../reply/reasoning.ts'
import { callId } from '../../reply/reply-ids.ts'
import { eventFrame, lineJson } from '../../reply/sse.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame, StreamEncoder } from '../../shared/api.ts'
import type { ClientError } from '../../shared/client-error.ts'
import { toolInputText } from '../tool-input.ts'
import { messagesErrorBody } from './messages-error.ts'
import { messageHead, messagesVerdict } from './messages-reply.ts'
import { messagesUsage } from '../message-usage.ts'
import { stopOf } from './stop-reason.ts'

const ping = eventFrame('ping', '{"type":"ping"}')
const nothingYet = { usage: { promptTokens: 0, completionTokens: 0 } }
const blocks = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
} satisfies Record<string, Fields>

/** Writes a stream of the Messages API: blocks one after the other, each opened and closed. */
export class MessagesEncoder implements StreamEncoder {
  readonly #request: ClientRequest
  #id = ''
  /** Number of the block that is open, or comes next. */
  #index = 0
  #open: keyof typeof blocks | undefined
  /** Whether thinking has been told whose signature has not come yet. */
  #isThoughtTold = false

  constructor(request: ClientRequest) {
    this.#request = request
  }

  begin(frame: ReplyFrame): string {
    this.#id = frame.id
    const message = { ...messageHead(frame), content: [], stop_reason: null, stop_sequence: null, usage: messagesUsage(nothingYet) }
    return event('message_start', { message })
  }

  text(_choice: number, text: string): string {
    let frames = text === '' ? '' : this.#block('text')
    for (const piece of pieces(text)) frames += this.#delta({ type: 'text_delta', text: piece })
    return frames
  }

  fields(choice: number, fields: Fields): string {
    let frames = this.#think(reasoningOf(fields))
    if (Array.isArray(fields.thinking_blocks)) for (const thought of fields.thinking_blocks) frames += this.#thought(thought)
    return frames + this.text(choice, refusalOf(fields))
  }

  end(choice: FinalChoice): string {
    let frames = this.#close()
    for (const [position, call] of choice.toolCalls.entries()) {
      const block = { type: 'tool_use', id: callId(call, this.#id, choice.index, position), name: call.name, input: {} }
      frames += this.#start(block)
      for (const piece of pieces(toolInputText(call.arguments))) frames += this.#delta({ type: 'input_json_delta', partial_json: piece })
      frames += this.#stop()
    }
    return frames
  }

  finish(reply: FinalReply): string {
    const [choice] = reply.choices
    const delta = choice ? stopOf(choice, this.#request.body.stop_sequences) : { stop_reason: null, stop_sequence: null }
    const last = { delta, usage: messagesUsage(reply), ...messagesVerdict(reply) }
    return event('message_delta', last) + event('message_stop', {})
  }

  error(error: ClientError): string {
    return eventFrame('error', lineJson(messagesErrorBody(error)))
  }

  progress(): string {
    return ''
  }

  heartbeat(): string {
    return ping
  }

  #think(text: string): string {
    let frames = text === '' ? '' : this.#block('thinking')
    for (const thinking of pieces(text)) frames += this.#delta({ type: 'thinking_delta', thinking })
    this.#isThoughtTold ||= text !== ''
    return frames
  }

  /** A block of thinking that is complete; its text has mostly been told before, and only the signature is new. */
  #thought(thought: unknown): string {
    if (!isFields(thought)) return ''
    if (thought.type === 'redacted_thinking') return this.#close() + this.#start(thought) + this.#stop()
    let frames = typeof thought.thinking === 'string' && !this.#isThoughtTold ? this.#think(thought.thinking) : ''
    const { signature } = thought
    if (typeof signature !== 'string' || signature === '') return frames
    // Some thoughts are nothing but their signature.
    if (thought.thinking === '') frames += this.#block('thinking')
    this.#isThoughtTold = false
    if (this.#open !== 'thinking') return frames
    frames += this.#delta({ type: 'signature_delta', signature })
    return frames + this.#close()
  }

  /** Opens a block of that kind unless it is open already. */
  #block(kind: keyof typeof blocks): string {
    if (this.#open === kind) return ''
    const closed = this.#close()
    this.#open = kind
    return closed + this.#start(blocks[kind])
  }

  #start(block: Fields): string {
    return event('content_block_start', { index: this.#index, content_block: block })
  }

  #close(): string {
    if (this.#open === undefined) return ''
    this.#open = undefined
    return this.#stop()
  }

  #stop(): string {
    return event('content_block_stop', { index: this.#index++ })
  }

  #delta(delta: Fields): string {
    return event('content_block_delta', { index: this.#index, delta })
  }
}

function event(type: string, fields: Fields): string {
  return eventFrame(type, lineJson({ type, ...fields }))
}

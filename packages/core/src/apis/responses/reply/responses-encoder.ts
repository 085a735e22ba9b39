import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import { reasoningOf, refusalOf } from '../../reply/reasoning.ts'
import { callId } from '../../reply/reply-ids.ts'
import { heartbeatFrame } from '../../reply/sse.ts'
import { replyMembers } from '../../reply/verdict-body.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame, StreamEncoder } from '../../shared/api.ts'
import { type ClientError, openaiErrorBody } from '../../shared/client-error.ts'
import { EventWriter } from './event-writer.ts'
import { type ItemPlace, itemAdded, itemDone } from './item-writer.ts'
import { MessageWriter } from './message-writer.ts'
import { callItem, type ItemStatus, itemId, readAnnotations, readLogprobs } from './output-items.ts'
import { ReasoningWriter } from './reasoning-writer.ts'
import { inProgress, statusOf } from '../response-status.ts'
import { responseObject } from './response-object.ts'
import { responseUsage } from '../response-usage.ts'

/** Writes a stream of the Responses API: items one after the other, each opened and closed, between the two states of the response. */
export class ResponsesEncoder implements StreamEncoder {
  readonly #request: ClientRequest
  readonly #events = new EventWriter()
  readonly #output: Fields[] = []
  #open: MessageWriter | ReasoningWriter | undefined
  #id = ''
  #created = 0

  constructor(request: ClientRequest) {
    this.#request = request
  }

  begin(frame: ReplyFrame): string {
    this.#id = frame.id
    this.#created = frame.created
    const response = responseObject(this.#request, frame, inProgress, [])
    return this.#events.event('response.created', { response }) + this.#events.event('response.in_progress', { response })
  }

  text(_choice: number, text: string, logprobs?: unknown): string {
    return text === '' && logprobs === undefined ? '' : this.#onMessage((message) => message.text(text, readLogprobs(logprobs)))
  }

  fields(_choice: number, fields: Fields): string {
    const reasoning = reasoningOf(fields)
    const refusal = refusalOf(fields)
    const annotations = readAnnotations(fields.annotations)
    let frames = reasoning === '' ? '' : this.#onReasoning((item) => item.text(reasoning))
    if (refusal !== '') frames += this.#onMessage((message) => message.refusal(refusal))
    if (annotations.length > 0) frames += this.#onMessage((message) => message.annotations(annotations))
    return frames
  }

  end(choice: FinalChoice): string {
    const { status } = statusOf(choice)
    const isSilent = choice.toolCalls.length === 0 && this.#open?.kind !== 'message' && this.#output.every(({ type }) => type !== 'message')
    let frames = isSilent ? this.#onMessage((message) => message.text('', [])) : ''
    frames += this.#close(status)
    for (const [position, call] of choice.toolCalls.entries()) {
      frames += this.#call(callId(call, this.#id, choice.index, position), call.name, call.arguments, status)
    }
    return frames
  }

  finish(reply: FinalReply): string {
    const end = statusOf(reply.choices[0])
    // A later attempt may have another id than the one that the stream started with.
    const frame = { ...reply, id: this.#id, created: this.#created }
    const response = {
      ...responseObject(this.#request, frame, end, this.#output),
      usage: responseUsage(reply),
      ...replyMembers(reply),
    }
    return this.#events.event(`response.${end.status}`, { response })
  }

  error(error: ClientError): string {
    const { code, message, param } = error
    // The event has the error at its top level; the SDK throws only when `error` is in it too.
    return this.#events.event('error', { ...openaiErrorBody(error), code, message, param })
  }

  progress(): string {
    return ''
  }

  heartbeat(): string {
    return heartbeatFrame
  }

  #onMessage(write: (message: MessageWriter) => string): string {
    if (this.#open?.kind === 'message') return write(this.#open)
    const closed = this.#close('completed')
    const message = new MessageWriter(this.#events, this.#place('msg'))
    this.#open = message
    return closed + message.open() + write(message)
  }

  #onReasoning(write: (reasoning: ReasoningWriter) => string): string {
    if (this.#open?.kind === 'reasoning') return write(this.#open)
    const closed = this.#close('completed')
    const reasoning = new ReasoningWriter(this.#events, this.#place('rs'))
    this.#open = reasoning
    return closed + reasoning.open() + write(reasoning)
  }

  #close(status: ItemStatus): string {
    if (this.#open === undefined) return ''
    const frames = this.#open.close(status)
    this.#output.push(this.#open.item(status))
    this.#open = undefined
    return frames
  }

  #call(id: string, name: string, args: string, status: ItemStatus): string {
    const place = this.#place('fc')
    let frames = itemAdded(this.#events, place, callItem(place.item_id, id, name, '', 'in_progress'))
    for (const delta of pieces(args)) frames += this.#events.event('response.function_call_arguments.delta', { ...place, delta })
    frames += this.#events.event('response.function_call_arguments.done', { ...place, name, arguments: args })
    const item = callItem(place.item_id, id, name, args, status)
    this.#output.push(item)
    return frames + itemDone(this.#events, place, item)
  }

  #place(kind: 'rs' | 'msg' | 'fc'): ItemPlace {
    return { item_id: itemId(kind, this.#id, this.#output.length), output_index: this.#output.length }
  }
}

import type { ToolCall } from '../../../answer/tool-calls.ts'
import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { pieces } from '../../reply/pieces.ts'
import { reasoningOf, refusalOf } from '../../reply/reasoning-fields.ts'
import { callId } from '../../reply/reply-ids.ts'
import { replyMembers } from '../../reply/verdict-body.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame, StreamEncoder } from '../../shared/api.ts'
import { type ClientError, openaiErrorBody } from '../../shared/client-error.ts'
import type { EventSink } from '../../shared/sse-frames.ts'
import { inProgress, statusOf } from '../response-status.ts'
import { responseUsage } from '../response-usage.ts'
import {
  callItem,
  type ItemStatus,
  itemId,
  messageItem,
  readAnnotations,
  readLogprobs,
  reasoningItem,
  refusalPart,
  summaryPart,
  textPart,
} from './output-items.ts'
import { responseObject } from './response-object.ts'

/** The position of an item in the output. */
export interface ItemPlace {
  readonly item_id: string
  readonly output_index: number
}

/** Writes the events of one item of the output, piece by piece. */
interface ItemWriter {
  readonly kind: 'reasoning' | 'message'
  open(): void
  close(status: ItemStatus): void
  /** The item in its current state. */
  item(status: ItemStatus): Fields
}

/** The event with which an item begins. */
function itemAdded(events: NumberedEvents, { output_index }: ItemPlace, item: Fields): void {
  events.event('response.output_item.added', { output_index, item })
}

/** The event with which an item ends. */
function itemDone(events: NumberedEvents, { output_index }: ItemPlace, item: Fields): void {
  events.event('response.output_item.done', { output_index, item })
}

/** Numbers events, and names them by their types. */
export class NumberedEvents {
  readonly #out: EventSink

  constructor(out: EventSink) {
    this.#out = out
  }

  /** One event of that type. */
  event(type: string, fields: Fields): void {
    this.#out.number = (this.#out.number ?? -1) + 1
    this.#out.event(type, JSON.stringify({ type, sequence_number: this.#out.number, ...fields }))
  }
}

/** Writes the events of a call, and gives its item. */
export function writeCall(
  events: NumberedEvents,
  place: ItemPlace,
  { id = '', name, arguments: args }: ToolCall,
  status: ItemStatus,
): Fields {
  itemAdded(events, place, callItem(place.item_id, id, name, '', 'in_progress'))
  for (const delta of pieces(args)) events.event('response.function_call_arguments.delta', { ...place, delta })
  events.event('response.function_call_arguments.done', { ...place, name, arguments: args })
  const item = callItem(place.item_id, id, name, args, status)
  itemDone(events, place, item)
  return item
}

/** Writes the events of the model's message: texts and refusals, one open part at a time. */
export class MessageWriter implements ItemWriter {
  readonly kind = 'message'
  readonly #events: NumberedEvents
  readonly #place: ItemPlace
  readonly #parts: Fields[] = []
  #open: 'text' | 'refusal' | undefined
  #said = ''
  #annotations: unknown[] = []
  #logprobs: unknown[] = []

  constructor(events: NumberedEvents, place: ItemPlace) {
    this.#events = events
    this.#place = place
  }

  open(): void {
    itemAdded(this.#events, this.#place, messageItem(this.#place.item_id, [], 'in_progress'))
  }

  text(text: string, logprobs: readonly unknown[]): void {
    this.#part('text')
    this.#said += text
    for (const entry of logprobs) this.#logprobs.push(entry)
    for (const [index, delta] of pieces(text).entries()) {
      this.#event('response.output_text.delta', { delta, logprobs: index === 0 ? logprobs : [] })
    }
  }

  refusal(text: string): void {
    this.#part('refusal')
    this.#said += text
    for (const delta of pieces(text)) this.#event('response.refusal.delta', { delta })
  }

  annotations(annotations: readonly unknown[]): void {
    this.#part('text')
    for (const annotation of annotations) {
      const index = this.#annotations.push(annotation) - 1
      this.#event('response.output_text.annotation.added', { annotation_index: index, annotation })
    }
  }

  close(status: ItemStatus): void {
    this.#closePart()
    itemDone(this.#events, this.#place, this.item(status))
  }

  item(status: ItemStatus): Fields {
    return messageItem(this.#place.item_id, this.#parts, status)
  }

  /** Opens a part of that kind unless it is open already. */
  #part(kind: 'text' | 'refusal'): void {
    if (this.#open === kind) return
    this.#closePart()
    this.#open = kind
    this.#event('response.content_part.added', { part: this.#current(kind) })
  }

  #closePart(): void {
    const kind = this.#open
    if (kind === undefined) return
    const part = this.#current(kind)
    if (kind === 'text') this.#event('response.output_text.done', { text: this.#said, logprobs: this.#logprobs })
    else this.#event('response.refusal.done', { refusal: this.#said })
    this.#event('response.content_part.done', { part })
    this.#parts.push(part)
    this.#open = undefined
    this.#said = ''
    this.#annotations = []
    this.#logprobs = []
  }

  #current(kind: 'text' | 'refusal'): Fields {
    return kind === 'text' ? textPart(this.#said, this.#annotations, this.#logprobs) : refusalPart(this.#said)
  }

  #event(type: string, fields: Fields): void {
    this.#events.event(type, { ...this.#place, content_index: this.#parts.length, ...fields })
  }
}

/** Writes the events of the model's reasoning as the summary of a reasoning item. */
class ReasoningWriter implements ItemWriter {
  readonly kind = 'reasoning'
  readonly #events: NumberedEvents
  readonly #place: ItemPlace
  #text = ''

  constructor(events: NumberedEvents, place: ItemPlace) {
    this.#events = events
    this.#place = place
  }

  open(): void {
    itemAdded(this.#events, this.#place, reasoningItem(this.#place.item_id, undefined, 'in_progress'))
    this.#event('response.reasoning_summary_part.added', { part: summaryPart('') })
  }

  text(text: string): void {
    this.#text += text
    for (const delta of pieces(text)) this.#event('response.reasoning_summary_text.delta', { delta })
  }

  close(status: ItemStatus): void {
    this.#event('response.reasoning_summary_text.done', { text: this.#text })
    this.#event('response.reasoning_summary_part.done', { part: summaryPart(this.#text) })
    itemDone(this.#events, this.#place, this.item(status))
  }

  item(status: ItemStatus): Fields {
    return reasoningItem(this.#place.item_id, this.#text, status)
  }

  #event(type: string, fields: Fields): void {
    this.#events.event(type, { ...this.#place, summary_index: 0, ...fields })
  }
}

/** Writes a stream of the Responses API: items one after the other, each opened and closed, between the two states of the response. */
export class ResponsesEncoder implements StreamEncoder {
  readonly #request: ClientRequest
  readonly #events: NumberedEvents
  readonly #output: Fields[] = []
  #open: MessageWriter | ReasoningWriter | undefined
  #id = ''
  #created = 0

  constructor(request: ClientRequest, out: EventSink) {
    this.#request = request
    this.#events = new NumberedEvents(out)
  }

  begin(frame: ReplyFrame): void {
    this.#id = frame.id
    this.#created = frame.created
    const response = responseObject(this.#request, frame, inProgress, [])
    this.#events.event('response.created', { response })
    this.#events.event('response.in_progress', { response })
  }

  text(_choice: number, text: string, logprobs?: unknown): void {
    if (text !== '' || logprobs !== undefined) this.#message().text(text, readLogprobs(logprobs))
  }

  fields(_choice: number, fields: Fields): void {
    const reasoning = reasoningOf(fields)
    const refusal = refusalOf(fields)
    const annotations = readAnnotations(fields.annotations)
    if (reasoning !== '') this.#reasoning().text(reasoning)
    if (refusal !== '') this.#message().refusal(refusal)
    if (annotations.length > 0) this.#message().annotations(annotations)
  }

  end(choice: FinalChoice): void {
    const { status } = statusOf(choice)
    const isSilent = choice.toolCalls.length === 0 && this.#open?.kind !== 'message' && this.#output.every(({ type }) => type !== 'message')
    if (isSilent) this.#message().text('', [])
    this.#close(status)
    for (const [position, call] of choice.toolCalls.entries()) {
      const id = callId(call, this.#id, choice.index, position)
      this.#output.push(writeCall(this.#events, this.#next('fc'), { ...call, id }, status))
    }
  }

  finish(reply: FinalReply): void {
    const end = statusOf(reply.choices[0])
    // A later attempt may have another id than the one that the stream started with.
    const frame = { ...reply, id: this.#id, created: this.#created }
    const response = {
      ...responseObject(this.#request, frame, end, this.#output),
      usage: responseUsage(reply),
      ...replyMembers(reply),
    }
    this.#events.event(`response.${end.status}`, { response })
  }

  error(error: ClientError): void {
    const { code, message, param } = error
    // The event has the error at its top level; the SDK throws only when `error` is in it too.
    this.#events.event('error', { ...openaiErrorBody(error), code, message, param })
  }

  /** The message that is open; opens one where none is. */
  #message(): MessageWriter {
    return this.#open?.kind === 'message' ? this.#open : this.#opened(new MessageWriter(this.#events, this.#next('msg')))
  }

  #reasoning(): ReasoningWriter {
    return this.#open?.kind === 'reasoning' ? this.#open : this.#opened(new ReasoningWriter(this.#events, this.#next('rs')))
  }

  #opened<Item extends MessageWriter | ReasoningWriter>(item: Item): Item {
    this.#open = item
    item.open()
    return item
  }

  #close(status: ItemStatus): void {
    if (this.#open === undefined) return
    this.#open.close(status)
    this.#output.push(this.#open.item(status))
    this.#open = undefined
  }

  /** The index of the next item, after the open one is closed. */
  #next(kind: 'rs' | 'msg' | 'fc'): ItemPlace {
    this.#close('completed')
    return { item_id: itemId(kind, this.#id, this.#output.length), output_index: this.#output.length }
  }
}

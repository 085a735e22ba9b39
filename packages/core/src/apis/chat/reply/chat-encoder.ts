import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { pieceLength, pieces } from '../../reply/pieces.ts'
import type { PipelineVerdict } from '../../reply/pipeline-verdict.ts'
import { choiceMembers } from '../../reply/verdict-body.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame, StreamEncoder } from '../../shared/api.ts'
import { type ClientError, openaiErrorBody } from '../../shared/client-error.ts'
import { without } from '../../shared/selected-fields.ts'
import type { EventSink } from '../../shared/sse-frames.ts'
import { chatUsage } from '../chat-usage.ts'
import { chatCalls, chatFinish, chatHead, choiceFields, functionCall, messageFields } from './chat-reply.ts'

const object = 'chat.completion.chunk'
const sentBefore = new Set(['logprobs'])
const notInErrors = new Set(['choices'])

/** Writes a stream of chat completions: events without names, and `choices` in every chunk except an error. */
export class ChatEncoder implements StreamEncoder {
  readonly #request: ClientRequest
  readonly #out: EventSink
  #id = ''
  /** The beginning of every chunk, written once. */
  #head: string
  /** The beginning of a chunk of text, for each choice. */
  #textHeads: string[] = []

  constructor(request: ClientRequest, out: EventSink) {
    this.#request = request
    this.#out = out
    this.#head = open({ object, model: request.chat.model })
  }

  begin(frame: ReplyFrame): void {
    this.#id = frame.id
    this.#head = open(chatHead(frame, object))
    this.#textHeads = []
    for (let index = 0; index < (this.#request.chat.n ?? 1); index++) this.#delta(index, '{"role":"assistant","content":""}')
  }

  text(choice: number, text: string, logprobs?: unknown): void {
    if (text === '') {
      if (logprobs !== undefined) this.#delta(choice, '{"content":""}', logprobs)
      return
    }
    if (logprobs === undefined && text.length <= pieceLength) {
      this.#text(choice, text)
      return
    }
    for (const [at, piece] of pieces(text).entries()) {
      this.#delta(choice, `{"content":${JSON.stringify(piece)}}`, at === 0 ? logprobs : undefined)
    }
  }

  fields(choice: number, fields: Fields): void {
    const json = JSON.stringify(messageFields(fields))
    if (json !== '{}') this.#delta(choice, json)
  }

  end(choice: FinalChoice): void {
    this.#calls(choice)
    const last = { index: choice.index, delta: {}, ...without(choiceFields(choice), sentBefore), finish_reason: chatFinish(choice) }
    this.#chunk(`[${JSON.stringify(last)}]`, choiceMembers(choice))
  }

  finish(reply: FinalReply): void {
    const usage = this.#request.includeUsage ? chatUsage(reply) : undefined
    if (usage !== undefined) this.#chunk('[]', { usage })
    this.#out.event('', '[DONE]')
  }

  error(error: ClientError): void {
    this.#out.event('', JSON.stringify(without(openaiErrorBody(error), notInErrors)))
  }

  progress(description: string, done: boolean): void {
    this.#chunk('[]', { event: { type: 'status', data: { description, done } } })
  }

  /**
   * In the format in which Open WebUI shows an answer's documents; other clients skip chunks
   * without choices.
   */
  sources(sources: PipelineVerdict['sources']): void {
    for (const { urn, text } of sources) {
      const data = { source: { name: urn }, document: [text], metadata: [{ source: urn, name: urn }] }
      this.#chunk('[]', { event: { type: 'source', data } })
    }
  }

  #calls(choice: FinalChoice): void {
    const only = functionCall(choice)
    if (only) {
      this.#delta(choice.index, JSON.stringify({ function_call: only }))
      return
    }
    for (const [index, call] of chatCalls(choice, this.#id).entries()) {
      if (!isFields(call.function)) {
        this.#delta(choice.index, JSON.stringify({ tool_calls: [{ index, ...call }] }))
        continue
      }
      const [first = '', ...rest] = pieces(call.function.arguments)
      const start = { index, ...call, function: { name: call.function.name, arguments: first } }
      this.#delta(choice.index, JSON.stringify({ tool_calls: [start] }))
      for (const piece of rest) this.#delta(choice.index, JSON.stringify({ tool_calls: [{ index, function: { arguments: piece } }] }))
    }
  }

  /** Most chunks have this form, so everything but the text is encoded once per choice. */
  #text(choice: number, text: string): void {
    this.#textHeads[choice] ??= `${this.#head},"choices":[{"index":${choice},"delta":{"content":`
    this.#out.event('', `${this.#textHeads[choice]}${JSON.stringify(text)}},"finish_reason":null}]}`)
  }

  #delta(choice: number, delta: string, logprobs?: unknown): void {
    const beside = logprobs === undefined ? '' : `"logprobs":${JSON.stringify(logprobs)},`
    this.#chunk(`[{"index":${choice},"delta":${delta},${beside}"finish_reason":null}]`)
  }

  #chunk(choices: string, further?: Fields): void {
    this.#out.event('', `${this.#head},"choices":${choices}${further === undefined ? '' : `,${JSON.stringify(further).slice(1, -1)}`}}`)
  }
}

function open(head: Fields): string {
  return JSON.stringify(head).slice(0, -1)
}

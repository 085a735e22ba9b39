import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { chatFinish } from './finish-reason.ts'
import { pieceLength, pieces } from '../../reply/pieces.ts'
import type { PipelineVerdict } from '../../reply/pipeline-verdict.ts'
import { dataFrame, heartbeatFrame, lineJson } from '../../reply/sse.ts'
import { choiceMembers } from '../../reply/verdict-body.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame, StreamEncoder } from '../../shared/api.ts'
import { type ClientError, openaiErrorBody } from '../../shared/client-error.ts'
import { without } from '../../shared/fields.ts'
import { chatUsage } from '../chat-usage.ts'
import { chatCalls, functionCall } from './chat-calls.ts'
import { chatHead, choiceFields, messageFields } from './chat-reply.ts'

const object = 'chat.completion.chunk'
const sentBefore = new Set(['logprobs'])
const notInErrors = new Set(['choices'])

/** Writes a stream of chat completions: only `data:` lines and comments, and `choices` in every chunk but that of an error. */
export class ChatEncoder implements StreamEncoder {
  readonly #request: ClientRequest
  #id = ''
  /** The beginning of every chunk, written once. */
  #head: string
  /** The beginning of a frame of text, for each choice. */
  #textHeads: string[] = []

  constructor(request: ClientRequest) {
    this.#request = request
    this.#head = open({ object, model: request.chat.model })
  }

  begin(frame: ReplyFrame): string {
    this.#id = frame.id
    this.#head = open(chatHead(frame, object))
    this.#textHeads = []
    let frames = ''
    for (let index = 0; index < (this.#request.chat.n ?? 1); index++) frames += this.#delta(index, '{"role":"assistant","content":""}')
    return frames
  }

  text(choice: number, text: string, logprobs?: unknown): string {
    if (text === '') return logprobs === undefined ? '' : this.#delta(choice, '{"content":""}', logprobs)
    if (logprobs === undefined && text.length <= pieceLength) return this.#textFrame(choice, text)
    let frames = ''
    for (const piece of pieces(text)) {
      frames += this.#delta(choice, `{"content":${lineJson(piece)}}`, frames === '' ? logprobs : undefined)
    }
    return frames
  }

  fields(choice: number, fields: Fields): string {
    const json = lineJson(messageFields(fields))
    return json === '{}' ? '' : this.#delta(choice, json)
  }

  end(choice: FinalChoice): string {
    const last = { index: choice.index, delta: {}, ...without(choiceFields(choice), sentBefore), finish_reason: chatFinish(choice) }
    return this.#calls(choice) + this.#chunk(`[${lineJson(last)}]`, choiceMembers(choice))
  }

  finish(reply: FinalReply): string {
    const usage = this.#request.includeUsage ? chatUsage(reply) : undefined
    return `${usage === undefined ? '' : this.#chunk('[]', { usage })}${dataFrame('[DONE]')}`
  }

  error(error: ClientError): string {
    return dataFrame(lineJson(without(openaiErrorBody(error), notInErrors)))
  }

  progress(description: string, done: boolean): string {
    return this.#chunk('[]', { event: { type: 'status', data: { description, done } } })
  }

  /**
   * In the format in which Open WebUI shows an answer's documents; other clients skip chunks
   * without choices.
   */
  sources(sources: PipelineVerdict['sources']): string {
    let frames = ''
    for (const { urn, text } of sources) {
      const data = { source: { name: urn }, document: [text], metadata: [{ source: urn, name: urn }] }
      frames += this.#chunk('[]', { event: { type: 'source', data } })
    }
    return frames
  }

  heartbeat(): string {
    return heartbeatFrame
  }

  #calls(choice: FinalChoice): string {
    const only = functionCall(choice)
    if (only) return this.#delta(choice.index, lineJson({ function_call: only }))
    let frames = ''
    for (const [index, call] of chatCalls(choice, this.#id).entries()) {
      if (!isFields(call.function)) {
        frames += this.#delta(choice.index, lineJson({ tool_calls: [{ index, ...call }] }))
        continue
      }
      const [first = '', ...rest] = pieces(call.function.arguments)
      const start = { index, ...call, function: { name: call.function.name, arguments: first } }
      frames += this.#delta(choice.index, lineJson({ tool_calls: [start] }))
      for (const piece of rest) frames += this.#delta(choice.index, lineJson({ tool_calls: [{ index, function: { arguments: piece } }] }))
    }
    return frames
  }

  /** Most frames have this form, so everything but the text is encoded once per choice. */
  #textFrame(choice: number, text: string): string {
    this.#textHeads[choice] ??= `data: ${this.#head},"choices":[{"index":${choice},"delta":{"content":`
    return `${this.#textHeads[choice]}${lineJson(text)}},"finish_reason":null}]}\n\n`
  }

  #delta(choice: number, delta: string, logprobs?: unknown): string {
    const beside = logprobs === undefined ? '' : `"logprobs":${lineJson(logprobs)},`
    return this.#chunk(`[{"index":${choice},"delta":${delta},${beside}"finish_reason":null}]`)
  }

  #chunk(choices: string, further?: Fields): string {
    return dataFrame(`${this.#head},"choices":${choices}${further === undefined ? '' : `,${lineJson(further).slice(1, -1)}`}}`)
  }
}

function open(head: Fields): string {
  return lineJson(head).slice(0, -1)
}

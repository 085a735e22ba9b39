import { isHighSurrogate } from '../../answer/characters.ts'
import { contentText, refusalText, unreadOf } from '../../answer/content.ts'
import { readFinishReason, worseFinish } from '../../answer/finish-reason.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { ModelEvent, Usage } from '../../engine/runner.ts'
import { endEvent } from '../end-event.ts'
import { errorObjectFailure } from '../provider-error.ts'
import { endOf } from './openai-content.ts'
import type { ReplySettings } from './openai-reply.ts'
import { type Price, readUsage } from './openai-usage.ts'
import { ToolCallDeltas } from './tool-call-deltas.ts'

/** Puts a chat completion together from its chunks. */
export class ChunkAssembler {
  readonly #price: Price | undefined
  readonly #alwaysTells: boolean
  readonly #toolCalls = new ToolCallDeltas()
  #finishReason: string | undefined
  #usage: Usage | undefined
  #hasContent = false
  #isRefusal = false
  #unread: string | undefined
  #half = ''

  constructor({ price, finishReasons }: ReplySettings) {
    this.#price = price
    this.#alwaysTells = finishReasons !== 'sometimes'
  }

  /** Whether the model has said that it is done. */
  get finished(): boolean {
    return this.#finishReason !== undefined
  }

  /** Takes a chunk; returns the text that it brings. */
  take(chunk: Fields): string {
    const error = errorObjectFailure(chunk)
    if (error !== undefined) throw error
    this.#usage = readUsage(chunk.usage, this.#price) ?? this.#usage
    const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isFields) : []
    const choice = choices.find(({ index }) => index === undefined || index === null || index === 0)
    return choice === undefined ? '' : this.#takeChoice(choice)
  }

  /** The text that waited for its other half in vain. */
  rest(): string {
    return this.#half
  }

  /** The last event. */
  end(): ModelEvent {
    return endEvent({
      ...endOf(this.#finishReason, this.#isRefusal, this.#alwaysTells),
      unread: this.#unread,
      usage: this.#usage,
      toolCalls: this.#toolCalls.calls(),
    })
  }

  #takeChoice(choice: Fields): string {
    const error = errorObjectFailure(choice)
    if (error !== undefined) throw error
    this.#finishReason = worseFinish(this.#finishReason, readFinishReason(choice.finish_reason))
    const delta = isFields(choice.delta) ? choice.delta : isFields(choice.message) ? choice.message : {}
    this.#toolCalls.push(delta.tool_calls)
    return this.#whole(this.#textOf(delta))
  }

  #textOf(delta: Fields): string {
    const content = contentText(delta.content)
    const refusal = refusalText(delta)
    if (content !== '') this.#hasContent = true
    if (refusal !== '') this.#isRefusal = true
    this.#unread ??= unreadOf(delta)
    return this.#hasContent ? content : refusal
  }

  /** Providers that escape text may cut it between the two halves of a character. */
  #whole(piece: string): string {
    const text = this.#half + piece
    const endsInHalf = isHighSurrogate(text.charCodeAt(text.length - 1))
    this.#half = endsInHalf ? text.slice(-1) : ''
    return endsInHalf ? text.slice(0, -1) : text
  }
}

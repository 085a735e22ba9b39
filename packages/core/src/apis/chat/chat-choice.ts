import { isHighSurrogate } from '../../answer/characters.ts'
import { contentText } from '../../answer/content.ts'
import { readFinishReason, worseFinish } from '../../answer/finish-reason.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { unreadText } from '../../engine/check/unreadable-content.ts'
import { areLogprobsOf } from '../reply/tokens.ts'
import { choiceEnd, type Endings } from '../shared/choice-end.ts'
import type { ChoiceEnd, ChoiceEvent } from '../shared/choice-event.ts'
import { errorObjectFailure } from '../shared/provider-error.ts'
import { otherFields } from '../shared/selected-fields.ts'
import { isNothing } from '../shared/unchecked-values.ts'
import { mergeDelta } from './merge-delta.ts'
import { type CallPlace, ToolCallAssembly } from './tool-call-assembly.ts'

/** Takes the events of a choice. */
export type Emit = (event: ChoiceEvent) => void

/** How many earlier pieces of a text the log probabilities of the next piece may be about. */
const recentPieces = 20

const ownOfDelta = new Set(['role', 'content', 'tool_calls', 'function_call'])
const ownOfChoice = new Set(['index', 'delta', 'message', 'finish_reason', 'logprobs', 'error'])

/** Reads a choice of a whole completion. */
export function readWholeChoice(choice: Fields, endings: Endings, emit: Emit): void {
  throwError(choice)
  const message = isFields(choice.message) ? choice.message : { role: 'assistant', content: null }
  const fields = otherFields(message, ownOfDelta)
  const text = contentText(message.content)
  if (fields !== undefined) emit({ type: 'fields', fields })
  // They are paired with text that is shown after them.
  if (isFields(choice.logprobs)) emit({ type: 'logprobs', logprobs: choice.logprobs })
  if (text !== '') emit({ type: 'text', text })
  const others = otherFields(choice, ownOfChoice) ?? {}
  const fieldsOfChoice = 'logprobs' in choice ? { ...others, logprobs: choice.logprobs } : others
  emit(choiceEnd(message, readFinishReason(choice.finish_reason), endings, fieldsOfChoice))
}

/** Assembles a choice from the deltas of a stream. */
export class ChoiceAssembly {
  readonly #endings: Endings
  readonly #toolCalls = new ToolCallAssembly()
  readonly #message: Record<string, unknown> = { role: 'assistant' }
  readonly #fields: Record<string, unknown> = {}
  #text: string[] = []
  #parts: unknown[] | undefined
  #spoke = false
  #half = ''
  #finishReason: string | undefined
  #length = 0
  #saysOther = false
  #isRenamed = false

  constructor(endings: Endings) {
    this.#endings = endings
  }

  /** Whether the model has sent a finish reason. */
  get finished(): boolean {
    return this.#finishReason !== undefined
  }

  /** Whether a call got a second name. */
  get isRenamed(): boolean {
    return this.#isRenamed || this.#toolCalls.isRenamed
  }

  /** Whether log probabilities belong to the latest text. */
  hasSaid(logprobs: Fields): boolean {
    return areLogprobsOf(logprobs, this.#text.slice(-recentPieces).join(''))
  }

  /** Takes the choice of one chunk; returns the tool calls that it continues. */
  take(choice: Fields, emit: Emit): readonly CallPlace[] {
    throwError(choice)
    this.#finishReason = worseFinish(this.#finishReason, readFinishReason(choice.finish_reason))
    const delta = isFields(choice.delta) ? choice.delta : isFields(choice.message) ? choice.message : {}
    // Clients replace what came before by a message.
    if (delta === choice.message && this.#length > 0 && contentText(delta.content) !== '') this.#saysOther = true
    const fields = otherFields(delta, ownOfDelta)
    if (fields !== undefined) {
      mergeDelta(this.#message, fields)
      emit({ type: 'fields', fields })
    }
    // The deprecated form: its name is sent once, its arguments in pieces.
    if (isFields(delta.function_call)) this.#takeFunctionCall(delta.function_call)
    const calls = this.#toolCalls.push(delta.tool_calls)
    // Tokens are paired with text that is shown after them.
    this.#takeFields(choice, emit)
    this.takeText(delta.content, emit)
    if (isFields(choice.delta) && isFields(choice.message)) this.#compare(choice.message)
    return calls
  }

  /** Takes the content of one chunk. */
  takeText(content: unknown, emit: Emit): void {
    const piece = this.#takeContent(content)
    this.#length += piece.length
    const text = this.#whole(piece)
    if (text !== '') emit({ type: 'text', text })
  }

  /** The last events. */
  end(emit: Emit): void {
    if (this.#half !== '') emit({ type: 'text', text: this.#half })
    emit(this.#end())
  }

  #end(): ChoiceEnd {
    const calls = this.#toolCalls.calls()
    const message = { ...this.#message, content: this.#content(), ...(calls.length === 0 ? {} : { tool_calls: calls }) }
    const end = choiceEnd(message, this.#finishReason, this.#endings, this.#fields, this.#toolCalls.positions())
    return this.#saysOther ? { ...end, unread: unreadText } : end
  }

  #takeFunctionCall(call: Fields): void {
    const { function_call: before } = this.#message
    this.#isRenamed ||= isFields(before) && !isNothing(before.name) && !isNothing(call.name) && before.name !== call.name
    mergeDelta(this.#message, { function_call: call })
  }

  /** A message beside the deltas may only repeat them, because it is shown and not checked. */
  #compare({ content, tool_calls: calls, function_call: call }: Fields): void {
    const said = contentText(content)
    const isSame = said === '' || (said.length === this.#length && said === contentText(this.#content()))
    if (!isSame || (Array.isArray(calls) && calls.length > 0) || isFields(call)) this.#saysOther = true
  }

  #content(): unknown {
    if (this.#parts !== undefined) return [...this.#parts, ...this.#textPart()]
    return this.#spoke ? this.#text.join('') : null
  }

  #takeContent(content: unknown): string {
    if (typeof content === 'string') {
      this.#spoke = true
      if (content !== '') this.#text.push(content)
      return content
    }
    if (!Array.isArray(content)) return ''
    this.#parts ??= []
    this.#parts.push(...this.#textPart())
    this.#text = []
    for (const part of content) {
      const isText = isFields(part) && part.type === 'text' && typeof part.text === 'string' && Object.keys(part).length === 2
      if (isText && typeof part.text === 'string') this.#text.push(part.text)
      else this.#parts.push(...this.#textPart(), part)
      if (!isText) this.#text = []
    }
    return contentText(content)
  }

  #textPart(): readonly unknown[] {
    const text = this.#text.join('')
    return text === '' ? [] : [{ type: 'text', text }]
  }

  /** Fields beside the delta are about the whole choice, so the last value counts. */
  #takeFields(choice: Fields, emit: Emit): void {
    const others = otherFields(choice, ownOfChoice)
    if (others !== undefined) Object.assign(this.#fields, others)
    if (!isFields(choice.logprobs)) return
    this.#fields.logprobs = isFields(this.#fields.logprobs) ? this.#fields.logprobs : {}
    addLogprobs(this.#fields.logprobs as Record<string, unknown>, choice.logprobs)
    emit({ type: 'logprobs', logprobs: choice.logprobs })
  }

  /** Providers that escape text may split a surrogate pair. */
  #whole(piece: string): string {
    if (piece === '') return ''
    const text = this.#half + piece
    const endsInHalf = isHighSurrogate(text.charCodeAt(text.length - 1))
    this.#half = endsInHalf ? text.slice(-1) : ''
    return endsInHalf ? text.slice(0, -1) : text
  }
}

/** Appends to each list: there is one item for each token, and items never change. */
function addLogprobs(target: Record<string, unknown>, added: Fields): void {
  for (const [name, value] of Object.entries(added)) {
    if (name === '__proto__' || value === null || value === undefined) continue
    const before = target[name]
    if (!Array.isArray(value)) target[name] = value
    else if (!Array.isArray(before)) target[name] = [...value]
    else for (const item of value) before.push(item)
  }
}

function throwError(choice: Fields): void {
  const error = errorObjectFailure(choice)
  if (error !== undefined) throw error
}

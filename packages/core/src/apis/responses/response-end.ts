import { type Fields, isFields, namespaceOf } from '../../answer/tool-shapes/fields.ts'
import { isItemCall, isNativeCall } from '../../answer/tool-shapes/native-calls.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { choiceEnd } from '../shared/choice-end.ts'
import type { ChoiceEnd } from '../shared/choice-event.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import { eachOf, memberReferences, type PlacedReference, unplaced } from '../shared/references.ts'
import { finishReasonOf } from './response-status.ts'

/** The end of the only choice of a response, in the format of chat completions; `indexes` are those of its items, if some are missing. Throws if the provider failed. */
export function responseEnd(response: Fields, always: boolean, indexes?: readonly number[]): ChoiceEnd {
  throwFailed(response)
  const output: readonly unknown[] = Array.isArray(response.output) ? response.output : []
  const message = messageOf(output)
  const numbers = [...output.keys()].filter((at) => isCall(output[at])).map((at) => indexes?.[at] ?? at)
  const end = choiceEnd(message, finishReasonOf(response, message), { always }, {}, numbers)
  const unread = end.unread ?? (isSilent(message) ? unreadItem(response) : undefined)
  const references = unplaced(outputReferences(response.output, []))
  return { ...end, ...(unread === undefined ? {} : { unread }), ...(references.length === 0 ? {} : { references }) }
}

/** Throws the error of a failed response. */
export function throwFailed(response: Fields): void {
  const failure = errorObjectFailure(response)
  if (failure !== undefined) throw failure
  if (response.status === 'failed') throw new RunnerFailure('http', 'the provider could not answer', { status: 500 })
  if (response.status === 'cancelled') throw protocolFailure('the response was cancelled')
}

/** Converts output items to one message of chat completions. */
function messageOf(output: readonly unknown[]): Fields {
  const texts: string[] = []
  const refusals: string[] = []
  const calls: Fields[] = []
  const thoughts: string[] = []
  for (const item of output) {
    if (!isFields(item)) continue
    if (item.type === 'message') readContent(item.content, texts, refusals)
    else if (item.type === 'function_call') calls.push(callOf(item))
    else if (item.type === 'custom_tool_call') calls.push(customOf(item))
    else if (isNativeCall(item.type)) calls.push(item)
    else if (item.type === 'reasoning') for (const part of [item.summary, item.content].flat()) thoughts.push(textOf(part))
  }
  const text = texts.join('')
  const reasoning = thoughts.join('')
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(refusals.length === 0 ? {} : { refusal: refusals.join('') }),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function isCall(item: unknown): boolean {
  return isFields(item) && isItemCall(item.type)
}

function readContent(content: unknown, texts: string[], refusals: string[]): void {
  for (const part of Array.isArray(content) ? content : []) {
    if (!isFields(part)) continue
    if (part.type === 'output_text') texts.push(textOf(part))
    else if (part.type === 'refusal' && typeof part.refusal === 'string') refusals.push(part.refusal)
  }
}

function textOf(part: unknown): string {
  return isFields(part) && typeof part.text === 'string' ? part.text : ''
}

function callOf(item: Fields): Fields {
  const { call_id: id, name, arguments: given } = item
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...namespaceOf(item),
    type: 'function',
    function: { name: String(name ?? ''), arguments: typeof given === 'string' ? given : '' },
  }
}

function customOf(item: Fields): Fields {
  const { call_id: id, name, input } = item
  const custom = { name: String(name ?? ''), input: typeof input === 'string' ? input : '' }
  return { ...(typeof id === 'string' ? { id } : {}), ...namespaceOf(item), type: 'custom', custom }
}

function isSilent({ content, tool_calls: calls, refusal }: Fields): boolean {
  return content === '' && calls === undefined && refusal === undefined
}

/** The first item that is neither text nor a function call, such as an image or a call of a tool that the provider runs. */
function unreadItem({ output }: Fields): string | undefined {
  const isKnown = (type: unknown): boolean => type === 'message' || type === 'reasoning' || isItemCall(type)
  const found = (Array.isArray(output) ? output : []).find((item) => isFields(item) && !isKnown(item.type))
  return isFields(found) ? String(found.type).slice(0, 60) : undefined
}

type Path = PlacedReference['path']

/** The references of output items: annotations of a text, and search results. */
export function outputReferences(output: unknown, path: Path): readonly PlacedReference[] {
  return eachOf(output, path, itemReferences)
}

/** The references of an event. */
export function eventReferences(type: string, { annotation, part, item, response }: Fields): readonly PlacedReference[] {
  if (type === 'response.output_text.annotation.added') return [{ name: 'annotations', value: annotation, isListed: true, path: [] }]
  if (isFields(response)) return outputReferences(response.output, ['response', 'output'])
  if (isFields(item)) return itemReferences(item, ['item'])
  return isFields(part) ? partReferences(part, ['part']) : []
}

function itemReferences({ type, content, action }: Fields, path: Path): readonly PlacedReference[] {
  if (type === 'message') return eachOf(content, [...path, 'content'], partReferences)
  return type === 'web_search_call' ? memberReferences(action, 'sources', [...path, 'action']) : []
}

function partReferences(part: Fields, path: Path): readonly PlacedReference[] {
  return memberReferences(part, 'annotations', path)
}

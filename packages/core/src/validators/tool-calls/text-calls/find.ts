import type { Answer } from '../../../answer/answer.ts'
import { spanHolds, type TextSpan } from '../../../answer/span.ts'
import { readToolCalls, type ToolCall } from '../../../answer/tool-calls.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { parseJson } from '../../../json/parse-json.ts'
import { eachEntry, skipSpace } from '../../../json/scan.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { CallableTools } from './callable-tools.ts'
import { readPythonCalls, readPythonValue } from './python-calls.ts'
import { type Quotation, Quotations } from './quotations.ts'

const callTag = /<(tool_call|tool_calls|function_call)>/gi
const tags = ['<tool_call>', '<tool_calls>', '<function_call>']

/** The length of the longest opening tag. */
export const longestTag = 15

/** A pattern that finds the opening tags of calls that are written as text one by one, with their names. */
function callTagPattern(): RegExp {
  return new RegExp(callTag)
}

/** What a text has at an offset: the opening tag of a call, what may become one, or neither. */
export function callTagAt(text: string, at: number): 'tag' | 'start' | 'none' {
  const piece = text.slice(at, at + longestTag).toLowerCase()
  if (tags.some((tag) => piece.startsWith(tag))) return 'tag'
  return tags.some((tag) => tag.startsWith(piece)) ? 'start' : 'none'
}

/** A value inside a list or an object, and its name or number there. */
interface JsonPart extends TextSpan {
  readonly name: string | number
}

const argumentKeys = ['arguments', 'parameters', 'args', 'input'] as const

/** Reads a text that is nothing but JSON for one call, a list of calls, or a message with `tool_calls`; undefined for anything else. */
function readJsonCalls(text: string): ToolCall[] | undefined {
  const start = skipSpace(text, 0)
  // Whatever else JSON may be, calls are objects or lists of them; this spares most texts the parser.
  if (text[start] !== '{' && text[start] !== '[') return undefined
  const value = parseJson(text)
  const literal = value === undefined ? readPythonValue(text) : undefined
  if (literal !== undefined) return readJsonCalls(literal)
  const calls = readToolCalls(value)
  const given = calls.length === 0 ? [] : argumentsIn(text, start)
  if (calls.length === 0 || given.length !== calls.length) return undefined
  return calls.map((call, index) => withRawArguments(call, text, given[index] as JsonPart))
}

/** The arguments of each call; a call that has none is left out, because an object with a name alone may be anything. */
function argumentsIn(text: string, start: number): JsonPart[] {
  const root = partsAt(text, start)
  const list = text[start] === '[' ? root : partsAt(text, partUnder(root, 'tool_calls')?.start ?? text.length)
  const entries = list.length > 0 ? list.map((entry) => partsAt(text, entry.start)) : [root]
  return entries
    .map(
      (entry) =>
        partUnder(partsAt(text, partUnder(entry, 'function')?.start ?? text.length), 'arguments') ?? partUnder(entry, ...argumentKeys),
    )
    .filter((part) => part !== undefined)
}

/** The arguments as they are written, so that no number loses digits on the way. */
function withRawArguments(call: ToolCall, text: string, { start, end }: JsonPart): ToolCall {
  return text[start] === '{' || text[start] === '[' ? { ...call, arguments: text.slice(start, end) } : call
}

/** The parts of the list or object that starts at an offset; none when something else does. */
function partsAt(text: string, from: number): JsonPart[] {
  const parts: JsonPart[] = []
  if (text[from] === '{' || text[from] === '[') eachEntry(text, from, (name, _from, start, end) => parts.push({ name, start, end }))
  return parts
}

/** The part under the first of the keys that there is; later ones win, as in `JSON.parse`. */
function partUnder(parts: readonly JsonPart[], ...keys: readonly string[]): JsonPart | undefined {
  for (const key of keys) {
    const part = parts.findLast(({ name }) => name === key)
    if (part) return part
  }
  return undefined
}

/** Tool calls that the model wrote as text, with the text that they are. */
export interface TextToolCalls {
  readonly calls: readonly ToolCall[]
  readonly span: TextSpan
}

/**
 * Finds tool calls that arrive as text: JSON or Python that is the whole answer, alone or in fences, and tags such as `<tool_call>`.
 *
 * Only calls of the tools offered count, and a piece with anything else in it counts as text. Reasoning and quotations are not looked at.
 */
export function findTextToolCalls(
  answer: Answer,
  offered: readonly ToolDefinition[],
  aliases?: SuggestionRules['aliases'],
): TextToolCalls[] {
  const tools = new CallableTools(offered, aliases)
  if (tools.names.length === 0) return []
  const whole = wholeBody(answer, tools)
  if (whole) return [whole]
  const tagged = [...inTags(answer, tools)]
  const fenced = inFences(answer, tools).filter(({ span }) => !spanHolds(tagged, span.start))
  const found = [...tagged, ...fenced].sort((a, b) => a.span.start - b.span.start)
  // Amid other words a fence shows what a call would look like.
  return isBlankAround(answer, found) ? found : tagged
}

/** Finds the opening tag of a call that is not a quotation, whatever is in it. */
export function findCallTag(answer: Answer): TextSpan | undefined {
  for (const { span, quotation } of callTags(answer)) if (quotation !== 'code') return span
  return undefined
}

/** Whether a text has an opening tag of a call, quoted or not. */
export function hasCallTag(text: string): boolean {
  return callTagPattern().test(text)
}

/** The whole answer is one piece of JSON or Python. */
function wholeBody({ text, bodyStart }: Answer, tools: CallableTools): TextToolCalls | undefined {
  const body = text.slice(bodyStart)
  const start = bodyStart + (body.length - body.trimStart().length)
  const calls = readCalls(withoutClosingFence(text.slice(start)), tools)
  return calls && { calls, span: { start, end: text.trimEnd().length } }
}

function* inTags(answer: Answer, tools: CallableTools): Generator<TextToolCalls> {
  const { text } = answer
  for (const { name, span, quotation, skipTo } of callTags(answer)) {
    if (quotation !== 'none') continue
    const closer = closerOf(name)
    const close = findCloser(text, closer, span.end)
    // The closing tag is often the stop word of the model, and so not part of its answer.
    const end = close < 0 ? text.length : close + closer.length
    const calls = readCalls(withoutFence(text.slice(span.end, close < 0 ? text.length : close)), tools)
    if (calls) yield { calls, span: { start: span.start, end } }
    if (close < 0) return
    skipTo(end)
  }
}

interface CallTag {
  readonly name: string
  readonly span: TextSpan
  readonly quotation: Quotation
  /** Goes on after what belongs to the tag. */
  readonly skipTo: (end: number) => void
}

function* callTags(answer: Answer): Generator<CallTag> {
  const pattern = callTagPattern()
  pattern.lastIndex = answer.bodyStart
  let open = pattern.exec(answer.text)
  if (open === null) return
  const quotations = new Quotations(answer)
  const skipTo = (end: number): void => {
    quotations.skipTo(end)
    pattern.lastIndex = end
  }
  for (; open; open = pattern.exec(answer.text)) {
    const span = { start: open.index, end: open.index + open[0].length }
    yield { name: open[1] ?? '', span, quotation: quotations.at(span.start), skipTo }
  }
}

/** Whether nothing but white space is outside of these pieces. */
function isBlankAround({ text, bodyStart }: Answer, found: readonly { readonly span: TextSpan }[]): boolean {
  const starts = [bodyStart, ...found.map(({ span }) => span.end)]
  return starts.every((start, index) => text.slice(start, found[index]?.span.start ?? text.length).trim() === '')
}

function inFences({ codeBlocks, bodyStart }: Answer, tools: CallableTools): TextToolCalls[] {
  return codeBlocks.flatMap(({ span, content, closed }) => {
    const calls = closed && span.start >= bodyStart ? readFencedCalls(content, tools) : undefined
    return calls ? [{ calls, span }] : []
  })
}

/** Reads the content of a fence that is nothing but calls, perhaps in a tag. */
export function readFencedCalls(content: string, tools: CallableTools): readonly ToolCall[] | undefined {
  return readCalls(untagged(content), tools)
}

function readCalls(text: string, tools: CallableTools): readonly ToolCall[] | undefined {
  const json = readJsonCalls(text)
  if (json) return json.every(({ name }) => tools.find(name)) ? json : undefined
  return /^\s*(?:\[\s*)?(?:["']{1,3}\s*)?(?:[\p{L}\p{N}_.]|\\_)+\s*[({]/u.test(text.slice(0, 300))
    ? readPythonCalls(text, tools)
    : undefined
}

/** A text without a fence, or the start of one, on its last line: some prompts end with the fence that it closes. */
export function withoutClosingFence(text: string, isComplete = true): string {
  const { length } = text.trimEnd()
  let start = length
  while (start > 0 && text[start - 1] === '`') start--
  if (start === length || (isComplete && length - start < 3)) return text
  const before = text.slice(0, start)
  return /[\r\n]/.test(before.slice(before.trimEnd().length)) ? before : text
}

function withoutFence(text: string): string {
  return /^\s*```\w*\r?\n([\s\S]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text
}

function untagged(text: string): string {
  const inner = text.trim()
  const open = callTagPattern().exec(inner)
  if (open?.index !== 0) return text
  const start = open[0].length
  const closer = closerOf(open[1] ?? '')
  const end = inner.length - closer.length
  return end >= start && isCloser(inner, closer, end) ? inner.slice(start, end) : text
}

function closerOf(name: string): string {
  return `</${name.toLowerCase()}>`
}

/** Tags are the same in capitals and small letters, also where one is opened and closed differently. */
function isCloser(text: string, closer: string, at: number): boolean {
  return text.slice(at, at + closer.length).toLowerCase() === closer
}

function findCloser(text: string, closer: string, from: number): number {
  let at = text.indexOf('</', from)
  while (at >= 0 && !isCloser(text, closer, at)) at = text.indexOf('</', at + 2)
  return at
}

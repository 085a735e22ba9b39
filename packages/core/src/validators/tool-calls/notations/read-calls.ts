import type { TextSpan } from '../../../answer/span.ts'
import { readToolCalls, type ToolCall } from '../../../answer/tool-calls.ts'
import { eachEntry, endOfBrackets } from '../../../json/json-walker.ts'
import { parseJson } from '../../../json/parse-json.ts'
import { skipSpace } from '../../../json/scan.ts'
import type { CallableTools } from './callable-tools.ts'
import { endOfPythonCalls, endsLine, readPythonCalls, readPythonValue } from './python-calls.ts'

/** A value inside a list or an object, and its name or number there. */
interface JsonPart extends TextSpan {
  readonly name: string | number
}

const argumentKeys = ['arguments', 'parameters', 'args', 'input'] as const
/** What models that know no shape call the name and the arguments of a tool, one call, and a list of calls. */
const looseNames = ['name', 'tool_name', 'function_name', 'function', 'tool', 'api', 'action', 'recipient_name'] as const
const looseArguments = [...argumentKeys, 'params', 'kwargs', 'tool_input', 'tool_args', 'action_input', 'function_args'] as const
const looseSingles = ['command', 'tool_call', 'function_call', 'tool_use'] as const
const looseLists = ['tool_calls', 'function_calls', 'tool_uses', 'calls', 'functions', 'tools', 'actions'] as const

/** Keys of a call in which the function is an object. */
const wrapping = ['type', 'id', 'index', 'function'] as const

/** Reads a text that is nothing but calls of the tools, in JSON or Python; undefined for anything else. */
export function readCalls(written: string, tools: CallableTools): readonly ToolCall[] | undefined {
  const text = withoutPrefix(written)
  const json = readJsonCalls(text, tools) ?? readSeveral(text, tools)
  if (json) return json.every(({ name }) => tools.find(name)) ? json : undefined
  return /^\s*(?:\[\s*){0,2}(?:["']\s*)?(?:[\p{L}\p{N}_.]|\\_)+\s*\(/u.test(text.slice(0, 300)) ? readPythonCalls(text, tools) : undefined
}

/** A text without the word that some models write before a list of calls, and without the marks of inline code around all of it. */
export function withoutPrefix(text: string, isComplete = true): string {
  if (text[0] === '`') return (isComplete ? wholeCode : codeStart).exec(text.trimEnd())?.[2] ?? text
  return /^\s*functools\s*(?=\[)/.test(text.slice(0, 50)) ? text.slice(text.indexOf('[')) : text
}

/** Reads a text that is nothing but JSON for one call, a list of calls, or a message with `tool_calls`; undefined for anything else. */
function readJsonCalls(text: string, tools: CallableTools): readonly ToolCall[] | undefined {
  const start = skipSpace(text, 0)
  // Whatever else JSON may be, calls are objects or lists of them; this spares most texts the parser.
  if (text[start] !== '{' && text[start] !== '[') return undefined
  const value = parseJson(text)
  const literal = value === undefined ? readPythonValue(text) : undefined
  if (literal !== undefined) return readJsonCalls(literal, tools)
  if (value === undefined) return undefined
  const calls = readToolCalls(value)
  const given = calls.length === 0 ? [] : argumentsIn(text, start)
  if (calls.length === 0 || given.length !== calls.length) return looseCalls(text, start, tools)
  const read = calls.map((call, index) => withRawArguments(call, text, given[index] as JsonPart))
  return read.every(({ name }) => tools.find(name)) ? read : (looseCalls(text, start, tools) ?? read)
}

/** Where the calls that begin at an offset end, one JSON value after the other, and what separates them from the next; for complete values only. */
export function nextValue(text: string, from: number): { readonly end: number; readonly next: number } | undefined {
  const end = /[[{]/.test(text[from] ?? '') ? endOfBrackets(text, from, text.length) : undefined
  if (end === undefined) return undefined
  const gap = /[\s,;]*/y
  gap.lastIndex = end
  const separator = gap.exec(text)?.[0] ?? ''
  // On one line only a sign separates two calls.
  return { end, next: /[,;\r\n]/.test(separator) || end + separator.length === text.length ? end + separator.length : end }
}

/** Several values of JSON, one after the other. */
function readSeveral(text: string, tools: CallableTools): readonly ToolCall[] | undefined {
  const calls: ToolCall[] = []
  const { length } = text.trimEnd()
  for (let at = skipSpace(text, 0); at < length; ) {
    const value = nextValue(text, at)
    const read = value && readJsonCalls(text.slice(at, value.end), tools)
    if (value === undefined || read === undefined || (value.next === value.end && value.end < length)) return undefined
    // What ends with a comma was cut off.
    if (value.next >= length && text[length - 1] === ',') return undefined
    for (const call of read) calls.push(call)
    at = value.next
  }
  return calls.length === 0 ? undefined : calls
}

/** Inline code: at the start of a text, as all of it, or as what may become all of it. */
const wholeCode = /^(`{1,2})(?!`)([^`\n]+)\1$/
const codeStart = /^(`{1,2})(?!`)([^`\n]*)`{0,2}$/
const codeLine = /^(`{1,2})(?!`)([^`\n]+)\1(?!`)/

/** The calls in the first lines of a text that goes on with something else. */
export function callsAtStart(
  text: string,
  tools: CallableTools,
): { readonly calls: readonly ToolCall[]; readonly length: number } | undefined {
  const code = codeLine.exec(text)
  if (code && endsLine(text, code[0].length)) {
    const calls = readCalls(code[0], tools)
    return calls && { calls, length: code[0].length }
  }
  let length = endOfPythonCalls(text, tools)
  for (let value = nextValue(text, 0); value && readJsonCalls(text.slice(length, value.end), tools); value = nextValue(text, value.next)) {
    if (!endsLine(text, value.end)) break
    length = value.end
  }
  // A comment belongs to a program, of which nothing is read.
  const calls = length === 0 || /^\s*#/.test(text.slice(length)) ? undefined : readCalls(text.slice(0, length), tools)
  return calls && { calls, length }
}

/** Yields where a text has what looks like a call of a tool. */
export function* likenesses(text: string, tools: CallableTools): Generator<TextSpan> {
  const isTool = (name = ''): boolean =>
    tools.find(name.replaceAll('\\', '').replace(/^(?:functions|default_api|tools)\./, '')) !== undefined
  // A list of names calls none of them.
  for (const pattern of callLike)
    for (const { 0: found, index, groups: { called, next } = {} } of text.matchAll(pattern))
      if (isTool(called) && !isTool(next)) yield { start: index, end: index + found.length }
}

/** Whether a text looks like one call, of whatever tool. */
export function isLikeCall(text: string): boolean {
  return likeOneCall.test(text.slice(0, longestLook))
}

const longestLook = 2000
const word = '[\\p{L}_](?:[\\p{L}\\p{N}_]|\\\\_){0,99}'
const name = '[\\p{L}_](?:[\\p{L}\\p{N}_]|\\\\_|[.-](?=[\\p{L}\\p{N}_])){0,200}'
const quoted = `["'](?<called>${name})["']\\s{0,9}`
/** Signs between a name and the brace of its arguments, and the start of a fence. */
const signs = '[^\\p{L}\\p{N}_\\\\.;!?(){}[\\]]{0,12}(?:(?:(?<=`{3})|(?<=~{3}))[^\\s`]{1,40}\\s{1,9})?'
/** What is written like a call: a name before arguments in brackets, as a key, as the first item of a list, or as the name in JSON. */
const callLike = [
  `(?<![\\p{L}\\p{N}_.\\\\-])(?<called>${name})(?:["'\`*]{0,3}\\((?=\\s{0,99}(?:\\)|${word}\\s{0,9}[=:](?!=)|["'[{\\d*-]))|${signs}(?:\\((?=\\s{0,99}${word}\\s{0,9}=(?!=))|(?:\\[\\s{0,9})?\\{(?=\\s{0,99}(?:["'}]|${word}\\s{0,9}:))))`,
  `[{,]\\s{0,99}${quoted}:`,
  `[[(]\\s{0,99}${quoted},(?=\\s{0,99}(?:["'](?<next>${name})["'])?)`,
  `(?:["'](?:${looseNames.join('|')})["']|[{,]\\s{0,99}(?:${looseNames.join('|')}))\\s{0,9}:\\s{0,9}${quoted}`,
  // backtracks: names and signs, of at most 400 characters
].map((pattern) => new RegExp(pattern, 'gu'))
/** One line of it, with names for the arguments, or JSON with arguments: any program has other calls. */
const likeOneCall =
  // backtracks: at most 2000 characters
  /^\s*\[?\s*[\p{L}_][\p{L}\p{N}_.]*\(\s*[\p{L}_][\p{L}\p{N}_]*\s*[=:](?!=)[^\n]*\)\s*\]?[;,]?\s*$|^\s*\[?\s*\{\s*["'](?:name|function|tool)["'][\s\S]*?["'](?:arguments|parameters|args|input)["']\s*:/u

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

/** Calls in shapes of no API: other keys, and tools as keys of their arguments; every entry must be one. */
function looseCalls(text: string, start: number, tools: CallableTools): readonly ToolCall[] | undefined {
  const root = partsAt(text, start)
  const list = text[start] === '[' ? undefined : partUnder(root, ...looseLists)
  const entries = text[start] === '[' ? root : list && text[list.start] === '[' && root.length === 1 ? partsAt(text, list.start) : undefined
  // What the model thought may be beside the one call.
  const single =
    root.every(({ name }) => name === 'thoughts' || looseSingles.some((key) => key === name)) && partUnder(root, ...looseSingles)
  const one = single && text[single.start] === '{' && text[start] === '{' ? single.start : start
  const calls = (entries?.map((entry) => looseCall(text, entry.start, tools)) ?? [looseCall(text, one, tools)]).flat()
  return calls.length === 0 || calls.includes(undefined) ? undefined : (calls as ToolCall[])
}

function looseCall(text: string, start: number, tools: CallableTools): (ToolCall | undefined)[] {
  const parts = text[start] === '{' ? partsAt(text, start) : []
  const inner = partUnder(parts, 'function')
  if (inner && text[inner.start] === '{' && parts.every(({ name }) => wrapping.some((key) => key === name)))
    return looseCall(text, inner.start, tools)
  const named = parts.filter(({ name, start: at }) => text[at] === '{' && tools.find(String(name)) !== undefined)
  if (parts.length > 0 && named.length === parts.length)
    return named.map(({ name, start: from, end }) => ({ name: String(name), arguments: text.slice(from, end) }))
  const name = partUnder(parts, ...looseNames)
  const given = partUnder(parts, ...looseArguments)
  const called = name && parseJson(text.slice(name.start, name.end))
  if (typeof called !== 'string' || given === undefined || text[given.start] !== '{') return [undefined]
  return [{ name: called.replace(/^functions\./, ''), arguments: text.slice(given.start, given.end) }]
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

/** The name of the notation of calls without marks. */
export function notationOf(text: string): 'json' | 'python' {
  return /^\s*(?:functools\s*)?(?:\[\s*)?\{/.test(text.slice(0, 300)) ? 'json' : 'python'
}

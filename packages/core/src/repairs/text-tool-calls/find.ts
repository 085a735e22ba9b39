import type { Answer } from '../../answer/answer.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import type { ToolDefinition } from '../../answer/tool-shapes/tool-definition.ts'
import { readJsonCalls } from './json-calls.ts'
import { readPythonCalls } from './python-calls.ts'

/** Tool calls that the model wrote as text, with the text that they are. */
export interface TextToolCalls {
  readonly calls: readonly ToolCall[]
  readonly span: TextSpan
}

type Tools = ReadonlyMap<string, ToolDefinition>

/** Lines that look like the start of calls are tried only so often, so that a text full of them stays cheap. */
const mostTries = 20

const tag = /<(tool_call|tool_calls|function_call)>/gi

/**
 * Finds tool calls that arrive as text: fenced or bare JSON, `<tool_call>…</tool_call>`, and Python calls at the end of the answer.
 *
 * Only calls of the tools offered count, and a piece with anything else in it counts as text. Reasoning is not looked at.
 */
export function findTextToolCalls(answer: Answer, tools: readonly ToolDefinition[]): TextToolCalls[] {
  const byName = new Map(tools.filter(({ name }) => name !== '').map((tool) => [tool.name, tool]))
  if (byName.size === 0) return []
  const whole = wholeBody(answer, byName)
  if (whole) return [whole]
  const tagged = [...inTags(answer, byName)]
  const fenced = inFences(answer, byName).filter(({ span }) => !spanHolds(tagged, span.start))
  const found = [...tagged, ...fenced].sort((a, b) => a.span.start - b.span.start)
  const last = found.at(-1)?.span.end ?? answer.bodyStart
  const atEnd = pythonAtEnd(answer, last, byName)
  return atEnd ? [...found, atEnd] : found
}

/** The whole answer is one piece of JSON or Python. */
function wholeBody({ text, bodyStart }: Answer, tools: Tools): TextToolCalls | undefined {
  const body = text.slice(bodyStart)
  const start = bodyStart + (body.length - body.trimStart().length)
  const calls = readCalls(text.slice(start), tools)
  return calls && { calls, span: { start, end: text.trimEnd().length } }
}

function* inTags(answer: Answer, tools: Tools): Generator<TextToolCalls> {
  const { text } = answer
  const pattern = new RegExp(tag)
  pattern.lastIndex = answer.bodyStart
  for (let open = pattern.exec(text); open; open = pattern.exec(text)) {
    if (answer.inFence(open.index)) continue
    const from = open.index + open[0].length
    const closer = `</${open[1]}>`
    const close = text.indexOf(closer, from)
    // The closing tag is often the stop word of the model, and so not part of its answer.
    const end = close < 0 ? text.length : close + closer.length
    const calls = readCalls(withoutFence(text.slice(from, close < 0 ? text.length : close)), tools)
    if (calls) yield { calls, span: { start: open.index, end } }
    if (close < 0) return
    pattern.lastIndex = end
  }
}

function inFences({ codeBlocks, bodyStart }: Answer, tools: Tools): TextToolCalls[] {
  return codeBlocks.flatMap(({ span, content, closed }) => {
    const calls = closed && span.start >= bodyStart ? readCalls(untagged(content), tools) : undefined
    return calls ? [{ calls, span }] : []
  })
}

/** Calls in prose are examples; those that the answer ends with are meant. */
function pythonAtEnd(answer: Answer, from: number, tools: Tools): TextToolCalls | undefined {
  const { text } = answer
  const line = /^[ \t]*(?:\[[ \t]*)?([\p{L}_][\p{L}\p{N}_.]*)[ \t]*\(/gmu
  line.lastIndex = from
  let tries = 0
  for (let found = line.exec(text); found && tries < mostTries; found = line.exec(text)) {
    if (!tools.has(found[1] ?? '') || answer.inFence(found.index)) continue
    tries++
    const calls = readPythonCalls(text, found.index, tools)
    if (calls) return { calls, span: { start: found.index, end: text.trimEnd().length } }
  }
  return undefined
}

function readCalls(text: string, tools: Tools): readonly ToolCall[] | undefined {
  const json = readJsonCalls(text)
  if (json) return json.every(({ name }) => tools.has(name)) ? json : undefined
  return /^\s*(?:\[\s*)?[\p{L}_][\p{L}\p{N}_.]*\s*\(/u.test(text.slice(0, 300)) ? readPythonCalls(text, 0, tools) : undefined
}

function withoutFence(text: string): string {
  return /^\s*```\w*\r?\n([\s\S]*?)\r?\n?```\s*$/.exec(text)?.[1] ?? text
}

function untagged(text: string): string {
  return /^\s*<(tool_call|tool_calls|function_call)>([\s\S]*)<\/\1>\s*$/i.exec(text)?.[2] ?? text
}

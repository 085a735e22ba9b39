import { Answer } from '../../../answer/answer.ts'
import { spanHolds, type TextSpan } from '../../../answer/span.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { type Block, findBlocks } from '../dialects/blocks.ts'
import type { Dialect } from '../dialects/table.ts'
import { CallableTools } from '../notations/callable-tools.ts'
import { notationOf, readCalls } from '../notations/read-calls.ts'
import { isBlankAround, readFencedCalls, type TextToolCalls, withoutEnd } from './fenced.ts'
import { CallTail } from './tail.ts'

/** All of an answer that is calls, or looks like it. */
export interface CallsInAnswer {
  readonly found: readonly TextToolCalls[]
  /** What has marks of a call that is not a quotation, and is none of those that were found. */
  readonly unread: Block | undefined
  /** Whether it has marks of calls that are code, or in a quotation. */
  readonly hasQuoted: boolean
  /** Where the answer begins, after its reasoning. */
  readonly start: number
}

/** By what calls are recognised, beside the tools. */
interface FindRules {
  readonly aliases?: SuggestionRules['aliases']
  /** Whether a dialect is one that the model is said to write: its tokens are calls wherever they are not code. */
  readonly trusts?: (dialect: string) => boolean
}

/**
 * Finds tool calls that arrive as text: JSON or Python that is the whole answer, alone or in fences, or below words; and everything in the marks of a dialect.
 *
 * Only calls of the tools offered count, and a piece with anything else in it counts as text. Reasoning and quotations are not looked at.
 */
export function findTextToolCalls(answer: Answer, offered: readonly ToolDefinition[], rules: FindRules = {}): CallsInAnswer {
  const tools = new CallableTools(offered, rules.aliases)
  const none = { found: [], unread: undefined, hasQuoted: false, start: answer.bodyStart }
  return tools.names.length === 0 ? none : findIn(answer, answer.bodyStart, tools, rules, true)
}

function findIn(answer: Answer, bodyStart: number, tools: CallableTools, rules: FindRules, mayReason: boolean): CallsInAnswer {
  const whole = wholeBody(answer, bodyStart, tools)
  if (whole) return { found: [whole], unread: undefined, hasQuoted: false, start: bodyStart }
  const { blocks, start, reasoningEnd } = findBlocks(answer, tools, bodyStart, mayReason)
  if (reasoningEnd !== undefined) return moved(findIn(new Answer(answer.text.slice(reasoningEnd)), 0, tools, rules, false), reasoningEnd)
  const isCall = ({ dialect, quotation, span }: Block): boolean =>
    dialect !== undefined &&
    !(dialect.form === 'lines' && isShown(answer.text, start, span.start)) &&
    (quotation === 'none' || (quotation === 'open' && dialect.own === true && rules.trusts?.(dialect.name) === true))
  const marked = blocks
    .filter(isCall)
    .map(({ calls, span, dialect }) => ({ calls, span, dialect: dialect?.name ?? '', marks: dialect as Dialect }))
  const unread = blocks.find((block) => !isCall(block) && block.quotation !== 'code')
  const fenced = inFences(answer, start, tools).filter(({ span }) => !spanHolds(marked, span.start))
  const all = [...marked, ...fenced].sort((a, b) => a.span.start - b.span.start)
  // Amid other words a fence shows what a call would look like.
  const found = isBlankAround(answer.text, start, all) ? all : blocks.length > 0 ? marked : behindWords(answer, start, tools)
  const hasQuoted = blocks.some(({ quotation, span }) => quotation === 'code' && !spanHolds(found, span.start))
  return { found, unread, hasQuoted, start }
}

/** The same, in a text that has more before it. */
function moved({ found, unread, hasQuoted, start }: CallsInAnswer, by: number): CallsInAnswer {
  const move = <Piece extends { readonly span: TextSpan }>(piece: Piece): Piece => ({
    ...piece,
    span: { start: piece.span.start + by, end: piece.span.end + by },
  })
  return { found: found.map(move), unread: unread && move(unread), hasQuoted, start: start + by }
}

/** Words that say that what follows is shown, not done. */
const shows =
  /\b(?:examples?|e\.g|instance|such as|like (?:this|so)|would|could|might|should|if|you (?:can|may|need|must)|run|use|usage|syntax|format|template|not|cannot|don't|never|wrong|forbidden|refuse|avoid|write|type|enter|try|or:|instead|beispiel|z\. ?b|würde|könnte|sollte|wenn|nicht|nie|niemals|falsch|verboten|schreib\w{0,2}|oder:)(?!\w)|\?/i

/** Words that say that a call is made here. */
const announces = /\b(?:i(?:['’]ll| will|['’]m going to| am going to)|let me|we(?:['’]ll| will)) (?:use|run|try)\b/gi

/** So much before a call says what it is for. */
const lead = 300

/** Whether the words before an offset say so; what a model thinks before it acts does not. */
function isShown(text: string, start: number, from: number): boolean {
  const words = text.slice(Math.max(start, from - lead), from)
  return !/^\s*Thought:/.test(text.slice(start, start + 50)) && shows.test(words.replace(announces, ''))
}

/** The calls that an answer ends with, after words that do not only show them. */
function behindWords(answer: Answer, start: number, tools: CallableTools): readonly TextToolCalls[] {
  const { text } = answer
  const tail = new CallTail(start, tools)
  tail.push(text.slice(start))
  const found = tail.end()
  const from = found[0]?.span.start
  if (from === undefined || isShown(text, start, from)) return []
  // A fence within another one, or a line of a quotation, is not the answer's own.
  const isOwn = found.every(({ span }) => !answer.inFence(span.start) || answer.codeBlocks.some((block) => block.span.start === span.start))
  return isOwn ? found : []
}

/** Finds the opening mark of a call that is not a quotation, whatever is in it. */
export function findCallMark(answer: Answer): TextSpan | undefined {
  const none = new CallableTools([])
  const first = findBlocks(answer, none)
  const { reasoningEnd: by = 0 } = first
  const { blocks } = by === 0 ? first : findBlocks(new Answer(answer.text.slice(by)), none, 0, false)
  const span = blocks.find(({ quotation }) => quotation !== 'code')?.span
  return span && { start: span.start + by, end: span.end + by }
}

/** The whole answer is one piece of JSON or Python. */
function wholeBody({ text }: Answer, from: number, tools: CallableTools): TextToolCalls | undefined {
  const body = text.slice(from)
  const start = from + (body.length - body.trimStart().length)
  const written = withoutEnd(text.slice(start))
  const calls = readCalls(written, tools)
  return calls && { calls, span: { start, end: text.trimEnd().length }, dialect: notationOf(written) }
}

function inFences({ codeBlocks }: Answer, start: number, tools: CallableTools): TextToolCalls[] {
  return codeBlocks.flatMap(({ span, content, closed }) => {
    const calls = closed && span.start >= start ? readFencedCalls(content, tools) : undefined
    return calls ? [{ calls, span, dialect: notationOf(content) }] : []
  })
}

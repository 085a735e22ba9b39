import { Answer } from '../../../answer/answer.ts'
import { spanHolds, type TextSpan } from '../../../answer/span.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { type Block, findBlocks } from '../dialects/blocks.ts'
import type { Dialect } from '../dialects/table.ts'
import { CallableTools } from '../notations/callable-tools.ts'
import { notationOf, readCalls } from '../notations/read-calls.ts'
import { type TextToolCalls, withoutEnd } from './fenced.ts'
import { CallPlaces, type Lookalike } from './places.ts'

/** All of an answer that is calls, or looks like it, each in the order of the text. */
export interface CallsInAnswer {
  /** What is meant as calls. */
  readonly found: readonly TextToolCalls[]
  /** What is nothing but calls as well, but perhaps only shown: the words around it say so. */
  readonly shown: readonly TextToolCalls[]
  /** Of that, what no word says for certain to be an example, or something for somebody else to do. */
  readonly doubtful: readonly TextToolCalls[]
  readonly lookalikes: readonly Lookalike[]
  /** What has marks of a call that is not a quotation, and is none of those that were found. */
  readonly unread: Block | undefined
  /** Whether it has marks of calls that are code, or in a quotation. */
  readonly hasQuoted: boolean
  /** Whether what may be the result is behind the last calls. */
  readonly isAnswered: boolean
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
 * Finds tool calls that arrive as text, in order: JSON or Python, alone, in fences, or amid words; and everything in the marks of a dialect.
 *
 * Only calls of the tools offered count, and a piece with anything else in it counts as text. Reasoning and quotations are not looked at.
 */
export function findTextToolCalls(answer: Answer, offered: readonly ToolDefinition[], rules: FindRules = {}): CallsInAnswer {
  const tools = new CallableTools(offered, rules.aliases)
  return tools.names.length === 0 ? { ...nothing, start: answer.bodyStart } : findIn(answer, answer.bodyStart, tools, rules, true)
}

const nothing = { found: [], shown: [], doubtful: [], lookalikes: [], unread: undefined, hasQuoted: false, isAnswered: false }

function findIn(answer: Answer, bodyStart: number, tools: CallableTools, rules: FindRules, mayReason: boolean): CallsInAnswer {
  const whole = wholeBody(answer, bodyStart, tools)
  if (whole) return { ...nothing, found: [whole], start: bodyStart }
  const { blocks, start, reasoningEnd } = findBlocks(answer, tools, bodyStart, mayReason)
  if (reasoningEnd !== undefined) return moved(findIn(new Answer(answer.text.slice(reasoningEnd)), 0, tools, rules, false), reasoningEnd)
  const isCall = ({ dialect, quotation, span }: Block): boolean =>
    dialect !== undefined &&
    !(dialect.form === 'lines' && isShown(answer.text, start, span.start)) &&
    (quotation === 'none' || (quotation === 'open' && dialect.own === true && rules.trusts?.(dialect.name) === true))
  const marked: TextToolCalls[] = blocks
    .filter(isCall)
    .map(({ calls, span, dialect }) => ({ calls, span, dialect: dialect?.name ?? '', marks: dialect as Dialect }))
  const unread = blocks.find((block) => !isCall(block) && block.quotation !== 'code')
  const places = new CallPlaces(start, tools)
  places.push(answer.text.slice(start))
  places.end()
  const isOutside = ({ span }: { readonly span: TextSpan }): boolean => !spanHolds(blocks, span.start)
  const all = [...marked, ...places.found.filter(isOutside)].sort((a, b) => a.span.start - b.span.start)
  const fences = new Set(answer.codeBlocks.map(({ span }) => span.start))
  // A fence within another one, or a line of a quotation, is not the answer's own.
  const isOwn = (offset: number): boolean => !answer.inFence(offset) || fences.has(offset)
  const isMeant = (one: TextToolCalls, index: number): boolean =>
    one.marks !== undefined || (isOwn(one.span.start) && !isShown(answer.text, all[index - 1]?.span.end ?? start, one.span.start))
  const end = all.at(-1)
  const behind = end && !end.marks ? answer.text.slice(end.span.end) : ''
  const isAnswered = answers.test(behind)
  const isTakenBack = !isAnswered && takesBack.test(behind)
  const meant = isTakenBack ? all.slice(0, -1) : all
  const found = meant.filter(isMeant)
  const made = new Set(found)
  const shown = all.filter((one) => !made.has(one))
  const isDoubtful = (one: TextToolCalls): boolean =>
    isOwn(one.span.start) && !exemplifies.test(wordsBefore(answer.text, start, one.span.start))
  const doubtful = isAnswered || isTakenBack ? [] : shown.filter(isDoubtful)
  const hasQuoted = blocks.some(({ quotation, span }) => quotation === 'code' && !spanHolds(all, span.start))
  return { found, shown, doubtful, lookalikes: places.lookalikes.filter(isOutside), unread, hasQuoted, isAnswered, start }
}

/** The same, in a text that has more before it. */
function moved({ found, shown, doubtful, lookalikes, unread, start, ...rest }: CallsInAnswer, by: number): CallsInAnswer {
  const move = <Piece extends { readonly span: TextSpan }>(piece: Piece): Piece => ({
    ...piece,
    span: { start: piece.span.start + by, end: piece.span.end + by },
  })
  return {
    ...{ ...rest, found: found.map(move), shown: shown.map(move), doubtful: doubtful.map(move), lookalikes: lookalikes.map(move) },
    ...{ unread: unread && move(unread), start: start + by },
  }
}

/** Words that say that what follows is shown, not done. */
const shows =
  /\b(?:examples?|e\.g|instance|such as|like (?:this|so)|would|could|might|should|if|you (?:can|may|need|must)|run|use|usage|syntax|format|template|not|cannot|don't|never|wrong|forbidden|refuse|avoid|write|type|enter|try|or:|instead|beispiel|z\. ?b|würde|könnte|sollte|wenn|nicht|nie|niemals|falsch|verboten|schreib\w{0,2}|oder:)(?!\w)|\?/i

/** Of these, words that are never about a call that the model makes itself: an example, a refusal, a question, something for the reader to do. */
const exemplifies =
  // backtracks: at most 300 characters
  /\b(?:examples?|e\.g|instance|such as|like (?:this|so)|would|could|you (?:can|may|need|must)|usage|syntax|format|template|never|forbidden|refuse|avoid|or:|instead|beispiel|z\. ?b|würde|könnte|nie|niemals|verboten|oder:)(?!\w)|(?:\bnot|n['’]t) (?:do|call|run|use|make|execute|send|try)\b|\?|(?<!\b(?:i|we|to) )\b(?:run|use|write|type|enter|try)(?: (?:this|that|it))?:?\s*$/i

/** Words behind calls that take them back, or leave them to somebody else. */
const takesBack =
  /\b(?:not|never|no longer|cannot|wrong|instead|would|could|should|might|must|unless|confirm|approv\w{1,4}|examples?|forbidden|refuse|avoid|nicht|nie|niemals|falsch|statt|würde|könnte|sollte|beispiel|verboten)\b|n['’]t\b|[?？]/i

/** A line behind calls that may say what they returned: then the model answered itself. */
const answers = /^[ \t]*(?:[`~]|(?:observation|result|output|response)s?:)/im

/** Words that say that a call is made here. */
const announces = /\b(?:i(?:['’]ll| will|['’]m going to| am going to)|let me|we(?:['’]ll| will)) (?:use|run|try)\b/gi

/** So much before a call says what it is for. */
const lead = 300

/** Whether the words before an offset say so; what a model thinks before it acts does not. */
function isShown(text: string, start: number, from: number): boolean {
  const words = wordsBefore(text, start, from)
  return !/^\s*Thought:/.test(text.slice(start, start + 50)) && shows.test(words.replace(announces, ''))
}

function wordsBefore(text: string, start: number, from: number): string {
  return text.slice(Math.max(start, from - lead), from)
}

/** The whole answer is one piece of JSON or Python. */
function wholeBody({ text }: Answer, from: number, tools: CallableTools): TextToolCalls | undefined {
  const body = text.slice(from)
  const start = from + (body.length - body.trimStart().length)
  const written = withoutEnd(text.slice(start))
  const calls = readCalls(written, tools)
  return calls && { calls, span: { start, end: text.trimEnd().length }, dialect: notationOf(written) }
}

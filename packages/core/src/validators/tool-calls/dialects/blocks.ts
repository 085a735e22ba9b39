import type { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import { endOfMatch } from '../../../answer/span.ts'
import type { ToolCall } from '../../../answer/tool-calls.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { type Quotation, Quotations } from '../notations/quotations.ts'
import { readBraces } from './forms/braces.ts'
import { messageAt, readMessage } from './forms/message.ts'
import { readPairs } from './forms/pairs.ts'
import { isMarkAt, type ReadForm, type ReadResult } from './forms/reading.ts'
import { readTags, readToolTags } from './forms/tags.ts'
import { readLines, readNamed, readValues } from './forms/values.ts'
import { markAt, markPattern, plainMark, reasoningEnd } from './marks.ts'
import { type Dialect, dialects, type Form, xml } from './table.ts'

/** What marks of a dialect hold. */
export interface Block {
  readonly span: TextSpan
  /** Undefined when what is marked cannot be read. */
  readonly dialect: Dialect | undefined
  readonly calls: readonly ToolCall[]
  /** Whether the text ends within it. */
  readonly isCut: boolean
  readonly quotation: Quotation
}

/** Everything in an answer that has marks of calls. */
interface MarkedCalls {
  readonly blocks: readonly Block[]
  /** Where the answer begins, after messages of the model to itself. */
  readonly start: number
  /** Where reasoning ends of which only the end is marked; what follows is to be read by itself. */
  readonly reasoningEnd?: number
}

const readers = new Map<Form, ReadForm>(dialects.map(({ form }) => [form, readerOf(form)]))

function readerOf(form: Form): ReadForm {
  if (typeof form === 'object') return 'tags' in form ? readTags(form.tags) : readPairs(form.pairs)
  return {
    values: readValues,
    named: readNamed,
    message: readMessage,
    braces: readBraces,
    lines: readLines,
    'tool-tags': readToolTags(xml),
  }[form]
}

/** Finds the marks of calls in an answer, and reads what they hold; up to the first that cannot be read, because then no call is made. */
export function findBlocks(answer: Answer, tools: CallableTools, start = answer.bodyStart, mayReason = true): MarkedCalls {
  return new BlockFinder(answer, tools, start).find(mayReason)
}

class BlockFinder {
  readonly #answer: Answer
  readonly #tools: CallableTools
  #quotations: Quotations | undefined
  readonly #blocks: Block[] = []
  #start: number

  constructor(answer: Answer, tools: CallableTools, start: number) {
    this.#answer = answer
    this.#tools = tools
    this.#start = start
  }

  find(mayReason: boolean): MarkedCalls {
    const { text } = this.#answer
    const mark = markPattern()
    mark.lastIndex = this.#start
    for (let found = mark.exec(text); found; found = mark.exec(text)) {
      const { index, 0: written, 1: opening, 2: end, 3: tag } = found
      if (tag !== undefined && !this.#tools.tagNames.includes(tag)) continue
      const open = opening ?? tag
      if (end !== undefined) {
        // Where no call came before it, it need not be looked at whether it is shown as code: nothing is lost.
        if (mayReason && (this.#blocks.length === 0 || !this.#answer.inCode(index))) return this.#found(index + written.length)
        continue
      }
      this.#quotations ??= new Quotations(this.#answer, this.#start)
      const quotation = this.#quotations.at(index)
      const message = open === undefined || quotation === 'code' ? undefined : this.#otherMessage(index)
      if (message !== undefined) {
        mark.lastIndex = message
        continue
      }
      const block = open === undefined ? undefined : this.#read(index, written, quotation)
      if (block !== undefined) this.#blocks.push(block)
      if (block === undefined || block.dialect) {
        mark.lastIndex = block?.span.end ?? index + written.length
        this.#quotations.skipTo(mark.lastIndex)
      }
      // Unless it was reasoning, nothing behind it changes the outcome.
      else if (quotation !== 'code') return this.#found(mayReason ? this.#reasoningEndBehind(mark.lastIndex) : undefined)
    }
    return this.#found()
  }

  #found(end?: number): MarkedCalls {
    return { blocks: this.#blocks, start: this.#start, ...(end === undefined ? {} : { reasoningEnd: end }) }
  }

  #reasoningEndBehind(from: number): number | undefined {
    // backtracks: marks and names, of at most 600 characters
    const end = new RegExp(reasoningEnd, 'gi')
    end.lastIndex = from
    for (let found = end.exec(this.#answer.text); found; found = end.exec(this.#answer.text))
      if (!this.#answer.inCode(found.index)) return end.lastIndex
    return undefined
  }

  /** The end of a message that is not for a tool, whose text is none of a call; undefined where no such message begins. */
  #otherMessage(start: number): number | undefined {
    const { text } = this.#answer
    const message = messageAt(text, headBefore(text, this.#start, start))
    if (message === undefined || message.to !== undefined) return undefined
    const ending = /<\|(?:end|eom|eot|return)\|>/g
    ending.lastIndex = start
    const end = ending.exec(text) ? ending.lastIndex : text.length
    this.#quotations?.skipTo(end)
    // What the model says to itself is reasoning.
    if (/analysis|to=self/.test(message.head) && this.#blocks.length === 0) {
      this.#start = end
      this.#quotations = undefined
    }
    return end
  }

  #read(start: number, written: string, quotation: Quotation): Block {
    const { text } = this.#answer
    const markEnd = start + written.length
    const mark = plainMark(written)
    let isCut = false
    for (const dialect of dialects as readonly Dialect[]) {
      if (!dialect.opens.some((open) => open === mark)) continue
      // The prompt may end within the head of the message.
      const head = dialect.form === 'message' ? headBefore(text, this.#start, start) : start
      const read = quotation === 'code' ? undefined : readBlock(text, dialect.opensCall ? head : markEnd, dialect, this.#tools)
      if (typeof read === 'object' && read.calls.every(({ name }) => this.#tools.find(name)))
        return { span: { start: head, end: read.end }, dialect, calls: read.calls, isCut: false, quotation }
      isCut ||= read === 'cut'
    }
    return { span: { start, end: markEnd }, dialect: undefined, calls: [], isCut, quotation }
  }
}

/** Where the head of a message starts whose first mark is at an offset. */
function headBefore(text: string, from: number, mark: number): number {
  const before = mark - from > longestRecipient ? '' : text.slice(from, mark)
  return /^\s*to=[\w.:-]+\s*$/.test(before) ? from : mark
}
const longestRecipient = 220

const gap = /[\s,;]*/y

/** Reads the calls after an opening mark, and the mark that closes them. */
function readBlock(text: string, from: number, { form, closes, between = [], opensCall }: Dialect, tools: CallableTools): ReadResult {
  const read = readers.get(form) as ReadForm
  const calls: ToolCall[] = []
  let end = from
  for (let at = from; ; ) {
    at = skipBetween(text, at, calls.length > 0 || !opensCall ? between : [])
    const close = closes.find((mark) => isMarkAt(mark, text, at))
    if (close !== undefined) return calls.length === 0 ? undefined : { calls, end: at + close.length }
    const one = at < text.length ? read(text, at, tools) : undefined
    if (typeof one === 'object') {
      for (const call of one.calls) calls.push(call)
      end = at = one.end
      if (opensCall) return { calls, end: skipBetween(text, end, between) }
    } else if (calls.length === 0 || one === 'cut') return one ?? (at >= text.length ? 'cut' : undefined)
    else if (at >= text.length && needsClose(form) && text.slice(end, at).trim() === '') return 'cut'
    else
      return at >= text.length || closes.length === 0 || markAt(text, at, tools) === 'mark'
        ? { calls, end: endOf(text, end, between) }
        : undefined
  }
}

/** Whether nothing else than the closing mark says that no argument follows. */
function needsClose(form: Form): boolean {
  return typeof form === 'object' && 'pairs' in form
}

/** The marks that end single calls belong to them, white space before other text does not. */
function endOf(text: string, end: number, between: readonly string[]): number {
  const next = skipBetween(text, end, between)
  return text.slice(end, next).trim() === '' ? end : next
}

function skipBetween(text: string, from: number, marks: readonly string[]): number {
  let at = from
  for (;;) {
    at = endOfMatch(gap, text, at) ?? at
    const mark = marks.find((one) => isMarkAt(one, text, at))
    if (mark === undefined) return at
    at += mark.length
  }
}

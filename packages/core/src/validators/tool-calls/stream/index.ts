import { hasVisible } from '../../../answer/characters.ts'
import { AnswerReader } from '../../../answer/reader.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { InlineCodeWatch, KeptText } from '../../../contract/machine/kept-text.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { heldMarkAt, longestMark, markStart, reasoningEnd } from '../dialects/marks.ts'
import { CallableTools } from '../notations/callable-tools.ts'
import { QuoteLines } from '../notations/quotations.ts'
import { CallPlaces } from '../text-calls/places.ts'

interface PendingTag {
  readonly at: number
  isQuoted?: boolean
}

/** Finds the first opening tag of a call in a stream that is not code and not in a block quote. */
class CallTagWatch {
  /** Where the tag is that was found. */
  found: number | undefined
  readonly #tools: CallableTools
  readonly #kept: KeptText
  readonly #code: InlineCodeWatch
  readonly #quotes: QuoteLines
  readonly #pending: PendingTag[] = []
  /** The first tag that is not judged, and the first whose line is not complete. */
  #next = 0
  #unread = 0
  #length: number
  /** What may become a tag, at the end of the text. */
  #tail = ''
  /** Whether what follows the text is the start of a line. */
  #isLineStart = true

  constructor(start: number, tools: CallableTools) {
    this.#tools = tools
    this.#length = start
    this.#kept = new KeptText(start)
    this.#code = new InlineCodeWatch(this.#kept)
    this.#quotes = new QuoteLines(start, (isQuoted, next) => this.#endLine(isQuoted, next))
  }

  /** Where text has to be held from; its end when it need not. */
  get hold(): number {
    return this.found ?? this.#pending[this.#next]?.at ?? this.#length - this.#tail.length
  }

  /** Takes the next piece of the body, which the reader has seen. */
  push(piece: string, reader: AnswerReader): void {
    if (this.found !== undefined) return
    this.#scan(piece)
    this.#kept.push(piece)
    this.#quotes.push(piece)
    this.#settle(reader)
    this.#kept.dropTo(reader.closed)
  }

  #scan(piece: string): void {
    const text = this.#tail + piece
    const base = this.#length - this.#tail.length
    const isLineStart = this.#isLineStart || this.#tail !== ''
    this.#isLineStart = text.endsWith('\n')
    this.#length += piece.length
    this.#tail = ''
    for (const { index: at, 0: sign } of text.matchAll(markStart)) {
      if (at === 0 && !isLineStart && /a/i.test(sign)) continue
      const kind = heldMarkAt(text, at, this.#tools)
      if (kind === 'mark') this.#pending.push({ at: base + at })
      // The first place is the one to hold from.
      else if (kind === 'start' && this.#tail === '') this.#tail = text.slice(at)
    }
  }

  #endLine(isQuoted: boolean, next: number): void {
    for (let tag = this.#pending[this.#unread]; tag && tag.at < next; tag = this.#pending[++this.#unread]) tag.isQuoted = isQuoted
  }

  #settle(reader: AnswerReader): void {
    for (let tag = this.#pending[this.#next]; tag; tag = this.#pending[++this.#next]) {
      const isCode = this.#isCode(tag, reader)
      if (isCode === undefined) return
      if (isCode) continue
      this.found = tag.at
      return
    }
  }

  /** Undefined as long as more text may change it. */
  #isCode({ at, isQuoted }: PendingTag, reader: AnswerReader): boolean | undefined {
    if (at > (reader.marginFence?.start ?? Number.POSITIVE_INFINITY)) return true
    if (at >= reader.closed) return undefined
    return isQuoted === true || reader.inFence(at) || this.#code.holds(at, reader)
  }
}

/** Starts the watch for calls in the text; where nothing may be called, none can begin. With `isStrict`, nothing is released before the body shows something, nor what only looks like calls. */
export function watchTextCalls(
  tools: readonly ToolDefinition[],
  { isStrict, aliases }: { readonly isStrict: boolean; readonly aliases: SuggestionRules['aliases'] },
): IncrementalCheck<never> {
  const nothing: IncrementalCheck<never> = { push: () => ({ safe: Number.POSITIVE_INFINITY }) }
  const calls = tools.length === 0 ? nothing : new TextCallStream(new CallableTools(tools, aliases), isStrict)
  return isStrict ? new SeenText(calls) : calls
}

/** Holds reasoning until text follows: alone it is no answer. */
class SeenText implements IncrementalCheck<never> {
  readonly #calls: IncrementalCheck<never>
  #length = 0
  #isSeen = false

  constructor(calls: IncrementalCheck<never>) {
    this.#calls = calls
  }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    const progress = this.#calls.push(chunk, reader)
    if (this.#isSeen) return progress
    // Before its first line begins, a text may still turn out to be reasoning.
    const isOpen = reader.inReasoning || (reader.lineHead === '' && reader.linesRead === 0)
    this.#isSeen = !isOpen && hasVisible(chunk.slice(Math.max(0, reader.bodyStart - this.#length)))
    this.#length += chunk.length
    return this.#isSeen ? progress : { safe: 0 }
  }
}

/** So much of the text may be kept to find the end of reasoning in it. */
const recentLength = 400

/** Holds text from the first place where a call that is written as text may begin. */
class TextCallStream implements IncrementalCheck<never> {
  readonly #tools: CallableTools
  readonly #isStrict: boolean
  #length = 0
  #bodyStart = 0
  #tags: CallTagWatch
  #places: CallPlaces
  /** The places from the start on, as long as all may be calls, when the text has the end of reasoning that had no start. */
  #all: CallPlaces | undefined
  /** The end of the text, until it has the end of reasoning. */
  #recent: string | undefined = ''
  /** What follows that end, which is a document of its own. */
  #behind: { readonly start: number; readonly tags: CallTagWatch; readonly reader: AnswerReader } | undefined

  constructor(tools: CallableTools, isStrict: boolean) {
    this.#tools = tools
    this.#isStrict = isStrict
    this.#tags = new CallTagWatch(0, tools)
    this.#places = new CallPlaces(0, tools, isStrict)
  }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    const { bodyStart } = reader
    if (bodyStart > this.#bodyStart) this.#restart(bodyStart)
    const piece = chunk.slice(Math.max(0, bodyStart - this.#length))
    this.#length += chunk.length
    if (piece !== '') {
      this.#tags.push(piece, reader)
      this.#places.push(piece)
      this.#all?.push(piece)
      if (this.#all?.mayBeAll === false) this.#all = undefined
      this.#pushBehind(piece)
      this.#findReasoningEnd(piece)
    }
    const safe = Math.min(this.#tags.hold, this.#places.hold, this.#all?.hold ?? this.#length)
    return { safe: this.#behind ? Math.min(safe, this.#behind.start + this.#behind.tags.hold) : safe }
  }

  /** What follows the first end of reasoning is read as a text of its own. */
  #findReasoningEnd(piece: string): void {
    if (this.#recent === undefined) return
    const text = this.#recent + piece
    // Every such end ends with one of these.
    const found = /[>\]▷]/.test(piece) ? reasoningEnd.exec(text) : null
    this.#recent = found ? undefined : text.length > recentLength ? text.slice(-longestMark) : text
    if (found === null) return
    const rest = text.slice(found.index + found[0].length)
    const start = this.#length - rest.length
    if (this.#places.mayBeAll) this.#all = this.#places
    this.#places = new CallPlaces(start, this.#tools, this.#isStrict)
    this.#places.push(rest)
    this.#behind = { start, tags: new CallTagWatch(0, this.#tools), reader: new AnswerReader() }
    this.#pushBehind(rest)
  }

  #pushBehind(piece: string): void {
    this.#behind?.reader.push(piece)
    this.#behind?.tags.push(piece, this.#behind.reader)
  }

  /** Calls in reasoning do not count. */
  #restart(bodyStart: number): void {
    this.#bodyStart = bodyStart
    this.#tags = new CallTagWatch(bodyStart, this.#tools)
    this.#places = new CallPlaces(bodyStart, this.#tools, this.#isStrict)
    this.#all = undefined
    this.#recent = ''
    this.#behind = undefined
  }
}

import { hasVisible } from '../../../answer/characters.ts'
import type { AnswerReader } from '../../../answer/reader.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'
import { InlineCodeWatch, KeptText } from '../../shared/kept-text.ts'
import { releaseAll } from '../../shared/release-all.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { CallableTools } from '../text-calls/callable-tools.ts'
import { callTagAt } from '../text-calls/find.ts'
import { QuoteLines } from '../text-calls/quotations.ts'
import { CallLead } from './call-lead.ts'

interface PendingTag {
  readonly at: number
  isQuoted?: boolean
}

/** Finds the first opening tag of a call in a stream that is not code and not in a block quote. */
class CallTagWatch {
  /** Where the tag is that was found. */
  found: number | undefined
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

  constructor(start: number) {
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
    this.#length += piece.length
    this.#tail = ''
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
      const kind = callTagAt(text, at)
      if (kind === 'tag') this.#pending.push({ at: base + at })
      else if (kind === 'start') this.#tail = text.slice(at)
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

/** Starts the watch for calls in the text; where nothing may be called, none can begin. With `needsText`, nothing is released before the body shows something. */
export function watchTextCalls(
  tools: readonly ToolDefinition[],
  { needsText, aliases }: { readonly needsText: boolean; readonly aliases: SuggestionRules['aliases'] },
): IncrementalCheck<never> {
  const calls = tools.length === 0 ? releaseAll() : new TextCallStream(new CallableTools(tools, aliases))
  return needsText ? new SeenText(calls) : calls
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

/** Holds text from the first place where a call that is written as text may begin. */
class TextCallStream implements IncrementalCheck<never> {
  readonly #tools: CallableTools
  #length = 0
  #bodyStart = 0
  /** Until the body cannot be nothing but calls any more. */
  #lead: CallLead | undefined
  #tags: CallTagWatch

  constructor(tools: CallableTools) {
    this.#tools = tools
    this.#lead = new CallLead(tools)
    this.#tags = new CallTagWatch(0)
  }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    const { bodyStart } = reader
    if (bodyStart > this.#bodyStart) this.#restart(bodyStart)
    const piece = chunk.slice(Math.max(0, bodyStart - this.#length))
    this.#length += chunk.length
    if (piece !== '') {
      this.#lead?.push(piece)
      if (this.#lead?.isOpen === false) this.#lead = undefined
      this.#tags.push(piece, reader)
    }
    return { safe: this.#lead ? bodyStart : this.#tags.hold }
  }

  /** Calls in reasoning do not count. */
  #restart(bodyStart: number): void {
    this.#bodyStart = bodyStart
    this.#lead = new CallLead(this.#tools)
    this.#tags = new CallTagWatch(bodyStart)
  }
}

import { languageOf } from '../../answer/markdown/code-language.ts'
import { isMarkdown } from '../../answer/markdown/fence.ts'
import { type AnswerOutline, AnswerReader } from '../../answer/reader.ts'
import type { Locale } from '../../contract/locale.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import type { CheckContext, IncrementalCheck, Progress, StreamFailure } from '../../contract/validator.ts'
import { mayOpenFence } from './blocks/fence-watch.ts'
import { FirstLine } from './first-line.ts'
import { CodeStart, UntaggedStart } from './guess/code-start.ts'
import { mayBeginCode } from './guess/guess-language.ts'
import { HeldText } from './held-text.ts'
import { type CodeFault, draftFaults, type FaultWording } from './inspect.ts'
import { findRepair } from './repair/index.ts'
import { type CodeChoice, CodeSelection } from './selection.ts'
import { type Snippet, snippetsOf } from './snippet.ts'
import type { Verdicts } from './verdicts.ts'

/** So many blocks of one answer are parsed. */
export const mostBlocks = 256

/** An answer with more blocks of code than are parsed. */
export function tooManyBlocks(): TooComplex {
  return new TooComplex({ en: `it has more than ${mostBlocks} blocks of code`, de: `sie hat mehr als ${mostBlocks} Codeblöcke` })
}

type Code = CodeFault

/** Code that needs a verdict, and where the line starts that opens its block, or the document that it is in. */
interface Waiting {
  readonly snippet: Snippet
  readonly from: number
}

/** Releases prose, and holds a block of code from its opening fence until its verdict. */
export class CodeStream implements IncrementalCheck<Code> {
  readonly #reader: AnswerReader
  readonly #choice: CodeChoice
  readonly #selection: CodeSelection
  readonly #verdicts: Verdicts
  readonly #tell: FaultWording
  readonly #repairs: boolean
  readonly #signal: () => AbortSignal
  readonly #locale: Locale
  readonly #held = new HeldText()
  #blocksSeen = 0
  #snippetsSeen = 0
  #checked = 0
  /** Whether the line that is being read opens no fence, and how many lines came before it. */
  #flowing = false
  #linesRead = -1
  /** Where the last fence was that was asked for, and its line started. */
  #fence = { at: -1, line: 0 }
  /** The first line of the body, as long as the text may be code without a fence. */
  #firstLine: FirstLine | CodeStart | undefined
  #firstLineFrom = 0
  #bodyStart = 0
  /** Where the first block starts, as long as it may be the one that is checked. */
  #openFrom = Number.POSITIVE_INFINITY
  /** The start of the last block without a tag. */
  #untagged: UntaggedStart | undefined
  /** Where code starts that has no verdict: it is held to the end. */
  #stuckFrom = Number.POSITIVE_INFINITY

  constructor(choice: CodeChoice, verdicts: Verdicts, tell: FaultWording, context: CheckContext, repairs = true) {
    this.#repairs = repairs
    this.#choice = choice
    this.#reader = new AnswerReader('meant')
    this.#selection = new CodeSelection(choice)
    this.#verdicts = verdicts
    this.#tell = tell
    const signal = (): AbortSignal => context.signal
    this.#signal = signal
    this.#locale = context.locale
    if (!choice.judge && (choice.language !== undefined || choice.guess)) this.#firstLine = this.#newFirstLine()
  }

  push(chunk: string): Progress<Code> {
    const reader = this.#reader
    reader.push(chunk)
    this.#held.length += chunk.length
    if (this.#choice.whole) return { safe: reader.bodyStart }
    if (this.#stuckFrom < Number.POSITIVE_INFINITY) return { safe: this.#held.safe }
    // A line that could flow goes on flowing: most chunks of prose end here.
    if (this.#flowing && reader.linesRead === this.#linesRead) return this.#held.release(this.#held.length)
    this.#held.keep(chunk)
    this.#readFirstLine(reader)
    const waiting = this.#takeBlocks(reader)
    const clear = this.#clear(reader)
    const [first] = waiting
    if (first === undefined) return this.#held.release(clear)
    const { safe } = this.#held.release(Math.min(clear, first.from))
    return { safe, pending: this.#judge(waiting, clear) }
  }

  async #judge(waiting: readonly Waiting[], clear: number): Promise<Progress<Code>> {
    for (const { snippet, from } of waiting) {
      const verdict = await this.#verdicts.of(snippet, this.#signal())
      if (verdict instanceof Error) {
        this.#stuckFrom = from
        return this.#held.release(Math.min(clear, from))
      }
      const issues = draftFaults(snippet, verdict, this.#tell, this.#locale)
      if (issues.length > 0) {
        const isTag = verdict.verdict === 'mistagged'
        const isFinal = !this.#repairs || (!isTag && (await findRepair(snippet, this.#verdicts, this.#signal())) === undefined)
        const failure: StreamFailure<Code> = { at: snippet.span.end, issues, ...(isFinal ? { final: true } : {}) }
        return { ...this.#held.release(Math.min(clear, from)), failure }
      }
    }
    return this.#held.release(clear)
  }

  /** Takes the blocks that are complete, and returns those that need a verdict. */
  #takeBlocks(reader: AnswerOutline): Waiting[] {
    const waiting: Waiting[] = []
    for (; this.#blocksSeen < reader.codeBlocks.length; this.#blocksSeen++) {
      const block = reader.codeBlocks[this.#blocksSeen]
      if (block === undefined) break
      if (!this.#matters(block.info, block.language) || this.#untagged?.isProse(block.span.start)) this.#snippetsSeen++
      else {
        const from = this.#lineStart(block.span.start)
        for (const snippet of snippetsOf(block, (span) => this.#held.slice(span))) this.#takeSnippet({ snippet, from }, waiting)
      }
    }
    if (this.#checked > mostBlocks) this.#stuckFrom = this.#held.safe
    return this.#checked > mostBlocks ? [] : waiting
  }

  #takeSnippet({ snippet: block, from }: Waiting, waiting: Waiting[]): void {
    const number = ++this.#snippetsSeen
    const snippet = this.#selection.recognise(block)
    const taken = this.#selection.take(snippet)
    if (taken === 'open') this.#openFrom = from
    if (taken !== 'checked') return
    // A block in the language: no other one can be meant any more.
    if (this.#selection.hasFound) this.#openFrom = Number.POSITIVE_INFINITY
    this.#checked++
    waiting.push({ snippet: { ...snippet, number }, from })
  }

  #matters(info: string, language: string): boolean {
    return isMarkdown(language) || this.#selection.mayTake(languageOf(info))
  }

  /** How far the text holds no code that is still to be judged. */
  #clear(reader: AnswerOutline): number {
    // Reasoning that never ends hides code, so it waits too where a text without a fence is judged.
    const body = this.#choice.judge ? 0 : reader.bodyStart
    return Math.min(this.#clearOfFences(reader), this.#openFrom, this.#mayBeWhole() ? body : Number.POSITIVE_INFINITY)
  }

  #clearOfFences(reader: AnswerOutline): number {
    this.#flowing = false
    const open = reader.openFence
    if (open && this.#matters(open.info, open.language) && !this.#isProse(open)) return this.#lineStart(open.start)
    if (reader.undecided) return reader.decided
    this.#linesRead = reader.linesRead
    // After its margin only its own fence ends a block.
    const isCode = open !== undefined && reader.marginFence !== undefined
    const lineStart = reader.decided
    const partial = (): string => this.#held.slice({ start: lineStart, end: this.#held.length })
    if (!isCode && mayOpenFence(reader.lineHead, this.#held.length - lineStart, partial)) return lineStart
    // Before the first line the text may still turn out to be reasoning.
    this.#flowing = reader.lineHead !== '' && !this.#mayBeWhole() && this.#openFrom === Number.POSITIVE_INFINITY
    return this.#held.length
  }

  /** Whether the first line of a block without a tag shows that it is not checked. */
  #isProse({ start, info }: NonNullable<AnswerOutline['openFence']>): boolean {
    if (info !== '' || this.#selection.takes('') || this.#lineStart(start) !== start) return false
    if (this.#untagged?.start !== start) this.#untagged = new UntaggedStart(start)
    this.#untagged.read(this.#held)
    return this.#untagged.isProse(start)
  }

  /** Whether the text may still be checked as a whole, since it looks like code and has no block. */
  #mayBeWhole(): boolean {
    if (this.#choice.judge) return this.#selection.isEmpty
    if (this.#firstLine === undefined || this.#firstLine.verdict === 'prose') return false
    return this.#choice.guess ? this.#blocksSeen === 0 : this.#selection.isEmpty
  }

  #newFirstLine(): FirstLine | CodeStart {
    const { guess } = this.#choice
    return guess ? new CodeStart((line) => mayBeginCode(line, guess)) : new FirstLine(this.#choice.language)
  }

  #readFirstLine(reader: AnswerOutline): void {
    if (this.#firstLine === undefined) return
    if (reader.bodyStart !== this.#bodyStart) {
      this.#bodyStart = reader.bodyStart
      this.#firstLineFrom = reader.bodyStart
      this.#firstLine = this.#newFirstLine()
    }
    if (this.#firstLine.verdict !== 'open') return
    if (!reader.inReasoning) this.#firstLine.push(this.#held.slice({ start: this.#firstLineFrom, end: this.#held.length }))
    this.#firstLineFrom = this.#held.length
  }

  /** Where the line starts that an offset is in, as far as it is kept: marks before a fence go with it. */
  #lineStart(offset: number): number {
    // Asked for with every chunk of the same block.
    if (offset === this.#fence.at) return this.#fence.line
    this.#fence = { at: offset, line: this.#held.lineStart(offset) }
    return this.#fence.line
  }
}

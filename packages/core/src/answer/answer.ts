import { hasVisible } from './characters.ts'
import { type FinishMissing, finishKindOf } from './finish-reason.ts'
import { findInlineCode } from './inline/inline-code.ts'
import type { CodeBlock, FrontMatter, Heading, InlineBlock, ListItem } from './outline.ts'
import { type AnswerOutline, AnswerReader } from './reader.ts'
import { spanHolds, type TextSpan } from './span.ts'
import type { ToolCall } from './tool-calls.ts'
import { countWords } from './words.ts'

/** What is known of an answer beside its text. */
export interface AnswerParts {
  readonly toolCalls?: readonly ToolCall[]
  /** Why the model stopped, in the provider's own word. */
  readonly finishReason?: string | undefined
  /** Set when the provider ended the answer without a word for it. */
  readonly finishMissing?: FinishMissing | undefined
  /** What it holds that no validator can read, such as audio. */
  readonly unread?: string | undefined
  /** A reader that has already read the whole text. */
  readonly reader?: AnswerReader | undefined
}

/** One model output, read once and lazily. */
export class Answer {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: string | undefined
  readonly finishMissing: FinishMissing | undefined
  readonly unread: string | undefined
  #reader: AnswerReader | undefined
  #words: number | undefined
  #derived: Map<unknown, unknown> | undefined
  #inlineCode: readonly { readonly span: TextSpan }[] | undefined

  constructor(text: string, parts: AnswerParts = {}) {
    this.text = text
    this.toolCalls = parts.toolCalls ?? []
    this.finishReason = parts.finishReason
    this.finishMissing = parts.finishMissing
    this.unread = parts.unread
    this.#reader = parts.reader
  }

  /** Whether it is a turn before the answer: it calls tools, or was paused while the provider runs some. */
  get isBetween(): boolean {
    return this.toolCalls.length > 0 || (this.finishReason !== undefined && finishKindOf(this.finishReason) === 'paused')
  }

  /** The same answer with another text and other calls. */
  changed(text: string, toolCalls: readonly ToolCall[]): Answer {
    const { finishReason, finishMissing, unread } = this
    return new Answer(text, { toolCalls, finishReason, finishMissing, unread })
  }

  /** Headings, ATX and setext, outside of code, HTML and front matter. */
  get headings(): readonly Heading[] {
    return this.outline.headings
  }

  /** Fenced code blocks. */
  get codeBlocks(): readonly CodeBlock[] {
    return this.outline.codeBlocks
  }

  /** List items with their check boxes. */
  get listItems(): readonly ListItem[] {
    return this.outline.listItems
  }

  /** Blocks between `---` lines that are front matter by their form; their YAML may still be broken. */
  get frontMatters(): readonly FrontMatter[] {
    return this.outline.frontMatters
  }

  /** Blocks that begin like front matter and never close. */
  get unclosedHeaders(): readonly { readonly start: number; readonly firstLine: string }[] {
    return this.outline.unclosedHeaders
  }

  /** What a function makes of the answer; it is asked once. */
  derived<Result>(make: (answer: Answer) => Result): Result {
    this.#derived ??= new Map()
    if (!this.#derived.has(make)) this.#derived.set(make, make(this))
    return this.#derived.get(make) as Result
  }

  /** Paragraphs and headings: where inline constructs may occur. */
  get inlines(): readonly InlineBlock[] {
    return this.outline.inlines
  }

  /** Blocks of HTML, as far as they may show text. */
  get htmlBlocks(): readonly TextSpan[] {
    return this.outline.htmlBlocks
  }

  /** Inline code, outside of code blocks. */
  get inlineCode(): readonly TextSpan[] {
    return this.#codePlaces.map(({ span }) => span)
  }

  /** The lines that close the fence at the margin that is still open at the end, and would swallow what is appended. */
  get unclosedFence(): readonly string[] | undefined {
    return this.outline.unclosedFence
  }

  /** The reasoning block at the start; empty when there is none. */
  get reasoning(): string {
    return this.text.slice(0, this.bodyStart)
  }

  /** Whether the reasoning never ends, so that the answer has no body. */
  get unclosedReasoning(): boolean {
    return this.outline.inReasoning
  }

  /** Where the body starts, after reasoning. */
  get bodyStart(): number {
    return this.outline.bodyStart
  }

  /** Whether the body has anything that a reader could see. */
  get visible(): boolean {
    return hasVisible(this.text.slice(this.bodyStart))
  }

  /** The number of words of the body. */
  get words(): number {
    this.#words ??= countWords(this.text.slice(this.bodyStart))
    return this.#words
  }

  /** Whether an offset is inside a fenced code block. */
  inFence(offset: number): boolean {
    return this.outline.inFence(offset)
  }

  /** Whether an offset is inside a fenced code block or inline code. */
  inCode(offset: number): boolean {
    return this.inFence(offset) || spanHolds(this.#codePlaces, offset)
  }

  get #codePlaces(): readonly { readonly span: TextSpan }[] {
    this.#inlineCode ??= this.#findCode()
    return this.#inlineCode
  }

  #findCode(): { readonly span: TextSpan }[] {
    const found: { readonly span: TextSpan }[] = []
    let mark = -1
    for (const block of this.outline.inlines) {
      if (mark < block.start) mark = this.text.indexOf('`', block.start)
      if (mark < 0) break
      if (mark < block.end) for (const span of findInlineCode(this.text, block)) found.push({ span })
    }
    return found
  }

  /** What has read its structure. */
  get outline(): AnswerOutline {
    if (this.#reader === undefined) {
      this.#reader = new AnswerReader()
      this.#reader.push(this.text)
      this.#reader.end()
    }
    return this.#reader
  }
}

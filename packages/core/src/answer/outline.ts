import type { TextSpan } from './span.ts'

/** An ATX or setext heading. */
export interface Heading {
  readonly level: number
  readonly text: string
  readonly span: TextSpan
  /** Whether it is inside a list item or block quote. */
  readonly nested: boolean
  /** The paragraph right above it, where that is one line in bold, which some write for a title. */
  readonly above?: { readonly text: string; readonly start: number }
}

/** A fenced code block. */
export interface CodeBlock {
  readonly char: '`' | '~'
  /** Length of the opening fence. */
  readonly length: number
  readonly info: string
  /** First word of the info string, in lower case. */
  readonly language: string
  readonly span: TextSpan
  /** From the first to the last line of the content, as in the answer. */
  readonly contentSpan: TextSpan
  /** Content without the indentation of the fence and its containers. */
  readonly content: string
  readonly closed: boolean
  /** Whether it is a document with fences of its own, so that other readers of CommonMark end it earlier. */
  readonly holdsFences: boolean
  readonly nested: boolean
  /** Whether `content` is the same text as the one at `contentSpan`. */
  readonly verbatim: boolean
}

/** The first line of a list item. */
export interface ListItem {
  /** State of its check box, when it has one. */
  readonly checked?: boolean
  readonly span: TextSpan
}

/** A block of YAML between two lines of `---`. */
export interface FrontMatter {
  readonly span: TextSpan
  readonly contentSpan: TextSpan
  readonly content: string
  /** Whether only white space and reasoning come before it. */
  readonly atStart: boolean
}

/** A paragraph or heading. */
export interface InlineBlock extends TextSpan {
  /** What its lines hold without the marks of lists and quotes before it, when it has several. */
  readonly lines?: readonly TextSpan[]
}

/** The structure of an answer, in text order. */
export interface Outline {
  readonly headings: readonly Heading[]
  readonly codeBlocks: readonly CodeBlock[]
  readonly listItems: readonly ListItem[]
  readonly frontMatters: readonly FrontMatter[]
  /** Each `---` with lines after it that look like front matter and never close. */
  readonly unclosedHeaders: readonly { readonly start: number; readonly firstLine: string }[]
  /** Paragraphs and headings: where inline constructs may occur. */
  readonly inlines: readonly InlineBlock[]
  /** Blocks of HTML, as far as they may show text: what is behind the end of a comment or a script, or else all of a block. */
  readonly htmlBlocks: readonly TextSpan[]
}

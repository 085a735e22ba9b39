import type { Answer } from '../../answer/answer.ts'
import { languageOf } from '../../answer/markdown/code-language.ts'
import { isMarkdown } from '../../answer/markdown/fence.ts'
import type { CodeBlock } from '../../answer/outline.ts'
import { AnswerReader } from '../../answer/reader.ts'
import type { TextSpan } from '../../answer/span.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { PlaceMap } from './blocks/place-map.ts'

/** Documents inside documents are read so deep; each level reads its text again. */
const mostLevels = 8

/** The word of a fence that names its language. */
interface Tag {
  readonly language: string
  readonly span: TextSpan
}

/** A piece of code in an answer. */
export interface Snippet {
  /** The language that its tag names, or that it is checked in; empty without one. */
  readonly language: string
  readonly tag?: Tag
  /** Whether it has no tag, and its language was recognised. */
  readonly isRecognised?: boolean
  /** The code, without the indentation of its fence and of the lists and quotes around it. */
  readonly source: string
  /** Where it is in the answer, with its fences. */
  readonly span: TextSpan
  /** Its number among the code blocks of the answer, from 1; undefined for the whole text. */
  readonly number?: number
  /** Whether it has a closing fence. */
  readonly closed: boolean
  /** Where an offset in the code is in the answer. */
  readonly place: (offset: number) => number
  /** Whether it is the whole text without a fence, of which the parser says whether it is code. */
  readonly isUnfenced?: boolean
}

/** Whether there is more than white space and lines of comments. */
export function hasCode({ source }: Snippet): boolean {
  return /^(?![ \t]*(?:\/\/|--|#(?!include|!)|$))/m.test(source.trim())
}

/** The code of a fenced block, or the code blocks of the document that it holds; `read` gives the text of the answer at a span. */
export function* snippetsOf(
  block: CodeBlock,
  read: (span: TextSpan) => string,
  place = (offset: number): number => offset,
  level = 0,
): Generator<Snippet> {
  if (level > mostLevels) throw tooDeep()
  const source = block.content === '' ? '' : `${block.content}\n`
  const map = new PlaceMap(source, read(block.contentSpan), block.contentSpan.start)
  const inAnswer = (offset: number): number => place(map.at(offset))
  if (!isMarkdown(block.language)) {
    const span = { start: place(block.span.start), end: place(block.span.end) }
    const tag = tagOf(block, read, place)
    yield { language: languageOf(block.info), source, span, closed: block.closed, place: inAnswer, ...(tag === undefined ? {} : { tag }) }
    return
  }
  for (const inner of meantBlocks(source)) yield* snippetsOf(inner, (span) => textAt(source, span), inAnswer, level + 1)
}

/** The tag of a block where it is a word that names a language, and not a file or an attribute. */
function tagOf({ info, span, length, contentSpan }: CodeBlock, read: (span: TextSpan) => string, place: (offset: number) => number) {
  const word = /^[A-Za-z][\w+#-]*/.exec(info)?.[0] ?? ''
  const language = languageOf(word)
  const at = span.start + length + read({ start: span.start + length, end: contentSpan.start }).indexOf(word)
  if (language === '' || language !== languageOf(info) || at < span.start + length) return undefined
  return { language, span: { start: place(at), end: place(at + word.length) } }
}

/** The code blocks of an answer, in text order, with those of documents in it. */
export function snippetsIn({ text }: Answer): Snippet[] {
  const found: Snippet[] = []
  for (const block of meantBlocks(text))
    for (const snippet of snippetsOf(block, (span) => textAt(text, span))) found.push({ ...snippet, number: found.length + 1 })
  return found
}

/** The text of an answer after its reasoning, as one piece of code. */
export function wholeSnippet(text: string, bodyStart: number, language: string): Snippet {
  const span = { start: bodyStart, end: text.length }
  return { language, source: text.slice(bodyStart), span, closed: false, place: (offset) => bodyStart + offset }
}

/** The text at a span. */
export function textAt(text: string, { start, end }: TextSpan): string {
  return text.slice(start, end)
}

function tooDeep(): TooComplex {
  return new TooComplex({
    en: `it has documents nested deeper than ${mostLevels} levels`,
    de: `sie hat Dokumente, die tiefer als ${mostLevels} Ebenen verschachtelt sind`,
  })
}

/** The code blocks of a text as they were meant, also where a list, a quote or HTML ends or hides them for CommonMark. */
export function meantBlocks(text: string): readonly CodeBlock[] {
  const reader = new AnswerReader('meant')
  reader.push(text)
  reader.end()
  return reader.codeBlocks
}

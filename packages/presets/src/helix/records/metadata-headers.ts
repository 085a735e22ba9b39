import { Answer, type TextSpan } from '@stickler/core'
import { type CodeBlock, type FrontMatter, isFields } from '@stickler/core/internal'
import { isMarkdown, type Outline } from '@stickler/core/internal/validators'
import { readYaml, type YamlResult } from '@stickler/core/internal/yaml'

/** What a header is looked for in. */
interface HeadedText extends Pick<Outline, 'frontMatters' | 'codeBlocks'> {
  readonly text: string
}

/** A block of metadata: front matter, or the front matter or YAML inside a fence. */
export interface Header<Document extends HeadedText = HeadedText> {
  /** Where it is in the answer. */
  readonly span: TextSpan
  /** The YAML text between the delimiters. */
  readonly source: string
  /** Where that text is in the answer; absent when a container indents it. */
  readonly sourceSpan?: TextSpan
  readonly yaml: YamlResult
  readonly atStart: boolean
  /** Whether it is the content of a YAML fence. */
  readonly fenced: boolean
  /** Where it starts in its document. */
  readonly at: number
  /** The document that the header belongs to: the answer, or the content of a fence. */
  readonly document: Document
  /** Where the document starts in the answer; absent when a container indents it. */
  readonly offset?: number
}

/** Only so many blocks, and so many fences, are looked at: an answer made of headers is hostile. */
export const mostHeaders = 256

/** Whether a fence in this language may hold a document with a header; one without a language is known by its content. */
export function mayHoldDocument(language: string): boolean {
  return isMarkdown(language) || isYaml(language) || plainTags.has(language)
}

const plainTags = new Set(['', 'text', 'txt', 'plaintext'])

/** What a fence may hold a header in: a document, or only YAML. Without a language it begins with `---`. */
export function documentKind({ language, content }: Pick<CodeBlock, 'language' | 'content'>): 'markdown' | 'yaml' | undefined {
  if (isMarkdown(language)) return 'markdown'
  if (isYaml(language)) return 'yaml'
  if (!plainTags.has(language)) return undefined
  const text = content.trim()
  if (!/^---[ \t]*[\r\n]/.test(text)) return undefined
  // A header alone is that of the text around it.
  return /[\r\n]---/.exec(text)?.index === text.length - 4 ? 'yaml' : 'markdown'
}

/** Whether an answer has more blocks that may be or contain a header than are inspected. */
export function hasTooManyHeaders({ frontMatters, codeBlocks }: Pick<HeadedText, 'frontMatters' | 'codeBlocks'>): boolean {
  if (frontMatters.length > mostHeaders) return true
  return codeBlocks.length > mostHeaders && codeBlocks.filter(documentKind).length > mostHeaders
}

/** The metadata blocks of an answer, also those inside Markdown and YAML fences, with their YAML read; read once. */
export function headersOf(answer: Answer): readonly Header<Answer>[] {
  return answer.derived(readHeaders)
}

function readHeaders(answer: Answer): readonly Header<Answer>[] {
  const known = answer.derived(readDocuments)
  return headersIn(answer, (text, block) => known.get(block) ?? new Answer(text), documentKind)
}

/** The documents in the Markdown fences of an answer; read once. */
export function documentsOf(answer: Answer): ReadonlyMap<CodeBlock, Answer> {
  return answer.derived(readDocuments)
}

function readDocuments(answer: Answer): ReadonlyMap<CodeBlock, Answer> {
  const blocks = answer.codeBlocks.filter(documentKind).slice(0, mostHeaders)
  return new Map(blocks.filter((block) => documentKind(block) === 'markdown').map((block) => [block, new Answer(contentOf(block, answer))]))
}

function contentOf({ verbatim, contentSpan, content }: CodeBlock, { text }: HeadedText): string {
  return verbatim ? text.slice(contentSpan.start, contentSpan.end) : content
}

/** Readings of front matter: the machines of a stream and the check at its end share one. */
const readings = new WeakMap<FrontMatter, YamlResult>()

/** The YAML of front matter, read once. */
export function yamlOf(block: FrontMatter): YamlResult {
  const known = readings.get(block) ?? readYaml(block.content)
  readings.set(block, known)
  return known
}

function headersIn<Document extends HeadedText>(
  document: Document,
  read: (text: string, block: CodeBlock) => Document,
  isLookedInto: (block: CodeBlock) => unknown,
): Header<Document>[] {
  const blocks = document.codeBlocks.filter(isLookedInto).slice(0, mostHeaders)
  const fenced = blocks.flatMap((block) => {
    return fencedHeaders(block, contentOf(block, document), block.verbatim ? block.contentSpan.start : undefined, document, read)
  })
  return [...ownHeaders(document), ...fenced].sort((a, b) => a.span.start - b.span.start)
}

/** The headers inside one fence, whose content starts at `offset` of the answer unless a container indents it. */
export function fencedHeaders<Document extends HeadedText>(
  block: CodeBlock,
  source: string,
  offset: number | undefined,
  outer: Document,
  read: (text: string, block: CodeBlock) => Document,
): Header<Document>[] {
  const inner = read(source, block)
  const isDocument = documentKind(block) === 'markdown'
  const place = (header: Header<Document>): Header<Document> => placeInFence(header, block.span, offset, isDocument ? inner : outer)
  // A document in a document is an example.
  if (isDocument) return headersIn(inner, read, ({ language }) => isYaml(language)).map(place)
  const headers = ownHeaders(inner).map(place)
  if (headers.length > 0) return headers
  const yaml = readYaml(source)
  // One that is too complex to be read may still be a header.
  if (!isMapping(yaml) && (yaml.ok || yaml.refused === undefined)) return []
  const span = { start: 0, end: source.length }
  return [place({ span, source, sourceSpan: span, yaml, atStart: true, fenced: true, at: 0, document: inner })]
}

/** Whether a YAML text was read and is a mapping. */
export function isMapping(yaml: YamlResult): yaml is { readonly ok: true; readonly value: Record<string, unknown> } {
  return yaml.ok && isFields(yaml.value)
}

function ownHeaders<Document extends HeadedText>(answer: Document): Header<Document>[] {
  return answer.frontMatters.slice(0, mostHeaders).map((block) => {
    const { span, contentSpan, atStart } = block
    const source = answer.text.slice(contentSpan.start, contentSpan.end)
    return {
      span,
      source,
      sourceSpan: contentSpan,
      yaml: yamlOf(block),
      atStart,
      fenced: false,
      at: span.start,
      document: answer,
      offset: 0,
    }
  })
}

function placeInFence<Document extends HeadedText>(
  header: Header<Document>,
  fence: TextSpan,
  offset: number | undefined,
  document: Document,
): Header<Document> {
  const isWhole = document !== header.document
  const { sourceSpan, offset: _offset, ...rest } = { ...header, document, ...(isWhole ? { fenced: true, at: fence.start } : {}) }
  if (offset === undefined) return { ...rest, span: fence }
  const shift = ({ start, end }: TextSpan): TextSpan => ({ start: start + offset, end: end + offset })
  return {
    ...rest,
    offset: isWhole ? 0 : offset,
    span: shift(header.span),
    ...(sourceSpan ? { sourceSpan: shift(sourceSpan) } : {}),
  }
}

function isYaml(language: string): boolean {
  return language === 'yaml' || language === 'yml'
}

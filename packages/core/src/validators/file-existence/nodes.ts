import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml'
import type { Header } from '../../answer/metadata-headers.ts'
import type { TextSpan } from '../../answer/span.ts'

/** Finds the node of `files` in the source of a header that has been read before; undefined when it is elsewhere, through an alias. */
export function parseFiles(source: string): YAMLMap | undefined {
  // The parser does not support CR line breaks; replacing one character by one keeps its offsets.
  const document: Document = parseDocument(source.replace(/\r(?!\n)/g, '\n'), {
    schema: 'core',
    prettyErrors: false,
    logLevel: 'silent',
    keepSourceTokens: true,
  })
  const files = isMap(document.contents) ? pairOf(document.contents, 'files')?.value : undefined
  return isMap(files) ? files : undefined
}

/** The pair of a key. */
export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
}

/** Finds where in the answer an entry of `files.modify` is, if possible. */
export function entrySpans({ source, sourceSpan }: Header): (index: number) => TextSpan | undefined {
  const files = sourceSpan && parseFiles(source)
  const value = files && pairOf(files, 'modify')?.value
  const nodes: readonly unknown[] = isSeq(value) ? value.items : [value]
  return (index) => {
    const range = rangeOf(nodes[index])
    return range && sourceSpan && { start: sourceSpan.start + range.start, end: sourceSpan.start + range.end }
  }
}

/** Where the value of a node is in the source, without what follows it. */
export function rangeOf(node: unknown): TextSpan | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  const [start, end] = node.range as readonly number[]
  return start === undefined || end === undefined ? undefined : { start, end }
}

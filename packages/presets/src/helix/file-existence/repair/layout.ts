import type { TextSpan } from '@stickler/core'
import { isAlias, isNode, isScalar, isSeq, type Pair, visit } from '@stickler/core/internal/yaml'
import { pairOf, parseFiles, rangeOf } from '../inspect.ts'
import { lineStart } from './edits.ts'

/** How a list of files is written. */
export type ListLayout =
  | { readonly style: 'block'; readonly items: readonly BlockItem[] }
  | { readonly style: 'flow'; readonly span: TextSpan; readonly items: readonly TextSpan[] }
  | { readonly style: 'scalar'; readonly span: TextSpan }
  /** Nothing is listed; `span` is the `null` or `[]`, or has no length. */
  | { readonly style: 'empty'; readonly span: TextSpan }

/** An item of a block list. */
export interface BlockItem {
  /** Where its dash is, and the white space before it. */
  readonly dash: number
  readonly indent: string
  readonly value: TextSpan
}

/** One of the keys below `files` with its list. */
export interface FieldLayout {
  readonly key: TextSpan
  /** Where the colon ends. */
  readonly colonEnd: number
  /** Where the value ends. */
  readonly end: number
  readonly list: ListLayout
}

/** Where `files.modify` and `files.create` are in the source of a header. */
export interface Layout {
  /** Whether `files` is written in braces. */
  readonly inBraces: boolean
  readonly modify: FieldLayout
  readonly create: FieldLayout | undefined
}

/** Reads the layout; undefined when it is one that is better not touched: anchors, tags, values over several lines. */
export function readLayout(source: string): Layout | undefined {
  const files = parseFiles(source)
  const modifyPair = files && pairOf(files, 'modify')
  const createPair = files && pairOf(files, 'create')
  const modify = modifyPair && readField(source, modifyPair)
  const create = createPair && readField(source, createPair)
  if (files === undefined || modify === undefined || (createPair && create === undefined)) return undefined
  return { inBraces: files.flow === true, modify, create }
}

function readField(source: string, pair: Pair): FieldLayout | undefined {
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
  const key = rangeOf(pair.key)
  const isExplicit = pair.srcToken?.start.some(({ type }) => type === 'explicit-key-ind')
  if (colon === undefined || key === undefined || isExplicit || [pair.key, pair.value].some((node) => isDelicate(source, node)))
    return undefined
  const colonEnd = colon.offset + 1
  const list = readList(source, pair.value, colonEnd)
  return list && { key, colonEnd, end: endOf(list), list }
}

function readList(source: string, value: unknown, colonEnd: number): ListLayout | undefined {
  const span = rangeOf(value)
  if (span === undefined) return undefined
  if (isSeq(value) && value.flow) {
    const items = value.items.map(rangeOf)
    if (items.length === 0) return source.slice(span.start + 1, span.end - 1).trim() === '' ? { style: 'empty', span } : undefined
    return items.every((item) => item !== undefined) ? { style: 'flow', span, items } : undefined
  }
  if (isSeq(value)) return readBlock(source, value)
  if (!isScalar(value)) return undefined
  if (value.value === null) return { style: 'empty', span: span.start === span.end ? { start: colonEnd, end: colonEnd } : span }
  if (typeof value.value !== 'string') return undefined
  return { style: value.value.trim() === '' ? 'empty' : 'scalar', span }
}

function readBlock(
  source: string,
  { srcToken, items: nodes }: { readonly srcToken?: unknown; readonly items: readonly unknown[] },
): ListLayout | undefined {
  const tokens = isBlockToken(srcToken) ? srcToken.items : []
  const items = nodes.map((node, index): BlockItem | undefined => {
    const dash = tokens[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset
    const range = rangeOf(node)
    if (dash === undefined || range === undefined) return undefined
    const indent = source.slice(lineStart(source, dash), dash)
    const start = Math.max(range.start, dash + 1)
    // An item without a value ends with its dash, and a nested list or mapping before the line breaks after it.
    const end = dash + source.slice(dash, range.end).trimEnd().length
    const isOnOneLine = !isScalar(node) || range.start === range.end || lineStart(source, start) === lineStart(source, dash)
    return indent.trim() === '' && isOnOneLine ? { dash, indent, value: { start: Math.min(start, end), end } } : undefined
  })
  return items.length > 0 && items.every((item) => item !== undefined) ? { style: 'block', items } : undefined
}

interface BlockToken {
  readonly items: readonly { readonly start: readonly { readonly type: string; readonly offset: number }[] }[]
}

function isBlockToken(token: unknown): token is BlockToken {
  return typeof token === 'object' && token !== null && 'type' in token && token.type === 'block-seq'
}

function endOf(list: ListLayout): number {
  return list.style === 'block' ? (list.items.at(-1)?.value.end ?? 0) : list.span.end
}

/** Whether a node holds what an edit might tear apart. */
function isDelicate(source: string, root: unknown): boolean {
  let isOdd = !isNode(root)
  visit(isNode(root) ? root : null, {
    Node(_, node) {
      const range = rangeOf(node)
      const spansLines = isScalar(node) && range !== undefined && /[\r\n]/.test(source.slice(range.start, range.end))
      if (isAlias(node) || node.anchor || node.tag || spansLines) isOdd = true
    },
  })
  return isOdd
}

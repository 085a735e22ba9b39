import { type Edit, insertLines, lineStart } from './edits.ts'
import type { BlockItem, FieldLayout, Layout, ListLayout } from './layout.ts'

/** An entry on its way. */
export interface MovedItem {
  /** As it is written, with its quotes. */
  readonly text: string
  /** From its dash to the end of its line, when it comes from a block list. */
  readonly line?: string
}

/** Where entries are added to `files.create`. */
interface Destination {
  /** Whether a comment after an entry has a place there. */
  readonly takesComments: boolean
  place(items: readonly MovedItem[]): Edit[]
}

/** Finds the place for new entries, in the style of what is there, or else of `files.modify`; undefined when there is no safe one. */
export function destinationOf(source: string, layout: Layout): Destination | undefined {
  const { modify, create, inBraces } = layout
  const model = modify.list.style === 'block' ? modify.list.items[0] : undefined
  if (create === undefined) return inBraces ? newInBraces(source, modify) : newField(source, modify, model)
  const { list, colonEnd } = create
  if (list.style === 'block') return intoBlock(source, list.items)
  if (list.style === 'empty' && model && lineStart(source, list.span.end) === lineStart(source, colonEnd))
    return inLines((lines) => [{ start: colonEnd, end: list.span.end, text: '' }, insertLines(source, colonEnd, lines)], model)
  return intoFlow(source, list, colonEnd)
}

function intoBlock(source: string, items: readonly BlockItem[]): Destination | undefined {
  const last = items.at(-1)
  return last && inLines((lines) => [insertLines(source, last.value.end, lines)], last)
}

/** Adds `create` after `modify`, as deep as it. */
function newField(source: string, modify: FieldLayout, model: BlockItem | undefined): Destination | undefined {
  const indent = source.slice(lineStart(source, modify.key.start), modify.key.start)
  const key = createKey(source, modify)
  if (indent.trim() !== '' || key === undefined) return undefined
  if (model) return inLines((lines) => [insertLines(source, modify.end, [`${indent}${key}:`, ...lines])], model)
  return inline((items) => insertLines(source, modify.end, [`${indent}${key}: [${items}]`]))
}

function newInBraces(source: string, modify: FieldLayout): Destination | undefined {
  const key = createKey(source, modify)
  return key === undefined ? undefined : inline((items) => insertAt(modify.end, `, ${key}: [${items}]`))
}

function intoFlow(source: string, list: Exclude<ListLayout, { readonly style: 'block' }>, colonEnd: number): Destination | undefined {
  const { span } = list
  switch (list.style) {
    case 'flow': {
      const last = list.items.at(-1)
      return last && inline((items) => insertAt(last.end, `, ${items}`))
    }
    case 'scalar':
      return inline((items) => ({ ...span, text: `[${inFlow(source.slice(span.start, span.end))}, ${items}]` }))
    case 'empty':
      return inline((items) => (span.start === span.end ? insertAt(colonEnd, ` [${items}]`) : { ...span, text: `[${items}]` }))
  }
}

/** The key `create`, quoted as `modify` is. */
function createKey(source: string, { key }: FieldLayout): string | undefined {
  const text = source.slice(key.start, key.end)
  return text.includes('modify') ? text.replace('modify', 'create') : undefined
}

function insertAt(offset: number, text: string): Edit {
  return { start: offset, end: offset, text }
}

/** A list with one entry per line, indented like the model. */
function inLines(edit: (lines: readonly string[]) => Edit[], { indent }: BlockItem): Destination {
  return { takesComments: true, place: (items) => edit(items.map(({ text, line }) => indent + (line ?? `- ${text}`))) }
}

/** A list on one line. */
function inline(edit: (items: string) => Edit): Destination {
  return { takesComments: false, place: (items) => [edit(items.map(({ text }) => inFlow(text)).join(', '))] }
}

/** Quotes what would end an entry of a list in brackets. */
function inFlow(text: string): string {
  return /^["']/.test(text) || !/[,[\]{}]/.test(text) ? text : JSON.stringify(text)
}

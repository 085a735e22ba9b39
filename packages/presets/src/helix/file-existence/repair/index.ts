import { Answer, type Certificate, type CheckContext, type Issue, type TextSpan } from '@stickler/core'
import { applyEdits } from '@stickler/core/internal/validators'
import { ownHeadersOf } from '../../records/records.ts'
import { probe, suggesterFor } from '../inspect.ts'
import { locate } from '../locate.ts'
import { type FileHeader, findNamedFiles, isRead, listOf, type NamedFiles } from '../named-files.ts'
import type { PathSuggester } from '../suggest.ts'
import { destinationOf, type MovedItem } from './destination.ts'
import { type Edit, joinEdits, lineEnd, lineStart, nextLine } from './edits.ts'
import { type BlockItem, type FieldLayout, readLayout } from './layout.ts'

/** What a change of the entries of one header takes, and how it must read then. */
interface Plan {
  readonly certificates: readonly Certificate[]
  readonly expected: unknown
}

/**
 * Corrects entries of `files.modify` that are only spelt otherwise than a file, in every header for itself, or where there are none moves
 * those to `files.create` whose files do not exist; the rest stays byte for byte.
 */
export async function* repairFiles(answer: Answer, issues: readonly Issue[], context: CheckContext): AsyncGenerator<Certificate> {
  const all = findNamedFiles(ownHeadersOf(answer))
  const records: { readonly named: FileHeader; readonly missing: ReadonlyMap<number, string> }[] = []
  for (const named of all) {
    const own = named.record === undefined ? issues : issues.filter(({ path }) => path?.[1] === named.record)
    records.push({ named, missing: isRead(named) ? await findMissing(named, own, context) : new Map() })
  }
  const { files } = context.ports
  if (files === undefined || records.every(({ missing }) => missing.size === 0)) return
  const paths = all.flatMap((named) => (isRead(named) ? named.entries.flatMap((entry) => pathOf(entry) ?? []) : []))
  const suggester = await suggesterFor(files, new Set(paths), context.signal)
  for (const plan of [planCorrections, planMoves]) {
    const plans = records.map(({ named, missing }) =>
      isRead(named) ? plan(answer.text, named, missing, suggester) : { certificates: [], expected: undefined },
    )
    const certificates = plans.flatMap((one) => one.certificates)
    if (certificates.length === 0) continue
    // What has been edited is read again: rather no repair than a damaged header.
    if (readAs(plans, applyEdits(answer.text, certificates))) yield* certificates
    return
  }
}

/** Writes entries as the files that they name beyond doubt. */
function planCorrections(text: string, named: NamedFiles, missing: ReadonlyMap<number, string>, suggester: PathSuggester): Plan {
  const entries = [...named.entries]
  const layout = missing.size > 0 ? readLayout(named.header.source) : undefined
  const edits = [...missing].flatMap(([index, path]): Edit[] => {
    const file = suggester.sameFile(path)
    const span = layout && file !== undefined ? valueAt(layout.modify, index) : undefined
    if (file === undefined || span === undefined) return []
    entries[index] = file
    return [{ ...span, text: spelt(file, named.header.source[span.start]) }]
  })
  const files = { ...named.files, modify: Array.isArray(named.files.modify) ? entries : entries[0] }
  return certified(text, named, edits, 'correct-path', 'lossless', { ...named.value, files })
}

/** Moves entries that may be new: a pattern is none, and one that is close to a file may be meant to be that. */
function planMoves(text: string, named: NamedFiles, all: ReadonlyMap<number, string>, suggester: PathSuggester): Plan {
  const isNew = ([, path]: [number, string]): boolean => !/[*?]|\{[^{},]*,[^{}]*\}/.test(path) && suggester.suggest(path) === undefined
  const missing = new Set([...all].filter(isNew).map(([index]) => index))
  const added = notYetIn(listOf(named.files.create), named.entries, missing)
  const edits = missing.size > 0 ? planMove(named.header.source, missing, added) : undefined
  return certified(text, named, edits ?? [], 'move-to-create', 'guess', expected(named, missing, added))
}

function certified(
  text: string,
  { header, value }: NamedFiles,
  edits: readonly Edit[],
  rule: string,
  kind: Certificate['class'],
  after: unknown,
): Plan {
  const { sourceSpan } = header
  if (edits.length === 0 || sourceSpan === undefined) return { certificates: [], expected: value }
  const certificates = edits.map((edit): Certificate => {
    const span = { start: sourceSpan.start + edit.start, end: sourceSpan.start + edit.end }
    return { rule, class: kind, span, before: text.slice(span.start, span.end), after: edit.text }
  })
  return { certificates, expected: after }
}

/** A path in the quotes of the one that it replaces. */
function spelt(file: string, quote: string | undefined): string {
  if (quote === "'") return `'${file.replaceAll("'", "''")}'`
  return quote === '"' || !/^[\p{L}_][\p{L}\p{N}_./-]*$/u.test(file) ? JSON.stringify(file) : file
}

function valueAt({ list }: FieldLayout, index: number): TextSpan | undefined {
  if (list.style === 'empty') return undefined
  if (list.style === 'scalar') return list.span
  const item = list.items[index]
  return item && 'dash' in item ? item.value : item
}

function pathOf(entry: unknown): string | undefined {
  return typeof entry === 'string' ? locate(entry) : undefined
}

/** The entries that were reported and do not exist, by their places: a directory is not a file to create. */
async function findMissing(
  { entries }: NamedFiles,
  issues: readonly Issue[],
  { ports, signal }: CheckContext,
): Promise<ReadonlyMap<number, string>> {
  const isCut = issues.some(({ code }) => code === 'FILE_ENTRY_LIMIT')
  // Beyond the limit nothing is known, so the answer would stay wrong.
  if (isCut || ports.files === undefined) return new Map()
  const located = new Map<number, string>()
  for (const { code, path } of issues) {
    const index = path?.at(-1)
    const entry = typeof index === 'number' ? entries[index] : undefined
    const target = code === 'FILE_NOT_FOUND' ? pathOf(entry) : undefined
    if (typeof index === 'number' && target !== undefined) located.set(index, target)
  }
  const kinds = await probe(new Set(located.values()), ports.files, signal)
  return new Map([...located].filter(([, target]) => kinds.get(target) === 'missing'))
}

/** The places of the entries to add to `files.create`: each file once, and none that is already listed. */
function notYetIn(created: readonly unknown[], entries: readonly unknown[], missing: ReadonlySet<number>): ReadonlySet<number> {
  const listed = new Set(created.map(identify))
  const added = new Set<number>()
  for (const [index, entry] of entries.entries()) {
    const identity = identify(entry)
    if (!missing.has(index) || listed.has(identity)) continue
    listed.add(identity)
    added.add(index)
  }
  return added
}

function identify(entry: unknown): unknown {
  return pathOf(entry) ?? (typeof entry === 'string' ? entry : undefined)
}

function expected({ value, files, entries }: NamedFiles, missing: ReadonlySet<number>, added: ReadonlySet<number>): unknown {
  const modify = entries.filter((_, index) => !missing.has(index))
  const moved = entries.filter((_, index) => added.has(index))
  const create = moved.length > 0 ? { create: [...listOf(files.create), ...moved] } : {}
  return { ...value, files: { ...files, modify, ...create } }
}

function readAs(plans: readonly Plan[], text: string | undefined): boolean {
  const read = text === undefined ? [] : findNamedFiles(ownHeadersOf(new Answer(text)))
  return (
    read.length === plans.length && read.every((named, index) => isSame(isRead(named) ? named.value : undefined, plans[index]?.expected))
  )
}

/** Whether two values that were read from YAML are the same, regardless of the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return Object.is(one, other)
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const entries = Object.entries(one)
  if (entries.length !== Object.keys(other).length) return false
  return entries.every(([key, value]) => Object.hasOwn(other, key) && isSame(value, (other as Record<string, unknown>)[key]))
}

/** Plans the edits that remove entries of `files.modify` and add some of them to `files.create`; undefined when that is not safe. */
function planMove(source: string, removed: ReadonlySet<number>, added: ReadonlySet<number>): Edit[] | undefined {
  const layout = readLayout(source)
  if (layout === undefined) return undefined
  const destination = destinationOf(source, layout)
  // A comment after an entry goes where the entry goes, or stays where it is.
  const takesComment = (index: number): boolean => destination?.takesComments === true && added.has(index)
  const removal = removeEntries(source, layout.modify, removed, takesComment)
  const items = [...added].map((index) => itemAt(source, layout.modify, index))
  if (removal === undefined || items.includes(undefined)) return undefined
  if (added.size === 0) return joinEdits(removal)
  return destination && joinEdits([...removal, ...destination.place(items.filter((item) => item !== undefined))])
}

function itemAt(source: string, { list }: FieldLayout, index: number): MovedItem | undefined {
  if (list.style === 'empty') return undefined
  if (list.style === 'scalar') return { text: source.slice(list.span.start, list.span.end) }
  const item = list.items[index]
  if (item === undefined) return undefined
  if (!('dash' in item)) return { text: source.slice(item.start, item.end) }
  return { text: source.slice(item.value.start, item.value.end), line: source.slice(item.dash, lineEnd(source, item.value.end)) }
}

/** Removes entries from a list; undefined when a comment would be lost. */
function removeEntries(
  source: string,
  { list, colonEnd }: FieldLayout,
  removed: ReadonlySet<number>,
  takesComment: (index: number) => boolean,
): Edit[] | undefined {
  switch (list.style) {
    case 'empty':
      return undefined
    case 'scalar':
      return [{ ...list.span, text: '[]' }]
    case 'flow':
      return removeFlowItems(source, list.span, list.items, removed)
    case 'block': {
      const edits = [...removed].flatMap((index) => {
        const item = list.items[index]
        return item ? removeLine(source, item, takesComment(index)) : []
      })
      // A key without any item would be null.
      return removed.size < list.items.length ? edits : [{ start: colonEnd, end: colonEnd, text: ' []' }, ...edits]
    }
  }
}

/** Removes the line of an item, or all but a comment that is to stay. */
function removeLine(source: string, { dash, value }: BlockItem, withComment: boolean): Edit {
  const end = lineEnd(source, value.end)
  const rest = source.slice(value.end, end)
  const comment = withComment ? -1 : rest.indexOf('#')
  if (comment >= 0) return { start: dash, end: value.end + comment, text: '' }
  return { start: lineStart(source, dash), end: nextLine(source, end), text: '' }
}

function removeFlowItems(source: string, span: TextSpan, items: readonly TextSpan[], removed: ReadonlySet<number>): Edit[] | undefined {
  const lastKept = items.findLastIndex((_, index) => !removed.has(index))
  const startOf = (index: number): number => items[index]?.start ?? span.end - 1
  const endOf = (index: number): number => items[index]?.end ?? span.start + 1
  const hasComment = (index: number): boolean => source.slice(endOf(index), startOf(index + 1)).includes('#')
  const edits: Edit[] = []
  let losesComment = false
  for (const index of removed) {
    // What is removed after the last one that stays goes with the comma before it, the others with the one after them.
    losesComment ||= hasComment(index < lastKept ? index : index - 1)
    if (index < lastKept) edits.push({ start: startOf(index), end: startOf(index + 1), text: '' })
  }
  if (lastKept < 0) edits.push({ start: span.start + 1, end: span.end - 1, text: '' })
  else if (lastKept < items.length - 1) edits.push({ start: endOf(lastKept), end: endOf(items.length - 1), text: '' })
  return losesComment || (lastKept < 0 && hasComment(items.length - 1)) ? undefined : edits
}

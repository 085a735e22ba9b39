import { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import type { Issue } from '../../../contract/issue.ts'
import type { CheckContext } from '../../../contract/validator.ts'
import { applyEdits } from '../../../repairs/apply.ts'
import { ownHeadersOf } from '../../shared/records.ts'
import { probe } from '../inspect.ts'
import { locate } from '../locate.ts'
import { findNamedFiles, isRead, listOf, type NamedFiles } from '../named-files.ts'
import { destinationOf, type MovedItem } from './destination.ts'
import { type Edit, joinEdits, lineEnd, lineStart, nextLine } from './edits.ts'
import { type BlockItem, type FieldLayout, readLayout } from './layout.ts'

/** What moving the missing entries of one header takes, and how it must read then. */
interface Move {
  readonly certificates: readonly Certificate[]
  readonly expected: unknown
}

/** Moves entries of `files.modify` whose files do not exist to `files.create`, in every header for itself; the rest stays byte for byte. */
export async function* moveMissingFiles(answer: Answer, issues: readonly Issue[], context: CheckContext): AsyncGenerator<Certificate> {
  const all = findNamedFiles(ownHeadersOf(answer))
  const moves: Move[] = []
  for (const named of all) {
    const own = named.record === undefined ? issues : issues.filter(({ path }) => path?.[1] === named.record)
    moves.push(isRead(named) ? await planRecord(answer.text, named, own, context) : { certificates: [], expected: undefined })
  }
  const certificates = moves.flatMap((move) => move.certificates)
  // What has been edited is read again: rather no repair than a damaged header.
  if (certificates.length > 0 && readAs(moves, applyEdits(answer.text, certificates))) yield* certificates
}

async function planRecord(text: string, named: NamedFiles, issues: readonly Issue[], context: CheckContext): Promise<Move> {
  const { sourceSpan, source } = named.header
  const missing = await findMissing(named, issues, context)
  const added = notYetIn(listOf(named.files.create), named.entries, missing)
  const edits = missing.size > 0 && sourceSpan ? planMove(source, missing, added) : undefined
  if (edits === undefined || sourceSpan === undefined) return { certificates: [], expected: named.value }
  const certificates = edits.map(({ start, end, text: after }): Certificate => {
    const span = { start: sourceSpan.start + start, end: sourceSpan.start + end }
    return { rule: 'move-to-create', class: 'guess', span, before: text.slice(span.start, span.end), after }
  })
  return { certificates, expected: expected(named, missing, added) }
}

/** The places of the entries that were reported and do not exist: a directory is not a file to create. */
async function findMissing(
  { entries }: NamedFiles,
  issues: readonly Issue[],
  { ports, signal }: CheckContext,
): Promise<ReadonlySet<number>> {
  const isCut = issues.some(({ code }) => code === 'FILE_ENTRY_LIMIT')
  // Beyond the limit nothing is known, so the answer would stay wrong.
  if (isCut || ports.files === undefined) return new Set()
  const located = new Map<number, string>()
  for (const { code, path } of issues) {
    const index = path?.at(-1)
    const entry = typeof index === 'number' ? entries[index] : undefined
    const target = code === 'FILE_NOT_FOUND' && typeof entry === 'string' ? locate(entry) : undefined
    if (typeof index === 'number' && target !== undefined) located.set(index, target)
  }
  const kinds = await probe(new Set(located.values()), ports.files, signal)
  return new Set([...located].filter(([, target]) => kinds.get(target) === 'missing').map(([index]) => index))
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
  return typeof entry === 'string' ? (locate(entry) ?? entry) : undefined
}

function expected({ value, files, entries }: NamedFiles, missing: ReadonlySet<number>, added: ReadonlySet<number>): unknown {
  const modify = entries.filter((_, index) => !missing.has(index))
  const moved = entries.filter((_, index) => added.has(index))
  const create = moved.length > 0 ? { create: [...listOf(files.create), ...moved] } : {}
  return { ...value, files: { ...files, modify, ...create } }
}

function readAs(moves: readonly Move[], text: string | undefined): boolean {
  const read = text === undefined ? [] : findNamedFiles(ownHeadersOf(new Answer(text)))
  return (
    read.length === moves.length && read.every((named, index) => isSame(isRead(named) ? named.value : undefined, moves[index]?.expected))
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

import { destinationOf, type MovedItem } from './destination.ts'
import { type Edit, joinEdits, lineEnd } from './edits.ts'
import { type FieldLayout, readLayout } from './layout.ts'
import { removeEntries } from './remove.ts'

/** Plans the edits that remove entries of `files.modify` and add some of them to `files.create`; undefined when that is not safe. */
export function planMove(source: string, removed: ReadonlySet<number>, added: ReadonlySet<number>): Edit[] | undefined {
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

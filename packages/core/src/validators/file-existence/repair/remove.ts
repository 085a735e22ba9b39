import type { TextSpan } from '../../../answer/span.ts'
import { type Edit, lineEnd, lineStart, nextLine } from './edits.ts'
import type { BlockItem, FieldLayout } from './layout.ts'

/** Removes entries from a list; undefined when a comment would be lost. */
export function removeEntries(
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

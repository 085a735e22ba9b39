import { diffLines, diffWordsWithSpace } from 'diff'

/** A part of a comparison. */
export interface Change {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** What changed between two texts; undefined when that takes too long to find out. */
export interface Comparison {
  readonly by: 'words' | 'lines'
  readonly changes: readonly Change[]
}

/** Longer texts are compared by lines. */
const mostForWords = 20_000
const mostForLines = 500_000
const timeoutMs = 300

/** Compares two attempts: short ones by words, longer ones by lines, in bounded time. */
export function compare(before: string, after: string): Comparison | undefined {
  const size = before.length + after.length
  const words = size <= mostForWords ? diffWordsWithSpace(before, after, { timeout: timeoutMs }) : undefined
  if (words !== undefined) return { by: 'words', changes: words.map(changeOf) }
  const lines = size <= mostForLines ? diffLines(before, after, { timeout: timeoutMs }) : undefined
  return lines === undefined ? undefined : { by: 'lines', changes: lines.map(changeOf) }
}

function changeOf({ added, removed, value }: { readonly added: boolean; readonly removed: boolean; readonly value: string }): Change {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value }
}

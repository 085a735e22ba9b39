import type { TextSpan } from './span.ts'

/** Finds inline code in one paragraph or heading: each run of back-ticks is closed by the next run of the same length. */
export function findInlineCode(text: string, { start, end }: TextSpan): TextSpan[] {
  const runs = findRuns(text, start, end)
  if (runs.length === 0) return []
  const nextOfLength = linkRuns(runs)
  const found: TextSpan[] = []
  for (let index = 0; index < runs.length; index++) {
    const closer = runs[index]?.escaped ? undefined : nextOfLength[index]
    if (closer === undefined) continue
    found.push({ start: runs[index]?.start ?? 0, end: runs[closer]?.end ?? 0 })
    index = closer
  }
  return found
}

interface Run extends TextSpan {
  /** A back-slash before it keeps it from opening, not from closing. */
  readonly escaped: boolean
}

function findRuns(text: string, start: number, end: number): Run[] {
  // Only this paragraph is searched: a text without back-ticks would be read to its end for each of its paragraphs.
  const piece = text.slice(start, end)
  const runs: Run[] = []
  for (let at = piece.indexOf('`'); at >= 0; at = piece.indexOf('`', at)) {
    const runStart = start + at
    while (piece.charCodeAt(at) === 96) at++
    runs.push({ start: runStart, end: start + at, escaped: isEscaped(text, runStart, start) })
  }
  return runs
}

function isEscaped(text: string, at: number, start: number): boolean {
  let slashes = 0
  while (at - 1 - slashes >= start && text.charCodeAt(at - 1 - slashes) === 92) slashes++
  return slashes % 2 === 1
}

/** For each run, the next one of the same length. */
function linkRuns(runs: readonly Run[]): (number | undefined)[] {
  const next: (number | undefined)[] = new Array(runs.length)
  const latest = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index] as Run
    const length = run.end - run.start
    next[index] = latest.get(length)
    latest.set(length, index)
  }
  return next
}

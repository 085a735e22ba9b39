/** Unchanged lines around a change. */
const context = 3

/** Above this many changed lines, the minimal diff is not computed: its cost is quadratic. */
const mostSteps = 1000

/** A changed range of lines in both texts, counted from 0, ends exclusive. */
interface Change {
  readonly from: number
  readonly fromEnd: number
  readonly to: number
  readonly toEnd: number
}

/** A unified diff of two texts for `patch` and `git apply`; empty when they are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const old = splitLines(before)
  const fresh = splitLines(after)
  const hunks = group(findChanges(old, fresh)).map((changes) => describeHunk(changes, old, fresh))
  return [`--- ${fileName(`a/${path}`)}\n+++ ${fileName(`b/${path}`)}\n`, ...hunks].join('')
}

/** Like git, ends names that contain white space with a tab, and quotes other special names. */
function fileName(path: string): string {
  if (/["\\\p{Cc}]/u.test(path)) {
    const quoted = path.replace(/["\\\p{Cc}]/gu, (character) => {
      if (character === '"' || character === '\\') return `\\${character}`
      return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
    })
    return `"${quoted}"`
  }
  return /\s/.test(path) ? `${path}\t` : path
}

/** Lines with their line feeds; the last one may lack it. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function findChanges(old: readonly string[], fresh: readonly string[]): Change[] {
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++
  const middleOld = old.slice(head, old.length - tail)
  const middleNew = fresh.slice(head, fresh.length - tail)
  const changes = shortestEdit(middleOld, middleNew) ?? [{ from: 0, fromEnd: middleOld.length, to: 0, toEnd: middleNew.length }]
  return changes.map(({ from, fromEnd, to, toEnd }) => ({ from: from + head, fromEnd: fromEnd + head, to: to + head, toEnd: toEnd + head }))
}

/** The fewest lines to remove and add (Myers); undefined when there are too many. */
function shortestEdit(old: readonly string[], fresh: readonly string[]): Change[] | undefined {
  const limit = Math.min(old.length + fresh.length, mostSteps)
  const offset = limit + 1
  const furthest = new Int32Array(2 * limit + 3)
  const steps: Int32Array[] = []
  for (let step = 0; step <= limit; step++) {
    steps.push(furthest.slice(offset - step - 1, offset + step + 2))
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const down = diagonal === -step || (diagonal !== step && at(furthest, offset + diagonal - 1) < at(furthest, offset + diagonal + 1))
      let x = down ? at(furthest, offset + diagonal + 1) : at(furthest, offset + diagonal - 1) + 1
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x++
      furthest[offset + diagonal] = x
      if (x >= old.length && x - diagonal >= fresh.length) return backtrack(steps, old.length, fresh.length)
    }
  }
  return undefined
}

function backtrack(steps: readonly Int32Array[], oldLength: number, newLength: number): Change[] {
  const changes: Change[] = []
  let x = oldLength
  let y = newLength
  for (let step = steps.length - 1; step > 0; step--) {
    const before = steps[step] ?? new Int32Array()
    const centre = step + 1
    const diagonal = x - y
    const down = diagonal === -step || (diagonal !== step && at(before, centre + diagonal - 1) < at(before, centre + diagonal + 1))
    const previous = down ? diagonal + 1 : diagonal - 1
    const fromX = at(before, centre + previous)
    const fromY = fromX - previous
    const change = { from: fromX, fromEnd: down ? fromX : fromX + 1, to: fromY, toEnd: down ? fromY + 1 : fromY }
    const next = changes.at(-1)
    // Merge adjacent changes.
    if (next !== undefined && next.from === change.fromEnd && next.to === change.toEnd)
      changes[changes.length - 1] = { ...change, fromEnd: next.fromEnd, toEnd: next.toEnd }
    else changes.push(change)
    x = fromX
    y = fromY
  }
  return changes.reverse()
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0
}

/** Changes with overlapping context share a hunk. */
function group(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)
    const previous = last?.at(-1)
    if (last !== undefined && previous !== undefined && change.from - previous.fromEnd <= 2 * context) last.push(change)
    else groups.push([change])
  }
  return groups
}

function describeHunk(changes: readonly Change[], old: readonly string[], fresh: readonly string[]): string {
  const first = changes[0]
  const last = changes.at(-1)
  if (first === undefined || last === undefined) return ''
  const start = Math.max(0, first.from - context)
  const end = Math.min(old.length, last.fromEnd + context)
  const lead = first.from - start
  const trail = end - last.fromEnd
  const lines: string[] = []
  const add = (sign: string, some: readonly string[]): void => {
    for (const line of mark(sign, some)) lines.push(line)
  }
  let x = start
  for (const { from, fromEnd, to, toEnd } of changes) {
    add(' ', old.slice(x, from))
    add('-', old.slice(from, fromEnd))
    add('+', fresh.slice(to, toEnd))
    x = fromEnd
  }
  add(' ', old.slice(x, end))
  return `@@ -${range(start, end)} +${range(first.to - lead, last.toEnd + trail)} @@\n${lines.join('')}`
}

/** An empty range is identified by the line before it. */
function range(start: number, end: number): string {
  const length = end - start
  return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`
}

function mark(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => `${sign}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`)
}

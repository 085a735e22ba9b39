/** A change to the source of a header: the text between the offsets is replaced. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Puts edits in text order, joins those that touch, and drops those that change nothing. */
export function joinEdits(edits: readonly Edit[]): Edit[] {
  const joined: Edit[] = []
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1)
    if (last?.end === edit.start) joined[joined.length - 1] = { start: last.start, end: edit.end, text: last.text + edit.text }
    else joined.push(edit)
  }
  return joined.filter(({ start, end, text }) => start < end || text !== '')
}

/** Inserts lines after the line that an offset is on, with its kind of line break. */
export function insertLines(source: string, offset: number, lines: readonly string[]): Edit {
  const end = lineEnd(source, offset)
  const next = nextLine(source, end)
  if (next > end) {
    const lineBreak = source.slice(end, next)
    return { start: next, end: next, text: lines.map((line) => line + lineBreak).join('') }
  }
  const lineBreak = /\r\n|[\r\n]/.exec(source)?.[0] ?? '\n'
  return { start: end, end, text: lines.map((line) => lineBreak + line).join('') }
}

/** Where the line of an offset starts. */
export function lineStart(source: string, offset: number): number {
  let start = offset
  while (start > 0 && !isBreak(source[start - 1])) start--
  return start
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(source: string, offset: number): number {
  let end = offset
  while (end < source.length && !isBreak(source[end])) end++
  return end
}

/** Where the next line starts, after the line break at the end of a line. */
export function nextLine(source: string, end: number): number {
  return source.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, source.length)
}

function isBreak(char: string | undefined): boolean {
  return char === '\n' || char === '\r'
}

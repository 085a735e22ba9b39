/** Stands alone on a line for any lines, also none. */
const anyLines = '…'

/** Whether what was printed is what the page says; blank lines at the end do not count. */
export function matches(printed: string, expected: string): boolean {
  const lines = linesOf(printed)
  const parts = splitAt(linesOf(expected), anyLines)
  const [first = [], ...rest] = parts
  const last = rest.pop()
  if (!standsAt(lines, first, 0)) return false
  if (last === undefined) return lines.length === first.length
  let at = first.length
  for (const part of rest) {
    const found = find(lines, part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const end = lines.length - last.length
  return end >= at && standsAt(lines, last, end)
}

/** A text without the line breaks at its end. */
export function trimEnd(text: string): string {
  return text.replace(/\n+$/, '')
}

function linesOf(text: string): string[] {
  const trimmed = trimEnd(text)
  return trimmed === '' ? [] : trimmed.split('\n')
}

function splitAt(lines: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]]
  for (const line of lines) {
    if (line === separator) parts.push([])
    else parts.at(-1)?.push(line)
  }
  return parts
}

function standsAt(lines: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((line, index) => lines[at + index] === line)
}

function find(lines: readonly string[], part: readonly string[], from: number): number {
  for (let at = from; at <= lines.length - part.length; at++) if (standsAt(lines, part, at)) return at
  return -1
}

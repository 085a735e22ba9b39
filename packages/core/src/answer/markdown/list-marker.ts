import { isDigit } from '../characters.ts'
/** The marker that starts a list item. */
export interface ListMarker {
  readonly length: number
  readonly ordered: boolean
  /** Number of an ordered item. */
  readonly number: number
}

/** Reads a bullet or a number with a delimiter at `at`. */
export function readListMarker(line: string, at: number): ListMarker | undefined {
  const code = line.charCodeAt(at)
  if (code === 42 || code === 43 || code === 45) return followedBySpace(line, at + 1) ? { length: 1, ordered: false, number: 1 } : undefined
  let end = at
  while (end - at < 10 && isDigit(line.charCodeAt(end))) end++
  if (end === at || end - at > 9) return undefined
  const delimiter = line.charCodeAt(end)
  if ((delimiter !== 46 && delimiter !== 41) || !followedBySpace(line, end + 1)) return undefined
  return { length: end + 1 - at, ordered: true, number: Number(line.slice(at, end)) }
}

/** The state of the check box at the start of an item's text, as on GitHub: the box needs white space and text after it. */
export function readCheckBox(text: string): boolean | undefined {
  const mark = /^\[([ \txX])\][ \t]+\S/.exec(text)?.[1]
  return mark === undefined ? undefined : mark === 'x' || mark === 'X'
}

/** Whether only white space follows. */
export function isBlankFrom(line: string, from: number): boolean {
  return visibleFrom(line, from) >= line.length
}

/** Where the next character is that is neither space nor tab. */
export function visibleFrom(line: string, from: number): number {
  let at = from
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++
  return at
}

function followedBySpace(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return Number.isNaN(code) || code === 32 || code === 9
}

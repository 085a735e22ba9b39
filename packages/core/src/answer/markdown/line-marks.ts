import { isDigit } from '../characters.ts'

/** The marker that starts a list item. */
interface ListMarker {
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

/** Reads an ATX heading at `at`, the first visible character. */
export function readAtxHeading(line: string, at: number): { readonly level: number; readonly text: string } | undefined {
  let end = at
  while (line.charCodeAt(end) === 35) end++
  const level = end - at
  const next = line.charCodeAt(end)
  if (level === 0 || level > 6 || !(Number.isNaN(next) || next === 32 || next === 9)) return undefined
  return { level, text: withoutClosingHashes(line.slice(end)) }
}

/** The level of a setext underline at `at`, when the line is one. */
export function readSetextUnderline(line: string, at: number): 1 | 2 | undefined {
  const code = line.charCodeAt(at)
  if (code !== 61 && code !== 45) return undefined
  let end = at
  while (line.charCodeAt(end) === code) end++
  return line.slice(end).trim() === '' ? (code === 61 ? 1 : 2) : undefined
}

function withoutClosingHashes(content: string): string {
  const text = content.trim()
  let end = text.length
  while (text.charCodeAt(end - 1) === 35) end--
  if (end === text.length) return text
  const before = text.charCodeAt(end - 1)
  return end === 0 || before === 32 || before === 9 ? text.slice(0, end).trim() : text
}

/** Recognises thematic breaks on one line; reads each line once, however many list markers precede it. */
export class ThematicBreaks {
  #text = ''
  /** By the character of a break, the offset of the last character that it cannot contain. */
  readonly #others = new Map<number, number>()

  /** Starts a line. */
  open(text: string): void {
    this.#text = text
    if (this.#others.size > 0) this.#others.clear()
  }

  /** Whether the line is a thematic break from `at` on. */
  at(at: number): boolean {
    const code = this.#text.charCodeAt(at)
    if (code !== 42 && code !== 45 && code !== 95) return false
    const other = this.#others.get(code) ?? this.#findOther(code)
    this.#others.set(code, other)
    if (other >= at) return false
    let count = 0
    for (let index = at; index < this.#text.length && count < 3; index++) if (this.#text.charCodeAt(index) === code) count++
    return count === 3
  }

  #findOther(code: number): number {
    let at = this.#text.length - 1
    for (; at >= 0; at--) {
      const found = this.#text.charCodeAt(at)
      if (found !== code && found !== 32 && found !== 9) break
    }
    return at
  }
}

/** Whether a line is made of dashes, colons and bars: the line under the head of a table. */
export function isDelimiterRow(line: string): boolean {
  return line.includes('-') && /^[-:| \t]+$/.test(line)
}

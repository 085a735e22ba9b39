import { LineSplitter } from '../../../answer/lines.ts'

interface LinePlace {
  /** Where the line starts in the code. */
  readonly from: number
  /** Where its first character is in the answer. */
  readonly at: number
  /** Columns of spaces that stand for one tab, of which the rest was indentation. */
  readonly tab: number
  /** Characters of the line, without its line break. */
  readonly length: number
}

/** Maps the characters of a block's code to the text, where indentation and line breaks differ. */
export class PlaceMap {
  readonly #lines: readonly LinePlace[]

  /** Each line of `source` is the end of the same line of `content`, which starts at `start` of the text. */
  constructor(source: string, content: string, start: number) {
    const lines: LinePlace[] = []
    let from = 0
    const splitter = new LineSplitter((text, at) => {
      const end = source.indexOf('\n', from)
      const line = source.slice(from, end < 0 ? source.length : end)
      lines.push({ from, length: line.length, ...placeOf(line, text, at) })
      from += line.length + 1
    }, start)
    splitter.push(content)
    splitter.end()
    this.#lines = lines.length > 0 ? lines : [{ from: 0, at: start, tab: 0, length: 0 }]
  }

  /** Where an offset of the code is in the text; the end of a line for one after it. */
  at(offset: number): number {
    let low = 0
    let high = this.#lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#lines[middle]?.from ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const { from, at, tab, length } = this.#lines[low] as LinePlace
    const column = Math.max(0, Math.min(offset - from, length))
    return column < tab ? at : at + column - (tab === 0 ? 0 : tab - 1)
  }
}

function placeOf(line: string, text: string, at: number): Pick<LinePlace, 'at' | 'tab'> {
  if (text.endsWith(line)) return { at: at + text.length - line.length, tab: 0 }
  // Spaces that a tab was cut down to.
  let tab = 1
  while (tab < 3 && !(text.endsWith(line.slice(tab)) && text.charAt(text.length - line.length + tab - 1) === '\t')) tab++
  return { at: at + Math.max(0, text.length - line.length + tab - 1), tab }
}

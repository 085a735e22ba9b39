import { readAtxHeading, readListMarker, visibleFrom } from '../../answer/markdown/line-marks.ts'

interface OpenList {
  readonly column: number
  readonly delimiter: string
  number: number
  /** Whether other text has come since its last item. */
  isBroken: boolean
}

/** Counts numbered lists and their items, line by line. */
export class NumberedLists {
  items = 0
  lists = 0
  /** The lists that may go on, each inside of the one before. */
  #open: OpenList[] = []
  #isAfterBlank = true

  /** Takes the next line; `marks` are the columns at which list items begin in it. */
  take(line: string, marks: readonly number[], isBreak: boolean): void {
    const start = visibleFrom(line, 0)
    const isBlank = start >= line.length
    if (isBreak || readAtxHeading(line, start)) this.#open = []
    let isItem = false
    for (const column of isBreak ? [] : marks) {
      const marker = readListMarker(line, column)
      const isNumbered = marker?.ordered === true && visibleFrom(line, column + marker.length) < line.length
      if (isNumbered) this.#add(column, marker.number, line.charAt(column + marker.length - 1))
      else this.#break(column)
      isItem = true
    }
    if (!isItem && !isBlank && this.#isAfterBlank) this.#break(start)
    this.#isAfterBlank = isBlank
  }

  #add(column: number, number: number, delimiter: string): void {
    this.items++
    while ((this.#open.at(-1)?.column ?? 0) > column + 1) this.#open.pop()
    const last = this.#open.at(-1)
    const isSibling = last !== undefined && column < last.column + 2
    if (isSibling && last.delimiter === delimiter && (!last.isBroken || number === last.number + 1)) {
      last.number = number
      last.isBroken = false
      return
    }
    if (isSibling) this.#open.pop()
    this.lists++
    this.#open.push({ column, number, delimiter, isBroken: false })
  }

  /** Text at a column ends the lists that are no farther to the left, unless their numbers go on after it. */
  #break(column: number): void {
    for (const list of this.#open) if (list.column >= column) list.isBroken = true
  }
}

import { parseJson } from '@stickler/core/internal'
import { type Bins, binOf, readBins, writeBins } from './histogram.ts'
import { dimensions, type RunFacts, summed, type Tallied, tallied, timed } from './run-facts.ts'

/** The sums of the runs of one period with the same names, to be added to. */
interface GrowingCell {
  readonly names: readonly string[]
  readonly sums: number[]
  readonly times: readonly Bins[]
  readonly tallies: Readonly<Record<Tallied, Map<string, number[]>>>
}

/** In place of the names beyond the limit: clients choose names of models. */
export const others = '\u0001'

const mostCells = 1000
const mostTallies = 100
const tables = Object.keys(tallied) as readonly Tallied[]
const modelAt = dimensions.indexOf('model')

/** The sums of one period: a cell for each combination of names. */
export class Period {
  readonly #cells = new Map<string, GrowingCell>()

  /** Adds one run. */
  add({ names, sums, times, tallies }: RunFacts): void {
    const cell = this.#cellOf(names)
    addAll(cell.sums, sums)
    times.forEach((value, index) => {
      if (value !== null) count(cell.times[index], binOf(value), 1)
    })
    for (const table of tables)
      for (const [first, second, ...numbers] of tallies[table]) addTally(cell, table, `${first}\0${second}`, numbers)
  }

  /** Adds another period. */
  merge(other: Period): void {
    for (const { names, sums, times, tallies } of other.#cells.values()) {
      const cell = this.#cellOf(names)
      addAll(cell.sums, sums)
      times.forEach((bins, index) => {
        for (const [bin, value] of bins) count(cell.times[index], bin, value)
      })
      for (const table of tables) for (const [pair, numbers] of tallies[table]) addTally(cell, table, pair, numbers)
    }
  }

  /** Adds what `write` wrote. */
  read(written: string): void {
    const { n: texts, c: cells } = parseJson(written) as Written
    const text = (index: number): string => texts[index] ?? ''
    for (const [indexes, sums, times, tallies] of cells) {
      const cell = this.#cellOf(indexes.map(text))
      addAll(cell.sums, sums)
      for (const [index, bins] of times.entries()) readBins(bins, (bin, value) => count(cell.times[index], bin, value))
      tables.forEach((table, index) => {
        const flat = tallies[index] ?? []
        const stride = 2 + tallied[table]
        for (let at = 0; at < flat.length; at += stride)
          addTally(cell, table, `${text(flat[at] ?? -1)}\0${text(flat[at + 1] ?? -1)}`, flat.slice(at + 2, at + stride))
      })
    }
  }

  /** Writes all cells as JSON. */
  write(): string {
    const texts = new Map<string, number>()
    const indexOf = (text: string): number => {
      const known = texts.get(text)
      if (known !== undefined) return known
      texts.set(text, texts.size)
      return texts.size - 1
    }
    const flat = (table: ReadonlyMap<string, readonly number[]>): number[] =>
      [...table].flatMap(([pair, numbers]) => [...pair.split('\0').map(indexOf), ...numbers])
    const c: WrittenCell[] = [...this.#cells.values()].map(({ names, sums, times, tallies }) => [
      names.map(indexOf),
      sums,
      times.map(writeBins),
      tables.map((table) => flat(tallies[table])),
    ])
    return JSON.stringify({ n: [...texts.keys()], c } satisfies Written)
  }

  #cellOf(names: readonly string[]): GrowingCell {
    const known = this.#cells.get(keyOf(names))
    if (known !== undefined) return known
    const size = this.#cells.size
    // Other names are configured, so that there are few of them.
    if (size >= mostCells && names[modelAt] !== others) return this.#cellOf(names.with(modelAt, others))
    const kept = size < 2 * mostCells ? names : names.map((name, index) => (dimensions[index] === 'status' ? name : others))
    const cell = this.#cells.get(keyOf(kept)) ?? emptyCell(kept)
    this.#cells.set(keyOf(kept), cell)
    return cell
  }
}

/** The sums of the runs of one period with the same names. */
export interface Cell {
  /** In the order of `dimensions`. */
  readonly names: readonly string[]
  /** In the order of `summed`. */
  readonly sums: readonly number[]
  /** In the order of `timed`: pairs of a bin and its count. */
  readonly times: readonly (readonly number[])[]
  /** Calls back with each row of a table: its names, and where its numbers are. */
  tally(table: Tallied, each: (pair: string, numbers: readonly number[], from: number) => void): void
}

/** Reads what a period wrote, without adding it up; only cells whose names pass a test. */
export function readCells(written: string, test: (names: readonly string[]) => boolean): readonly Cell[] {
  const { n: texts, c: cells } = parseJson(written) as Written
  return cells.flatMap(([indexes, sums, times, tallies]): Cell[] => {
    const names = indexes.map((index) => texts[index] ?? '')
    return test(names) ? [{ names, sums, times: times.map(binPairs), tally: (table, each) => eachTally(texts, tallies, table, each) }] : []
  })
}

/** Whether names beyond the limit were left out of a period. */
export function isCut(written: string): boolean {
  return written.includes(JSON.stringify(others))
}

function binPairs(written: string): readonly number[] {
  const pairs: number[] = []
  readBins(written, (bin, value) => pairs.push(bin, value))
  return pairs
}

function eachTally(
  texts: readonly string[],
  tallies: readonly (readonly number[])[],
  table: Tallied,
  each: Parameters<Cell['tally']>[1],
): void {
  const flat = tallies[tables.indexOf(table)] ?? []
  const stride = 2 + tallied[table]
  for (let at = 0; at < flat.length; at += stride) each(`${texts[flat[at] ?? -1] ?? ''}\0${texts[flat[at + 1] ?? -1] ?? ''}`, flat, at + 2)
}

type WrittenCell = [names: number[], sums: number[], times: string[], tallies: number[][]]

interface Written {
  readonly n: readonly string[]
  readonly c: readonly WrittenCell[]
}

function keyOf(names: readonly string[]): string {
  return names.join('\0')
}

function emptyCell(names: readonly string[]): GrowingCell {
  return {
    names,
    sums: summed.map(() => 0),
    times: timed.map(() => new Map()),
    tallies: { rules: new Map(), repairs: new Map(), unchecked: new Map(), failures: new Map() },
  }
}

function addAll(to: number[], numbers: readonly number[]): void {
  for (let index = 0; index < numbers.length; index++) to[index] = (to[index] ?? 0) + (numbers[index] ?? 0)
}

function count(bins: Bins | undefined, bin: number, value: number): void {
  bins?.set(bin, (bins.get(bin) ?? 0) + value)
}

function addTally(cell: GrowingCell, table: Tallied, pair: string, numbers: readonly number[]): void {
  const known = cell.tallies[table]
  const kept = known.has(pair) || known.size < mostTallies ? pair : `${others}\0${others}`
  const row = known.get(kept)
  if (row === undefined) known.set(kept, [...numbers])
  else addAll(row, numbers)
}

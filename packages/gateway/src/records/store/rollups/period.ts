import { parseJson } from '@stickler/core/internal'
import { type Bins, binOf, readBins, writeBins } from './histogram.ts'
import { dimensions, type RunFacts, summed, type Tallied, tallied, timed } from './run-facts.ts'

/** The sums of the runs of one period with the same names. */
export interface Cell {
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
  readonly #cells = new Map<string, Cell>()

  get cells(): Iterable<Cell> {
    return this.#cells.values()
  }

  /** Adds one run. */
  add({ names, sums, times, tallies }: RunFacts): void {
    const cell = this.#cellOf(names)
    sums.forEach((value, index) => addTo(cell.sums, index, value))
    times.forEach((value, index) => {
      if (value !== null) count(cell.times[index], binOf(value), 1)
    })
    for (const table of tables)
      for (const [first, second, ...numbers] of tallies[table]) addTally(cell, table, `${first}\0${second}`, numbers)
  }

  /** Adds another period. */
  merge(other: Period): void {
    for (const { names, sums, times, tallies } of other.cells) {
      const cell = this.#cellOf(names)
      sums.forEach((value, index) => addTo(cell.sums, index, value))
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
      sums.forEach((value, index) => addTo(cell.sums, index, value))
      times.forEach((bins, index) => readBins(bins, (bin, value) => count(cell.times[index], bin, value)))
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

  #cellOf(names: readonly string[]): Cell {
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

type WrittenCell = [names: number[], sums: number[], times: string[], tallies: number[][]]

interface Written {
  readonly n: readonly string[]
  readonly c: readonly WrittenCell[]
}

function keyOf(names: readonly string[]): string {
  return names.join('\0')
}

function emptyCell(names: readonly string[]): Cell {
  return {
    names,
    sums: summed.map(() => 0),
    times: timed.map(() => new Map()),
    tallies: { rules: new Map(), repairs: new Map(), unchecked: new Map(), failures: new Map() },
  }
}

function addTo(numbers: number[], index: number, value: number): void {
  numbers[index] = (numbers[index] ?? 0) + value
}

function count(bins: Bins | undefined, bin: number, value: number): void {
  bins?.set(bin, (bins.get(bin) ?? 0) + value)
}

function addTally(cell: Cell, table: Tallied, pair: string, numbers: readonly number[]): void {
  const known = cell.tallies[table]
  const kept = known.has(pair) || known.size < mostTallies ? pair : `${others}\0${others}`
  const row = known.get(kept)
  if (row === undefined) known.set(kept, [...numbers])
  else numbers.forEach((value, index) => addTo(row, index, value))
}

import { parseJson } from '@stickler/core/internal'
import { Histogram, readBins, writeBins } from './histogram.ts'

/** What sums are grouped by. */
export const dimensions = ['contract', 'model', 'upstream', 'key', 'api', 'status'] as const

/** One of the names that sums are grouped by. */
export type Dimension = (typeof dimensions)[number]

/** What is added up over runs. */
const summed = [
  ...(['runs', 'attempts', 'retries', 'retried', 'repairs', 'promptTokens', 'completionTokens', 'cost'] as const),
  ...(['retryTokens', 'retryCost', 'savedTokens', 'savedCost'] as const),
] as const

/** One of the numbers that are added up. */
export type Summed = (typeof summed)[number]

/** The durations of which there are percentiles. */
const timed = ['ms', 'addedMs', 'firstTextMs'] as const

/** What is counted by two names: rules by validator and code (runs, fixed, remaining, retries, cost), repairs by rule and class (count, runs), the others in runs. */
const tallied = { rules: 5, repairs: 2, unchecked: 1, failures: 1 } as const
const tables = Object.keys(tallied) as readonly (keyof typeof tallied)[]

/** The tables of sums; statuses are those of the names, and failures have the status as a third name. */
export type Table = keyof typeof tallied | 'statuses'

/** Numbers under names, which NUL separates. */
export type Tally = readonly [table: Table, names: string, numbers: readonly number[]]

/** What is added to sums: one run, or the sums of many. */
export interface Addend {
  /** In the order of `summed`. */
  readonly totals: readonly number[]
  /** In the order of `timed`: pairs of a bin and its count. */
  readonly times: readonly (readonly number[])[]
  readonly tallies: readonly Tally[]
}

/** What is added to the sums of its names, in the order of `dimensions`. */
export interface Cell extends Addend {
  readonly names: readonly string[]
}

/** Sums over some runs, with percentiles that are within 5 %. */
export type RunTotals = Readonly<Record<Summed, number>> & {
  /** Number of runs by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Percentiles of the duration; absent without runs. */
  readonly p50Ms?: number
  readonly p95Ms?: number
  /** Percentiles of what the gateway added to the last call of a model. */
  readonly addedP50Ms?: number
  readonly addedP95Ms?: number
  /** Median time until the first text of streams. */
  readonly firstTextP50Ms?: number
}

/** In place of the names beyond a limit: clients choose names of models. */
export const others = '\u0001'

const none: readonly number[] = []
const noRows: ReadonlyMap<string, readonly number[]> = new Map()

const mostCells = 1000
const mostTallies = 100
const modelAt = dimensions.indexOf('model')
const statusAt = dimensions.indexOf('status')

/** Adds up runs, and other sums. */
export class Sums implements Addend {
  readonly totals = summed.map(() => 0)
  // Most sums are of one run, so what is not needed is not made.
  readonly #tables: Partial<Record<Table, Map<string, number[]>>> = {}
  readonly #histograms: (Histogram | undefined)[] = []
  readonly #mostTallies: number

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#mostTallies = most
  }

  get runs(): number {
    return this.totals[0] ?? 0
  }

  get times(): readonly (readonly number[])[] {
    return timed.map((_, index) => this.#histograms[index]?.pairs ?? none)
  }

  get tallies(): readonly Tally[] {
    const names = Object.keys(this.#tables) as readonly Table[]
    return names.flatMap((table) => [...this.table(table)].map(([names, numbers]): Tally => [table, names, numbers]))
  }

  /** The rows of a table, by their names. */
  table(table: Table): ReadonlyMap<string, readonly number[]> {
    return this.#tables[table] ?? noRows
  }

  /** Adds all, or all but the tables that totals do not need. */
  add({ totals, times, tallies }: Addend, isOfTotals = false): void {
    addAll(this.totals, totals)
    for (let index = 0; index < times.length; index++) {
      const pairs = times[index] ?? none
      if (pairs.length === 0) continue
      this.#histograms[index] ??= new Histogram()
      this.#histograms[index]?.add(pairs)
    }
    for (const [table, names, numbers] of tallies) if (!isOfTotals || table === 'statuses') this.#addTally(table, names, numbers)
  }

  /** The totals as they are shown. */
  value(): RunTotals {
    const [ms, added, firstText] = timed.map((_, index) => (share: number) => {
      const found = this.#histograms[index]?.percentile(share)
      return found === undefined ? undefined : Number(found.toPrecision(3))
    })
    const times = {
      ...{ p50Ms: ms?.(0.5), p95Ms: ms?.(0.95), addedP50Ms: added?.(0.5), addedP95Ms: added?.(0.95) },
      firstTextP50Ms: firstText?.(0.5),
    }
    const sums = Object.fromEntries(summed.map((name, index) => [name, this.totals[index] ?? 0])) as Record<Summed, number>
    const statuses = Object.fromEntries([...this.table('statuses')].map(([status, [runs = 0]]) => [status, runs]))
    return { ...sums, statuses, ...Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined)) }
  }

  /** The rows of a table with the largest first numbers, with their names. */
  top(table: Table, most: number): readonly (readonly [names: readonly string[], numbers: readonly number[]])[] {
    const sorted = [...this.table(table)].sort(([a, [one = 0]], [b, [other = 0]]) => other - one || (a < b ? -1 : 1))
    return sorted.slice(0, most).map(([names, numbers]) => [names.replaceAll(others, '').split('\0'), numbers])
  }

  #addTally(table: Table, names: string, numbers: readonly number[]): void {
    this.#tables[table] ??= new Map()
    const rows = this.#tables[table]
    const kept = rows.has(names) || rows.size < this.#mostTallies ? names : `${others}\0${others}`
    const row = rows.get(kept)
    if (row === undefined) rows.set(kept, [...numbers])
    else addAll(row, numbers)
  }
}

/** The sums of one period: a cell for each combination of names. */
export class Period {
  readonly #cells = new Map<string, { readonly names: readonly string[]; readonly sums: Sums }>()
  readonly #mostCells: number

  constructor(most = mostCells) {
    this.#mostCells = most
  }

  add(cell: Cell): void {
    this.#sumsOf(cell.names).add(cell)
  }

  /** Adds what `write` wrote, or another period. */
  addAll(cells: Iterable<Cell>): void {
    for (const cell of cells) this.add(cell)
  }

  get cells(): readonly Cell[] {
    return [...this.#cells.values()].map(({ names, sums: { totals, times, tallies } }) => ({ names, totals, times, tallies }))
  }

  /** The sums of all names. */
  get all(): Sums {
    const all = new Sums()
    for (const { sums } of this.#cells.values()) all.add(sums)
    return all
  }

  /** The sums of each name of a dimension. */
  by(dimension: Dimension): ReadonlyMap<string, Sums> {
    const index = dimensions.indexOf(dimension)
    const groups = new Map<string, Sums>()
    for (const { names, sums } of this.#cells.values()) {
      const group = groups.get(names[index] ?? '') ?? new Sums()
      groups.set(names[index] ?? '', group)
      group.add(sums)
    }
    return groups
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
    const c = [...this.#cells.values()].map(({ names, sums }): WrittenCell => {
      const flat = (table: keyof typeof tallied): number[] =>
        [...sums.table(table)].flatMap(([pair, numbers]) => [...pair.split('\0').slice(0, 2).map(indexOf), ...numbers])
      return [names.map(indexOf), sums.totals, sums.times.map(writeBins), tables.map(flat)]
    })
    return JSON.stringify({ n: [...texts.keys()], c } satisfies Written)
  }

  #sumsOf(names: readonly string[]): Sums {
    const known = this.#cells.get(names.join('\0'))
    if (known !== undefined) return known.sums
    const { size } = this.#cells
    // Other names are configured, so that there are few of them.
    if (size >= this.#mostCells && names[modelAt] !== others) return this.#sumsOf(names.with(modelAt, others))
    const kept = size < 2 * this.#mostCells ? names : names.map((name, index) => (index === statusAt ? name : others))
    const cell = this.#cells.get(kept.join('\0')) ?? { names: kept, sums: new Sums(mostTallies) }
    this.#cells.set(kept.join('\0'), cell)
    return cell.sums
  }
}

/** Reads the cells that a period wrote whose names pass a test. */
export function* readCells(written: string, test: (names: readonly string[]) => boolean = () => true): Generator<Cell> {
  const { n: texts, c: cells } = parseJson(written) as Written
  const text = (index: number | undefined): string => texts[index ?? -1] ?? ''
  for (const [indexes, totals, times, tallies] of cells) {
    const names = indexes.map(text)
    if (!test(names)) continue
    const status = names[statusAt] ?? ''
    const rows: Tally[] = [['statuses', status, [totals[0] ?? 0]]]
    for (const [index, table] of tables.entries()) {
      const flat = tallies[index] ?? none
      const size = 2 + tallied[table]
      for (let at = 0; at < flat.length; at += size) {
        const pair = `${text(flat[at])}\0${text(flat[at + 1])}`
        rows.push([table, table === 'failures' ? `${pair}\0${status}` : pair, flat.slice(at + 2, at + size)])
      }
    }
    yield { names, totals, times: times.map(readBins), tallies: rows }
  }
}

/** Whether names beyond the limit were left out of a period. */
export function isCut(written: string): boolean {
  return written.includes(JSON.stringify(others))
}

type WrittenCell = readonly [names: readonly number[], totals: readonly number[], times: readonly string[], tallies: readonly number[][]]

interface Written {
  readonly n: readonly string[]
  readonly c: readonly WrittenCell[]
}

function addAll(to: number[], numbers: readonly number[]): void {
  for (let index = 0; index < numbers.length; index++) to[index] = (to[index] ?? 0) + (numbers[index] ?? 0)
}

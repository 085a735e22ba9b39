import { parseJson } from '@stickler/core/internal'
import { Histogram } from './histogram.ts'

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

/** What is added up, and the numbers in each row. */
const tables = {
  /** One row, which has no names. */
  totals: summed,
  /** By status. */
  statuses: ['runs'],
  /** Durations, by bin of a histogram. */
  ...({ ms: ['runs'], addedMs: ['runs'], firstTextMs: ['runs'] } as const),
  /** By validator and code. */
  rules: ['runs', 'fixed', 'remaining', 'retries', 'cost'],
  /** By validator and code. */
  errors: ['runs'],
  /** What validators cost in retries. */
  validators: ['runs', 'retries', 'tokens', 'cost'],
  /** By rule and class. */
  repairs: ['count', 'runs'],
  /** By validator and cause. */
  unchecked: ['runs'],
  /** By reason, kind of failure and status. */
  failures: ['runs'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Table = keyof typeof tables
type Numbers<Of extends Table> = Readonly<Record<(typeof tables)[Of][number], number>>

/** Numbers under the name of a table, a space, and names of their own, which NUL separates. */
export type SumsRow = readonly [name: string, numbers: readonly number[]]

/** Makes a row. */
export function sumsRow(table: Table, names: readonly (string | number)[], ...numbers: readonly number[]): SumsRow {
  return [`${table} ${names.join('\0')}`, numbers]
}

/** What is added to sums: one run, or the sums of many. */
interface Addend {
  /** Totals, statuses and durations. */
  readonly rows: Iterable<SumsRow>
  /** All other tables; left out where they are not needed. */
  readonly details?: Iterable<SumsRow>
}

/** What is added to the sums of its names, in the order of `dimensions`. */
export interface Cell extends Required<Addend> {
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

const mostCells = 1000
const mostDetails = 200
const modelAt = dimensions.indexOf('model')
const statusAt = dimensions.indexOf('status')

/** Adds up runs, and other sums. */
export class Sums implements Addend {
  readonly rows = new Map<string, number[]>()
  readonly details = new Map<string, number[]>()
  readonly #mostDetails: number

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#mostDetails = most
  }

  get runs(): number {
    return this.rows.get(totalsName)?.[0] ?? 0
  }

  add({ rows, details = [] }: Addend): void {
    for (const [name, numbers] of rows) addTo(this.rows, name, numbers)
    for (const [name, numbers] of details) {
      const isKept = this.details.size < this.#mostDetails || this.details.has(name)
      addTo(this.details, isKept ? name : `${tableOf(name)} ${others}\0${others}`, numbers)
    }
  }

  /** The totals as they are shown. */
  value(): RunTotals {
    const statuses: Record<string, number> = {}
    const histograms: Partial<Record<string, Histogram>> = { ms: new Histogram(), addedMs: new Histogram(), firstTextMs: new Histogram() }
    for (const [row, [runs = 0]] of this.rows) {
      const [table, name] = [tableOf(row), namesIn(row)]
      if (table === 'statuses') statuses[name] = runs
      else histograms[table]?.add(Number(name), runs)
    }
    const { ms, addedMs, firstTextMs } = histograms
    const times = {
      p50Ms: ms?.percentile(0.5),
      p95Ms: ms?.percentile(0.95),
      addedP50Ms: addedMs?.percentile(0.5),
      addedP95Ms: addedMs?.percentile(0.95),
      firstTextP50Ms: firstTextMs?.percentile(0.5),
    }
    const known = Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined))
    return { ...numbersOf('totals', this.rows.get(totalsName) ?? []), statuses, ...known }
  }

  /** The rows of a table with the largest first numbers, with their names. */
  top<Of extends Table>(table: Of, most = Number.POSITIVE_INFINITY): readonly (readonly [readonly string[], Numbers<Of>])[] {
    const rows = [...this.details].filter(([name]) => tableOf(name) === table)
    const sorted = rows.sort(([a, [one = 0]], [b, [other = 0]]) => other - one || (a < b ? -1 : 1))
    return sorted.slice(0, most).map(([name, numbers]) => [namesIn(name).replaceAll(others, '').split('\0'), numbersOf(table, numbers)])
  }
}

const [totalsName] = sumsRow('totals', [])

function tableOf(name: string): string {
  return name.slice(0, name.indexOf(' '))
}

function namesIn(name: string): string {
  return name.slice(name.indexOf(' ') + 1)
}

function numbersOf<Of extends Table>(table: Of, numbers: readonly number[]): Numbers<Of> {
  return Object.fromEntries(tables[table].map((name, index) => [name, numbers[index] ?? 0])) as Numbers<Of>
}

function addTo(rows: Map<string, number[]>, name: string, numbers: readonly number[]): void {
  const row = rows.get(name)
  if (row === undefined) rows.set(name, numbers.slice())
  else for (let index = 0; index < numbers.length; index++) row[index] = (row[index] ?? 0) + (numbers[index] ?? 0)
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
    return [...this.#cells.values()].map(({ names, sums: { rows, details } }) => ({ names, rows, details }))
  }

  /** The sums of all names. */
  get all(): Sums {
    const all = new Sums()
    for (const { sums } of this.#cells.values()) all.add(sums)
    return all
  }

  /** The sums of each name of a dimension, the most runs first. */
  by(dimension: Dimension): readonly (readonly [name: string, sums: Sums])[] {
    const index = dimensions.indexOf(dimension)
    const groups = new Map<string, Sums>()
    for (const { names, sums } of this.#cells.values()) {
      const group = groups.get(names[index] ?? '') ?? new Sums()
      groups.set(names[index] ?? '', group)
      group.add(sums)
    }
    return [...groups].sort(([, a], [, b]) => b.runs - a.runs)
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
    const flat = (rows: Sums['rows']): number[] => {
      const written: number[] = []
      for (const [name, numbers] of rows) {
        written.push(indexOf(name))
        for (const number of numbers) written.push(number)
      }
      return written
    }
    const cells = [...this.#cells.values()].map(
      ({ names, sums: { rows, details } }): WrittenCell => [names.map(indexOf), flat(rows), flat(details)],
    )
    return JSON.stringify({ texts: [...texts.keys()], cells } satisfies Written)
  }

  #sumsOf(names: readonly string[]): Sums {
    const key = names.join('\0')
    const known = this.#cells.get(key)
    if (known !== undefined) return known.sums
    const { size } = this.#cells
    // Other names are configured, so that there are few of them.
    if (size >= this.#mostCells && names[modelAt] !== others) return this.#sumsOf(names.with(modelAt, others))
    const cut = names.map((name, index) => (index === statusAt ? name : others))
    if (size >= 2 * this.#mostCells && key !== cut.join('\0')) return this.#sumsOf(cut)
    const sums = new Sums(mostDetails)
    this.#cells.set(key, { names, sums })
    return sums
  }
}

/** The names of a cell, and its rows: each the index of its name, and its numbers. */
type WrittenCell = readonly [names: readonly number[], rows: readonly number[], details: readonly number[]]

interface Written {
  readonly texts: readonly string[]
  readonly cells: readonly WrittenCell[]
}

/** Reads the cells that a period wrote whose names pass a test. */
export function* readCells(written: string, test: (names: readonly string[]) => boolean = () => true): Generator<Cell> {
  const { texts, cells } = parseJson(written) as Written
  const sizes = texts.map((text) => tables[tableOf(text) as Table]?.length ?? 0)
  const readRows = (flat: readonly number[]): readonly SumsRow[] => {
    const rows: SumsRow[] = []
    for (let at = 0; at < flat.length; ) {
      const text = flat[at] ?? 0
      const end = at + 1 + (sizes[text] ?? 0)
      rows.push([texts[text] ?? '', flat.slice(at + 1, end)])
      at = end
    }
    return rows
  }
  for (const [indexes, rows, details] of cells) {
    const names = indexes.map((index) => texts[index] ?? '')
    if (!test(names)) continue
    yield {
      names,
      rows: readRows(rows),
      get details() {
        return readRows(details)
      },
    }
  }
}

/** Whether names beyond the limit were left out of a period. */
export function isCut(written: string): boolean {
  return written.includes(JSON.stringify(others))
}

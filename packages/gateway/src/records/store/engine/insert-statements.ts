import type { Row } from '../rows/run-row.ts'
import type { TableRows, TableShape } from '../rows/table-rows.ts'
import { type ColumnValue, withoutNul } from '../rows/values.ts'
import type { OpenDatabase } from './sqlite-database.ts'

/** A statement with its parameters. */
interface InsertStatement {
  readonly text: string
  readonly values: ColumnValue[]
}

const mostRows = 64
/** Fewer rows are not worth separate statements. */
const leastToShare = 8
const mostTexts = 100

/** Makes statements that each write many rows; existing rows stay unchanged, unless a shape finds them. */
export class InsertStatements {
  readonly #texts = new Map<string, string>()
  readonly #placeholder: (number: number) => string

  /** `placeholder` writes the parameter with a number, from 1. */
  constructor(placeholder: (number: number) => string) {
    this.#placeholder = placeholder
  }

  /** The statements for some rows, created one by one. */
  *of({ shape, rows }: TableRows): Generator<InsertStatement> {
    if (shape.found !== undefined) {
      for (const row of rows) yield { text: this.#text(shape, 1, []), values: valuesOf([row], []) }
      return
    }
    for (let start = 0; start < rows.length; ) {
      // Powers of two keep the number of different statements small, so that most stay prepared.
      const end = start + Math.min(mostRows, 2 ** Math.floor(Math.log2(rows.length - start)))
      const block = rows.slice(start, end)
      // A parameter costs the driver more time than a value costs the database, and most columns of many runs are equal.
      const shared = block.length >= leastToShare ? sameColumns(block, shape.columns.length) : []
      yield { text: this.#text(shape, block.length, shared), values: valuesOf(block, shared) }
      start = end
    }
  }

  #text(shape: TableShape, count: number, shared: readonly number[]): string {
    const key = `${shape.found === undefined ? '' : 'set '}${shape.table} ${count} ${shared.join()}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    if (this.#texts.size >= mostTexts) this.#texts.clear()
    const text = shape.found === undefined ? this.#write(shape, count, shared) : this.#update(shape, shape.found)
    this.#texts.set(key, text)
    return text
  }

  #update({ table, columns }: TableShape, found: number): string {
    const equal = columns.map((column, index) => `"${column}" = ${this.#placeholder(index + 1)}`)
    return `update ${table} set ${equal.slice(0, -found).join(', ')} where ${equal.slice(-found).join(' and ')}`
  }

  #write({ table, columns }: TableShape, count: number, shared: readonly number[]): string {
    let next = shared.length
    const parameter = (column: number): string => {
      const place = shared.indexOf(column)
      if (place < 0) next++
      return this.#placeholder(place < 0 ? next : place + 1)
    }
    const row = () => `(${columns.map((_, column) => parameter(column)).join(',')})`
    const names = columns.map((column) => `"${column}"`).join(',')
    return `insert into ${table} (${names}) values ${Array.from({ length: count }, row).join(',')} on conflict do nothing`
  }
}

/** The columns with the same value in all rows. */
function sameColumns(rows: readonly Row[], columns: number): number[] {
  const [first = []] = rows
  const same: number[] = []
  for (let column = 0; column < columns; column++) {
    const value = first[column]
    let index = 1
    while (index < rows.length && rows[index]?.[column] === value) index++
    if (index === rows.length) same.push(column)
  }
  return same
}

function valuesOf(rows: readonly Row[], shared: readonly number[]): ColumnValue[] {
  const values: ColumnValue[] = []
  for (const column of shared) values.push(withoutNul(rows[0]?.[column] ?? null))
  for (const row of rows) {
    let place = 0
    for (let column = 0; column < row.length; column++) {
      if (shared[place] === column) place++
      else values.push(withoutNul(row[column] ?? null))
    }
  }
  return values
}

/** Makes the function that writes rows within a transaction of SQLite; without kysely, whose work for each statement costs as much as the statement. */
export function insertRows(database: OpenDatabase): (tables: readonly TableRows[]) => void {
  const statements = new InsertStatements((number) => `?${number}`)
  return (tables) => {
    for (const rows of tables) for (const { text, values } of statements.of(rows)) database.write(text, values)
  }
}

import type { Row, TableRows, TableShape } from '../rows/entry.ts'
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
      const all = { ...shape, columns: [...shape.columns, ...shape.found] }
      for (const row of rows) yield { text: this.#text(shape, 1, []), values: valuesOf(all, [row], []) }
      return
    }
    for (let start = 0; start < rows.length; ) {
      // Powers of two keep the number of different statements small, so that most stay prepared.
      const end = start + Math.min(mostRows, 2 ** Math.floor(Math.log2(rows.length - start)))
      const block = rows.slice(start, end)
      // A parameter costs the driver more time than a value costs the database, and most columns of many runs are equal.
      const shared = block.length >= leastToShare ? sameColumns(shape, block) : []
      yield { text: this.#text(shape, block.length, shared), values: valuesOf(shape, block, shared) }
      start = end
    }
  }

  #text(shape: TableShape, count: number, shared: readonly string[]): string {
    const key = `${shape.found === undefined ? '' : 'set '}${shape.table} ${count} ${shared.join()}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    if (this.#texts.size >= mostTexts) this.#texts.clear()
    const text = shape.found === undefined ? this.#write(shape, count, shared) : this.#update(shape, shape.found)
    this.#texts.set(key, text)
    return text
  }

  #update({ table, columns }: TableShape, found: readonly string[]): string {
    const equal = [...columns, ...found].map((column, index) => `"${column}" = ${this.#placeholder(index + 1)}`)
    return `update ${table} set ${equal.slice(0, columns.length).join(', ')} where ${equal.slice(columns.length).join(' and ')}`
  }

  #write({ table, columns }: TableShape, count: number, shared: readonly string[]): string {
    let next = shared.length
    const parameter = (column: string): string => {
      const place = shared.indexOf(column)
      if (place < 0) next++
      return this.#placeholder(place < 0 ? next : place + 1)
    }
    const row = () => `(${columns.map(parameter).join(',')})`
    const names = columns.map((column) => `"${column}"`).join(',')
    return `insert into ${table} (${names}) values ${Array.from({ length: count }, row).join(',')} on conflict do nothing`
  }
}

/** The columns with the same value in all rows. */
function sameColumns({ columns }: TableShape, rows: readonly Row[]): string[] {
  const [first = {}] = rows
  return columns.filter((column) => rows.every((row) => row[column] === first[column]))
}

function valuesOf({ columns }: TableShape, rows: readonly Row[], shared: readonly string[]): ColumnValue[] {
  const own = columns.filter((column) => !shared.includes(column))
  const values = shared.map((column) => withoutNul(rows[0]?.[column] ?? null))
  for (const row of rows) for (const column of own) values.push(withoutNul(row[column] ?? null))
  return values
}

/** Makes the function that writes rows within a transaction of SQLite; without kysely, whose work for each statement costs as much as the statement. */
export function insertRows(database: OpenDatabase): (tables: readonly TableRows[]) => void {
  const statements = new InsertStatements((number) => `?${number}`)
  return (tables) => {
    for (const rows of tables) for (const { text, values } of statements.of(rows)) database.write(text, values)
  }
}

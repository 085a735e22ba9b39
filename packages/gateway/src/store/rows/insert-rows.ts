import { CompiledQuery, type Kysely } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../engine/tables.ts'
import type { ColumnValue } from './values.ts'

const mostRows = 32

/** Writes rows into tables, many with one statement; rows that are there already stay as they are. */
export class RowInserter {
  readonly #texts = new Map<string, string>()
  readonly #placeholder: Engine['placeholder']

  constructor({ placeholder }: Pick<Engine, 'placeholder'>) {
    this.#placeholder = placeholder
  }

  async insert(
    db: Kysely<Tables>,
    table: keyof Tables,
    columns: readonly string[],
    rows: readonly (readonly ColumnValue[])[],
  ): Promise<void> {
    for (let start = 0; start < rows.length; ) {
      const count = blockSize(rows.length - start)
      const values: ColumnValue[] = []
      for (let index = start; index < start + count; index++) values.push(...(rows[index] ?? []))
      await db.executeQuery(CompiledQuery.raw(this.#text(table, columns, count), values))
      start += count
    }
  }

  #text(table: string, columns: readonly string[], count: number): string {
    const key = `${table} ${count}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const row = (index: number) => `(${columns.map((_, column) => this.#placeholder(index * columns.length + column + 1)).join(',')})`
    const rows = Array.from({ length: count }, (_, index) => row(index)).join(',')
    const text = `insert into ${table} (${columns.map((column) => `"${column}"`).join(',')}) values ${rows} on conflict do nothing`
    this.#texts.set(key, text)
    return text
  }
}

/** Powers of two keep the number of different statements small, so that all of them stay prepared. */
function blockSize(left: number): number {
  return left >= mostRows ? mostRows : 2 ** Math.floor(Math.log2(left))
}

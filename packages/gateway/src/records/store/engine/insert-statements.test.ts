import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row, TableShape } from '../rows/entry.ts'
import type { ColumnValue } from '../rows/values.ts'
import { InsertStatements } from './insert-statements.ts'

const shape: TableShape = { table: 'repairs', columns: ['a', 'b', 'c'] }
const rowOf = ([a, b, c]: readonly ColumnValue[]): Row => ({ ...{ a, b }, ...(c === null ? {} : { c }) }) as Row

/** The rows that a statement writes. */
function written(text: string, values: readonly unknown[]): unknown[][] {
  const [, names, rows] = /^insert into repairs \((.*)\) values (.*) on conflict do nothing$/.exec(text) ?? []
  expect(names).toBe('"a","b","c"')
  return [...(rows ?? '').matchAll(/\(([^)]*)\)/g)].map(([, row = '']) => row.split(',').map((part) => values[Number(part.slice(1)) - 1]))
}

test('writes every row once, in its order, whatever is the same in them', () => {
  const value = fc.constantFrom('x', 'y', null, 0, 1)
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.constantFrom('z', 'z', 'z', 'q'), fc.constant(7)), { maxLength: 200 }), (rows) => {
      const statements = [...new InsertStatements((number) => `$${number}`).of({ shape, rows: rows.map(rowOf) })]
      expect(statements.flatMap(({ text, values }) => written(text, values))).toEqual(rows)
    }),
  )
})

test('gives what is the same in many rows once', () => {
  const rows = Array.from({ length: 64 }, (_, index) => rowOf(['same', index, null]))
  const [statement, more] = [...new InsertStatements((number) => `?${number}`).of({ shape, rows })]
  expect(statement?.values).toHaveLength(64 + 2)
  expect(more).toBeUndefined()
})

test('sets columns of rows that exist, one by one', () => {
  const found: TableShape = { table: 'runs', columns: ['a', 'b'], found: ['id', 'at'] }
  const rows = Array.from({ length: 20 }, (_, index) => ({ a: 'same', id: `run-${index}`, at: 7 }))
  const statements = [...new InsertStatements((number) => `$${number}`).of({ shape: found, rows })]
  expect(new Set(statements.map(({ text }) => text))).toEqual(new Set(['update runs set "a" = $1, "b" = $2 where "id" = $3 and "at" = $4']))
  expect(statements.map(({ values }) => values)).toEqual(rows.map(({ id }) => ['same', null, id, 7]))
})

test('takes NUL out', () => {
  const [statement] = [...new InsertStatements(() => '?').of({ shape, rows: [{ a: 'a\0b', b: 1 }] })]
  expect(statement?.values).toEqual(['a\ufffdb', 1, null])
})

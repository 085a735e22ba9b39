import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sql } from './index.ts'

const parse = await sql.load()
const shown = (source: string) =>
  parse(source).map(
    ({ line, column, message, suggestion }) => `${line}:${column} ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`,
  )

describe('what PostgreSQL and its clients accept', () => {
  test.each([
    '',
    ' -- nothing\n',
    'select 1; select 2',
    '\ufeffselect é, "😀" from x',
    "select a ? 'b', a::int, b[1:n] from t where id = $1",
    'select * from t where id = :id and name = :name limit :limit',
    'select * from t where id in (?, ?) and x =? order by y limit ?',
    'insert into t (a, b) values (%s, %(name)s) returning a % b;\nselect * from t where a = %s and b like %(b)s and c in %s and d not in %(d)s limit %s',
    'select :\'name\', :"column" from t',
    '\\c shop\n\\dt\nselect 1;\n\\d users\nselect 2 \\gset\nselect 3',
    'copy t (a, b) from stdin;\n1\tx y z (\n\\N\t;\n\\.\nselect 1;',
    "do $$ begin raise notice 'not (parsed'; end $$;",
    'create function f() returns int language sql begin atomic select 1; select 2; end;',
  ])('%j', (source) => {
    expect(parse(source)).toEqual([])
    expect(parse(source.replaceAll('\n', '\r\n'))).toEqual([])
  })
})

describe('what it rejects', () => {
  test.each<[string, string[]]>([
    ['SELCT 1', ['1:1 Correct `SELCT`: PostgreSQL does not expect it here. → SELECT']],
    [
      'select 1;\nDELETE FORM t;\nselect 2;\nselct 3',
      [
        '2:8 Correct `FORM`: PostgreSQL does not expect it here. → FROM',
        '4:1 Correct `selct`: PostgreSQL does not expect it here. → SELECT',
      ],
    ],
    ['create table t (\n  a int;\n', ['2:8 Close the parenthesis of line 1, column 16, or complete what is in it.']],
    ['select a,\r\nfrom t', ['2:1 Correct the SQL at `from`: PostgreSQL does not expect it here.']],
    ['select 1 +\n\n\n', ['1:11 Complete the statement: PostgreSQL expects more here.']],
    ["select '😀é", ['1:8 Close the quoted string that starts here.']],
    ["select '😀é' x y", ['1:16 Correct the SQL at `y`: PostgreSQL does not expect it here.']],
    ['select 1 /* a', ['1:10 Close the comment that starts here.']],
    ['select 1\0 from nothing (', ['1:9 Remove the NUL character: SQL text cannot hold it.']],
    ['select 0x', ['1:8 Correct the SQL: invalid hexadecimal integer.']],
    ['select * from %s', ['1:15 Correct the SQL at `%`: PostgreSQL does not expect it here.']],
    ['select a % from t', ['1:12 Correct the SQL at `from`: PostgreSQL does not expect it here.']],
    ['select %select', ['1:8 Correct the SQL at `%`: PostgreSQL does not expect it here.']],
    [':statement;', ['1:1 Correct the SQL at `:`: PostgreSQL does not expect it here.']],
  ])('%j', (source, expected) => {
    expect(shown(source)).toEqual(expected)
  })
})

test('few faults of a hostile source are reported', () => {
  expect(parse('selct 1;\n'.repeat(50_000))).toHaveLength(20)
})

test('code that is nested too deeply has no verdict, and the parser works afterwards', () => {
  for (const source of [`select ${'('.repeat(500_000)}`, `select ${'(select '.repeat(100_000)}1`, `select 1${'+1'.repeat(300_000)}`]) {
    expect(() => parse(source)).toThrow(RangeError)
    expect(parse('select 1')).toEqual([])
  }
})

test('no text crashes the parser, and faults lie inside it', () => {
  const pieces = fc.constantFrom(
    'select ',
    'from ',
    "'",
    '"',
    '$$',
    '(',
    ')',
    ';',
    '\\d',
    ':a',
    '?',
    '%s',
    ' in %(a)s',
    '--',
    '/*',
    '\n',
    '\r\n',
    '\0',
    '\ud800',
    '😀',
    'é',
    '\ufeff',
    '1',
    ',',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const source = parts.join('')
      const lines = source.split(/\r\n|[\r\n]/)
      for (const { line, column } of parse(source)) expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1)
    }),
    { numRuns: 300 },
  )
})

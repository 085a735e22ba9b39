import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { go } from './index.ts'

const parse = await go.load()

describe('what gofmt accepts', () => {
  test.each([
    '',
    'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("😀")\n}\n',
    'func add(a, b int) int {\n\treturn a + b\n}',
    'x := 1\nfor i := range 10 {\n\tx += i\n}',
    'type Set[T comparable] map[T]struct{}',
    'return func(w http.ResponseWriter, r *http.Request) {\n}',
    'f := func() struct{} { return struct{}{} }\ntype G = func(int) string',
    'h := func(a int,\n\tb int) (c, d int) {\n\treturn\n}',
    '\ufeffpackage p\n//line x.go:100\nvar a = 1',
  ])('%j', (source) => {
    expect(parse(source)).toEqual([])
    expect(parse(source.replaceAll('\n', '\r\n'))).toEqual([])
  })
})

describe('what it rejects', () => {
  test.each([
    ['package p\nfunc f() {\n\tx := [2]int{1 2}\n}', "3:16 Insert the missing ',' in composite literal."],
    ['func f() {\n\tif x {\n}', "3:2 Write '}' here instead of the end of the code."],
    ['"é😀" +', "1:8 Write an operand here instead of '}'."],
    ['x := 1\ny = = 2', "2:5 Write an operand here instead of '='."],
    ['var x = "😀é" "b"', `1:15 Write ';' here instead of "b".`],
    ['package p\nfunc f() func() {\n\treturn func(a int) error // no\n}', '3:9 Give the function literal a body in braces.'],
    ['package p\n//line x.go:100\nvar = 1', "3:5 Write a name here instead of '='."],
    ['package p\nvar x\0 = 1', '2:6 Correct the Go code: illegal character NUL.'],
  ])('%j', (source, expected) => {
    expect(parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([expected])
  })
})

test('code that is nested too deeply has no verdict, and the parser works afterwards', () => {
  expect(() => parse(`package p; var x = ${'('.repeat(500_000)}`)).toThrow(RangeError)
  expect(parse('package p')).toEqual([])
})

describe('more problems than the parser bears', () => {
  const broken = 'func f() {\n\tx := ]\n}\n'
  test.each([
    ['a file', `package p\n${broken.repeat(50)}`, '3:7'],
    ['declarations', `func g() {}\n\n${broken.repeat(50)}`, '4:7'],
    ['statements', `a := 1\n${'b := ]\n'.repeat(50)}`, '2:6'],
    ['prose', 'This is not code,\nbut a text about it.\n'.repeat(30), '1:6'],
    ['another language', 'def f(x):\n    for i in range(x):\n        print(i)\n'.repeat(20), '1:5'],
  ])('%s', (_, source, place) => {
    const [fault] = parse(source)
    expect(`${fault?.line}:${fault?.column}`).toBe(place)
    expect(parse('package p')).toEqual([])
  })

  test('statements that would be many problems as declarations are right', () => {
    expect(parse('x := 1\nvar y = 2\n'.repeat(50))).toEqual([])
  })
})

test('no text crashes the parser, and faults lie inside it', () => {
  const pieces = fc.constantFrom(
    'func ',
    '{',
    '}',
    '(',
    ')',
    '"',
    '`',
    "'",
    '\n',
    '\r\n',
    '\0',
    '\ud800',
    '😀',
    'é',
    '\ufeff',
    'x',
    ':=',
    'return ',
    '//',
    ',',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const source = parts.join('')
      const lines = source.split(/\r\n|[\r\n]/)
      for (const { line, column } of parse(source)) expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1)
    }),
    { numRuns: 300 },
  )
})

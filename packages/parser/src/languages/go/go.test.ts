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

test('code that is nested too deeply has no verdict', async () => {
  const parser = await go.load()
  expect(() => parser(`package p; var x = ${'('.repeat(500_000)}`)).toThrow()
})

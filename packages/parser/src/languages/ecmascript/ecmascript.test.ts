import { Script } from 'node:vm'
import type { SourceParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { javascript, tsx, typescript } from './index.ts'

let js: SourceParser
let ts: SourceParser
let tsxParser: SourceParser

beforeAll(async () => {
  ;[js, ts, tsxParser] = await Promise.all([javascript.load(), typescript.load(), tsx.load()])
})

const told = (parse: SourceParser, source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('JavaScript', () => {
  test.each([
    ['a module', 'import a from "a"\nawait a()'],
    ['a script', 'with (a) { b = 010 }'],
    ['JSX', 'const a = <A b={1}>text</A>'],
    ['newer regular expressions', 'const a = /(?i:b)(?<c>d)|(?<c>e)/'],
    ['a division that looks like one', 'a = (b) / c(/d/g)'],
    ['nothing', ''],
    ['odd characters', '"\u2028\ud800"; var ünï = 1'],
  ])('%s parses', (_, source) => {
    expect(js(source)).toEqual([])
  })

  test.each([
    ['function add(a, b) {\n  return a + b\n', ['3:1 Close the `{` opened on line 1: the code ends before it is closed.']],
    ['if (a > b {\n  c()\n}', ['1:11 Write `)` before `{`: the `(` opened on line 1 is still open.']],
    ['const s = “hello”', ['1:11 Use the straight quote `"` instead of this curly one.']],
    ['Here is the code you asked for:\nconst a = 1', ['1:6 Remove this sentence from the code, or make it a comment (`//`).']],
    ['function f() {\n  ...\n}', ['2:3 Replace the placeholder with the real code, or put it in a comment (`//`).']],
    ['const a = 1\nconst a = 2', ['2:7 Rename or remove this second declaration of `a`.']],
    ['- const a = 1\n+ const a = 2', ['1:3 Write the code itself, not a diff: remove the markers at the start of the lines.']],
    ['<<<<<<< HEAD\nlet a\n=======\nlet b\n>>>>>>> x', ['1:1 Resolve the merge conflict and remove its markers.']],
    ['let x: number = 1', ['1:6 Remove the TypeScript syntax, or mark the code as TypeScript.']],
    ['const 日本 = "é"; let 2', ['1:21 Write an operator, `;` or a line break before `2`: it does not continue the statement before it.']],
    ['\r\n\r\nlet = ;\r\n', ['3:7 Remove or correct `;`: it is not expected here.']],
    ['return 1', ['1:1 Put this `return` inside a function.']],
    ['a = /(/', ['1:5 Correct this regular expression: unterminated group.']],
    ['a = /(?!.){0,}?/u', ['1:5 Correct this regular expression: invalid quantifier.']],
    ['\0', ['1:1 Remove or replace the character `\\u0000`: it is not allowed here.']],
  ])('%j', (source, expected) => {
    expect(told(js, source)).toEqual(expected)
  })

  test('never accepts a script that the engine rejects as script and as module', () => {
    const pieces = fc.constantFrom(
      ...'a b 1 "s" + - * / = == => ( ) [ ] { } ; , . ... ? : ! ~ function class return if else for let const var new typeof in of async await yield this `t` /r/ \n'.split(
        ' ',
      ),
    )
    const isScript = (source: string): boolean => {
      try {
        return new Script(source) !== undefined
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const source = parts.join(' ')
        // Where the engine accepts a script, so must the parser; a module may be more.
        if (isScript(source)) expect(js(source)).toEqual([])
        else if (!/await|import|export/.test(source)) expect(js(source)).not.toEqual([])
      }),
      { numRuns: 1500 },
    )
  })
})

describe('TypeScript', () => {
  test.each([
    ['assertions in angle brackets', 'const a = <T>b; (a as any) = 1; [a as any] = b'],
    ['what only the type checker rejects', 'class A { a = 1; a = 2; constructor() {} constructor(b?, c) {} }'],
    ['declarations without values', 'export const a: string\nexport function b(): void'],
  ])('%s parses', (_, source) => {
    expect(ts(source)).toEqual([])
  })

  test.each([
    ['a as any = 1', ['1:1 Put the assertion in parentheses before you assign to it.']],
    ['<string>a = "b"', ['1:1 Put the assertion in parentheses before you assign to it.']],
    ['type A = { a: string, b: number', ['1:32 Close the `{` opened on line 1: the code ends before it is closed.']],
    ['const a: string', ['1:7 Give this constant a value, or declare it with `let`.']],
    ['let a = 1; let a = 2', ['1:16 Rename or remove this second declaration of `a`.']],
  ])('%j', (source, expected) => {
    expect(told(ts, source)).toEqual(expected)
  })

  test('with JSX has elements where TypeScript has assertions', () => {
    expect(tsxParser('const a = <T,>(b: T) => <A>{b}</A>')).toEqual([])
    expect(tsxParser('const a = <T>b')).not.toEqual([])
  })

  test('marked as TypeScript may hold JSX, and its faults are those of the JSX', () => {
    expect(ts('const A: React.FC<B> = ({ b }) => (\n  <>\n    <div className="a">it\'s {b}</div>\n    <C />\n  </>\n)')).toEqual([])
    expect(told(ts, 'const a: B = <A>{b}</A>\nconst c = <p>{d +}</p>').map((fault) => fault.slice(0, 5))).toEqual(['2:18 '])
    expect(ts('const a = <A />\nconst b = <string>c')).not.toEqual([])
  })
})

test('the same faults come again, and none is outside of the source', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (source) => {
      const count = source.split(/\r\n|[\r\n]/).length
      for (const { line, endLine, message } of [...js(source), ...ts(source)]) {
        expect(line).toBeLessThanOrEqual(count)
        expect(endLine).toBeLessThanOrEqual(count)
        expect(message.length).toBeLessThan(400)
      }
      expect(js(source)).toEqual(js(source))
    }),
    { numRuns: 300 },
  )
})

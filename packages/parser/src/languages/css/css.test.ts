import type { SourceParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { css } from './index.ts'

let parse: SourceParser

beforeAll(async () => {
  parse = await css.load()
})

const told = (source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

test.each([
  ['nesting', '.a { color: red; &:hover { top: 0 } @media (width > 1px) { top: 0 } > b {} }'],
  ['at-rules', '@charset "utf-8"; @import url("a.css") layer(x); @layer a, b; @container c (width > 1px) { a:has(> b) {} }'],
  ['custom properties', ':root { --x: { a: b }; --y: ; --z: [1]; width: calc(1px + var(--x, 2px)) }'],
  ['declarations alone', 'color: red;\nbackground: url(data:image/png;base64,iVBOR(w0=)'],
  ['brackets in strings, comments and addresses', `a { content: ")" '('; /* ( */ background: url( x\\).png ) }`],
  ['escapes and other scripts', '.\\31 0, .日\\(本 { color: #fff }'],
  ['old browsers', 'a { *zoom: 1; filter: progid:DXImageTransform.Microsoft.gradient(a="b"); _top: 0 }'],
  ['variables of Sass and Less', '$x: 1px;\n@y: 2px;\n.a { width: $x; @include b(1) }'],
  ['line breaks of all kinds', 'a {\r\ncolor: red;\rtop: 0\n}'],
  ['nothing', ''],
])('%s parse', (_, source) => {
  expect(told(source)).toEqual([])
})

test.each([
  ['a { color: red', ['1:1 Close this block with `}`.']],
  ['a { color: red }\n}', ['2:1 Remove this `}`: no block is open here.']],
  ['a {\n  color red;\n}', ['2:3 Correct `color`: it is neither a declaration (`property: value;`) nor a rule.']],
  ['a { color: red\n  width: 2px }', ['1:15 Write `;` between the declarations.']],
  ['a { color: rgb(1, 2; }', ['1:15 Close this `(`.']],
  ['a { color: rgb 1, 2); top: 0 }', ['1:5 Give every bracket its pair in `color: rgb 1, 2); top: 0 }`.']],
  ['a[href { color: red }', ['1:2 Close this `[`.']],
  ['@media screen) { a { top: 0 } }', ['1:1 Give every bracket its pair in `@media screen) { a { top: 0 } }`.']],
  ['a {} /* x', ['1:6 Close this comment with `*/`.']],
  ['日 { content: "x\n }', ['1:14 Close this string.']],
  ['a { color:: red }', ['1:11 Write one `:` between a property and its value.']],
  ['@ { }', ['1:1 Write the name of the at-rule after `@`.']],
  ['npm install vue', ['1:1 Correct `npm`: it is neither a declaration (`property: value;`) nor a rule.']],
])('%j', (source, expected) => {
  expect(told(source)).toEqual(expected)
})

test('anything has faults inside of the source, or none', () => {
  const pieces = fc.constantFrom(
    'a',
    '.b',
    ' ',
    '{',
    '}',
    ':',
    ';',
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '/*',
    '*/',
    '@media',
    '\\',
    '\n',
    '\r',
    'url(',
    '日',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const source = parts.join('')
      for (const { line, endLine } of parse(source)) expect(Math.max(line, endLine)).toBeLessThanOrEqual(source.split(/\r\n|[\r\n]/).length)
    }),
    { numRuns: 1000 },
  )
})

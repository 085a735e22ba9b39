import type { SourceParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { html } from './index.ts'

let parse: SourceParser

beforeAll(async () => {
  parse = await html.load()
})

const told = (source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

test.each([
  ['a page', '<!DOCTYPE html>\n<html lang="en"><head><title>a < b</title></head><body><br><img src=x></body></html>\n'],
  ['end tags that may be left out', '<ul><li>a<li>b</ul><p>a<p>b<table><tr><td>1<td>2<tr></table><dl><dt>a<dd>b</dl><body>'],
  ['parts of a page', '<tr><td>1</td></tr>\n<head></head>\n<li>x</li>'],
  ['scripts and styles', '<script>if (a </b/.test(c)) d = "<div>"</script><style>a > b {}</style><textarea></div></textarea>'],
  [
    'SVG and MathML',
    '<svg viewBox="0 0 1 1"><path d="M0"/><title>x</title><foreignObject><br></foreignObject><a/></svg><math><mi>x</mi></math>',
  ],
  ['CDATA in SVG', '<svg><style><![CDATA[ </div> ]]></style></svg>'],
  ['components', '<my-list :items="all" @click="go" #ref (done)="x" [y]="z" *ngIf="a"><Item /></my-list><div/>'],
  ['other spellings', '<DIV></div><INPUT disabled value=a/b><A HREF=x>y</a>'],
  ['text with signs', 'a < b && c > d &nosuch; <3'],
  ['templates, which are not judged', '{% if a %}<div>{% else %}<div class="b">{% endif %}</div>'],
  ['PHP, which is not judged', '<?php if ($a): ?><div><?php else: ?><div id="b"><?php endif ?></div>'],
  ['nothing', ''],
])('%s parse', (_, source) => {
  expect(told(source)).toEqual([])
})

test.each([
  ['<div>\n  <span>x\n</div>', ['2:3 Close `<span>` with `</span>` before `</div>`.']],
  ['<div><div></div>', ['1:1 Close `<div>` with `</div>`: it is still open at the end.']],
  ['<p>x</p>\n</div>', ['2:1 Remove `</div>`: no `<div>` is open here.']],
  ['<b><i>x</b></i>', ['1:4 Close `<i>` with `</i>` before `</b>`.']],
  ['<h1>x</h2>', ['1:1 Close `<h1>` with `</h1>`: it is still open at the end.', '1:6 Remove `</h2>`: no `<h2>` is open here.']],
  ['<img></img>', ['1:6 Remove `</img>`: this element has no end tag.']],
  ['<p>a <a href="x>y</a>', ['1:6 Close this tag with `>`, and its attribute values with their quotes.']],
  ['<a href="x"">y</a>', ['1:12 Correct the attributes here: a quote or `<` is not part of a name. Close the tag or the value before it.']],
  ['<p id="日" id="b">x', ['1:13 Keep one attribute of this name.']],
  ['<a href=>x</a>', ['1:9 Write the value of the attribute in quotes.']],
  ['<p>x</p>\n<!-- y', ['2:1 Close this comment with `-->`.']],
  ['<script>let a = 1', ['1:1 Close `<script>` with `</script>`: it is still open at the end.']],
])('%j', (source, expected) => {
  expect(told(source)).toEqual(expected)
})

const names = fc.constantFrom('div', 'span', 'a', 'ul', 'section', 'my-tag', 'svg')
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('x', '<br>', '<img src="a">', '\n', '&amp;', '<!-- c -->'),
    fc.tuple(names, fc.array(tie('tree'), { maxLength: 3 })).map(([name, inner]) => `<${name} id="b">${inner.join('')}</${name}>`),
  ),
}))

test('elements with their pairs are right, and without one of their end tags or brackets they are not', () => {
  fc.assert(
    fc.property(tree, fc.nat(), (source, turn) => {
      expect(told(source)).toEqual([])
      const ends = [...source.matchAll(/<\/[\w-]+>/g)]
      const end = ends[turn % Math.max(1, ends.length)]
      if (end === undefined) return
      const [before, after] = [source.slice(0, end.index), source.slice(end.index + end[0].length)]
      expect(parse(before + after)).not.toEqual([])
      expect(parse(before + end[0] + end[0] + after)).not.toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('anything has faults inside of the source, or none', () => {
  const pieces = fc.constantFrom(
    '<div>',
    '</div>',
    '<p',
    '>',
    '"',
    "'",
    '=',
    '<!--',
    '-->',
    '<svg>',
    '<![CDATA[',
    '<script>',
    '</',
    '<',
    'a',
    ' ',
    '\n',
    '\r',
    '&',
    '日',
    '\ud800',
    '\0',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const source = parts.join('')
      for (const { line, endLine } of parse(source)) expect(Math.max(line, endLine)).toBeLessThanOrEqual(source.split(/\r\n|[\r\n]/).length)
    }),
    { numRuns: 1000 },
  )
})

test('many open elements and end tags take linear time', () => {
  const many = 100_000
  for (const source of [
    '<div>'.repeat(many),
    '</div>'.repeat(many),
    `${'<a>'.repeat(many)}${'</b>'.repeat(many)}`,
    `${'<i><b>'.repeat(many)}${'</i>'.repeat(many)}`,
  ])
    expect(parse(source).length).toBe(20)
})

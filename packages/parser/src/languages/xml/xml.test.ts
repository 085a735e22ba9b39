import type { SourceParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { xml } from './index.ts'

let parse: SourceParser

beforeAll(async () => {
  parse = await xml.load()
})

const told = (source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

test.each([
  ['a document', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- x -->\n<a b="1" c=\'2\'><d/>t &amp; &#233;<![CDATA[ < & ]]></a>\n'],
  ['several elements', '<dependency>\n</dependency>\n<dependency/>'],
  ['prefixes that are not declared', '<s:a x:y="1"/>'],
  ['entities that are declared', '<!DOCTYPE x [<!ENTITY e "1">]><x>&e;</x>'],
  ['entities of another DTD', '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html>&nbsp;</html>'],
  ['other scripts', '<日 本="é">😀</日>'],
  ['text alone', 'see above'],
  ['nothing', ''],
])('%s parse', (_, source) => {
  expect(told(source)).toEqual([])
})

test.each([
  ['<a>\n<b></a>', ['2:4 Close the inner elements before `</a>`: the last one that was opened is closed first.']],
  ['<a>', ['1:1 Close `<a>` with `</a>`: it is still open at the end.']],
  ['<a/></b>', ['1:5 Remove `</b>`, or open it before: no element of this name is open here.']],
  ['<a b="1" b="2"/>', ['1:1 Keep one attribute `b` of this element.']],
  ['<a b=1/>', ['1:1 Put the value of the attribute in quotes.']],
  ['<a>&nbsp;</a>', ['1:4 Write the entity `&nbsp;` as a character, or `&` as `&amp;`.']],
  ['<a>R&D</a>', ['1:5 Write `&` as `&amp;`.']],
  ['<a>R & D; x</a>', ['1:6 Write `&` as `&amp;`.']],
  ['<a b="1"c="2"/>', ['1:1 Write a space between the attributes.']],
  ['<a>1 < 2</a>', ['1:6 Correct the tag at `< `, or write `<` as `&lt;` where none is meant.']],
  ['<a><!-- x -- y --></a>', ['1:4 Write no `--` inside a comment.']],
  ['<a><b c="d', ['1:4 Complete the XML: it ends inside a tag, a comment or a declaration.']],
  ['<!-- pom.xml -->\n<?xml version="1.0"?>\n<a/>', ['2:1 Move the XML declaration to the start of the document.']],
])('%j', (source, expected) => {
  expect(told(source)).toEqual(expected)
})

test('libxml2 says the same of documents', { timeout: 120_000 }, async () => {
  const schema = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="r" type="xs:anyType"/></xs:schema>'
  const pieces = fc.constantFrom(
    '<a>',
    '</a>',
    '<b/>',
    '<b c="1">',
    '</b>',
    ' d="2"',
    '"',
    '&amp;',
    '&',
    ';',
    '<',
    '>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    'x',
    '\n',
    '日',
  )
  let wrong = 0
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 6 }), async (parts) => {
      const document = `<r>${parts.join('')}</r>`
      const { errors } = await validateXML({ xml: [{ fileName: 'x.xml', contents: document }], schema: [schema] })
      const isWellFormed = !errors.some(({ rawMessage }) => /parser error/.test(rawMessage))
      if (!isWellFormed) wrong++
      expect(parse(document).length === 0, document).toBe(isWellFormed)
    }),
    { numRuns: 60 },
  )
  expect(wrong).toBeGreaterThan(10)
})

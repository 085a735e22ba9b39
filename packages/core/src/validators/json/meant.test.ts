import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ordinaryBlocks } from '../../../../../attack/generators/ordinary-markdown.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { json } from './index.ts'

const runs = 300
const fence = '```'
const plain = contract({ checks: [json({})] })
const lists = contract({ checks: [json({ schema: { type: 'array' } })] })
const objects = contract({ checks: [json({ schema: { properties: { a: {} } } })] })

const found = async (text: string, rules = plain): Promise<unknown> => {
  const { issues, facts } = await check(rules, text)
  return issues.length > 0 ? issues.map(({ code }) => code).join() : facts.json?.value
}

describe('what is not meant as JSON', () => {
  test.each([
    ['CSS', '.chat { height: 400px; }'],
    ['CSS on lines of its own', 'Add this:\n\n.chat\n{\n  height: 400px;\n}\n'],
    ['a placeholder', '[Your Name]'],
    ['a placeholder that begins a letter', '[Your Name]\n[Your Address]\n\nDear Sir or Madam,\n\nI resign.\n\n[Your Name]'],
    ['a placeholder with a colon', '[Date: to be filled in]'],
    ['a placeholder in braces', '{name}'],
    ['a template', '{{placeholder}}'],
    ['a template that begins a text', 'Dear {{name}},\n\n{{body}}'],
    ['a section mark', '[Chorus]\nLa la la, [softly] la\n\n[Verse 2]\nLa'],
    ['a stage direction', '[The stage is dark, MAGICIAN enters, and bows.]\n\nMAGICIAN: Welcome.'],
    ['a check box', '- [ ] write tests'],
    ['a ticked one', '[x] write tests\n[ ] run them'],
    ['a Python list', `${fence}python\n[1, 2, 3]\n${fence}`],
    ['a Python list with texts', `So:\n\n${fence}python\n["a", "b"]\n${fence}\n`],
    ['another language', `So:\n\n${fence}js\n{"a": 1}\n${fence}\n`],
    ['an object that is the whole text but for a fence of another language', `${fence}python\n{"a": 1}\n${fence}`],
    ['a diff', `${fence}diff\n{"a": 1}\n${fence}`],
    ['an index', 'Then dp[3] is dp[2] + dp[1].'],
    ['an interval', '[0, 1)'],
    ['an interval that begins a text', '[0, 1) is half open, and (0, 1] is too.'],
    ['a reference', '[1] says so, and so does [2].'],
    ['a list in a sentence', 'The colours are ["red", "green"] today.'],
    ['a list of numbers', 'Here you are: [1, 2, 3]'],
    ['a list of numbers on its own line', 'Here you are:\n\n[1, 2, 3]\n\nEnjoy.'],
    ['keys without quotes', 'Call it with {city: Ulm, days: 2} today.'],
    ['keys without quotes on their own line', 'Here you are:\n\n{city: Ulm, days: 2}\n'],
    ['texts without quotes', 'Here you are: {"city": Ulm}'],
    ['inline code', 'Write `{"a": 1}` there.'],
    ['a program without a fence', 'Here it is:\n\nfunction f() {\n  return [\n    {"a": 1}\n  ]\n}\n'],
    ['the first item of a list that is cut off', 'So the list is [ {"a": 1}'],
    ['a later item of a list that is cut off', 'So x = [true, [1],\n  {"a": 1}'],
    ['an empty object', 'It starts as {} and\n{\n}\n'],
  ])('%s', async (_name, text) => {
    expect(await found(text)).toBe('MISSING_JSON')
    expect((await settle(plain, text)).status).toBe('unresolved')
  })

  test('ordinary Markdown', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(ordinaryBlocks, fc.constantFrom('\n\n', '\n'), async (blocks, gap) => {
        const { status, found: first } = await settle(plain, blocks.join(gap))
        expect([status, first.issues.map(({ code }) => code)]).toEqual(['unresolved', ['MISSING_JSON']])
      }),
      { numRuns: runs },
    )
  })
})

describe('what is meant as JSON', () => {
  const a = '{"a": 1}'
  test.each<[string, string, unknown]>([
    ['a tagged fence behind brackets', `[Your Name]\n\n[1] {x}:\n${fence}json\n${a}\n${fence}`, { a: 1 }],
    ['a tagged fence behind an object in a sentence', `Not {"a": 2} but:\n${fence}json\n${a}\n${fence}`, { a: 1 }],
    ['a tagged fence behind other languages', `${fence}python\n{"a": 2}\n${fence}\n${fence}json\n${a}\n${fence}`, { a: 1 }],
    ['a tagged fence in a list', `1. So:\n\n   ${fence}json\n   {\n     "a": 1\n   }\n   ${fence}`, { a: 1 }],
    ['a fence in a quote', `> ${fence}\n> ${a}\n> ${fence}`, { a: 1 }],
    ['a scalar in a tagged fence', `So:\n${fence}json\n"Ulm"\n${fence}`, 'Ulm'],
    ['a fence without a tag', `So:\n${fence}\n[1, 2]\n${fence}`, [1, 2]],
    ['a fence without a tag behind an object in a sentence', `Not {"a": 2} but:\n${fence}\n${a}\n${fence}`, { a: 1 }],
    ['an object on its own line', `Here you are:\n  ${a}\nEnjoy.`, { a: 1 }],
    ['an object over several lines', 'Here you are:\n{\n  "a": 1\n}\nEnjoy.', { a: 1 }],
    ['a list of texts on its own line', 'Here you are:\n\n["a", "b"]\n\nEnjoy.', ['a', 'b']],
    ['an object behind prose', `Here you are: ${a}`, { a: 1 }],
    ['an object that ends a sentence', `Here you are: ${a}.`, { a: 1 }],
    ['an object behind an interval', `The interval [0, 1) gives ${a} for [Your Name].`, { a: 1 }],
    ['an object behind many references', `${'As in [1] and [x], '.repeat(100)} it is ${a}`, { a: 1 }],
    ['the whole text before a comment', `${a} // done`, { a: 1 }],
  ])('%s', async (_name, text, value) => {
    expect(await found(text)).toEqual(value)
  })

  test.each<[string, unknown]>([
    ['{a: 1}', { a: 1 }],
    ['{"a": 1,}', { a: 1 }],
    ["{'a': 1}\n\nThat is it.", { a: 1 }],
    ['[a, b]', ['a', 'b']],
    ['[1, 2,]', [1, 2]],
    ["Here you are: {'a': 1}", { a: 1 }],
    ["Here you are:\n\n[{'a': 1},]\n\nEnjoy.", [{ a: 1 }]],
    [`So:\n${fence}json\n{a: 1}\n${fence}`, { a: 1 }],
    [`[1] So:\n${fence}json5\n{a: 1}\n${fence}`, { a: 1 }],
    [`{"a": "x\n${fence}json\n{}\n${fence}\n",}`, { a: `x\n${fence}json\n{}\n${fence}\n` }],
  ])('not quite right: %s', async (text, value) => {
    const { status, facts } = await settle(contract({ checks: [json({})], allow: ['lossless'] }), text)
    expect([status, facts.json?.value]).toEqual(['repaired', value])
  })

  test.each<[string, unknown]>([
    ['The colours are ["red", "green"] today.', ['red', 'green']],
    ['Here you are: [1, 2, 3]', [1, 2, 3]],
    ['Here you are: [1, 2, 3].', [1, 2, 3]],
    ['As in [1] they are:\n\n[2, 3]\n\nEnjoy.', [2, 3]],
    ['There are none:\n[]', []],
    ['As in [1] and [2, 3], dp[3] is in [0, 1).', 'MISSING_JSON'],
    ['- [ ] write tests\n[ ] run them', 'MISSING_JSON'],
    ['[Your Name]', 'MISSING_JSON'],
  ])('a list where the schema accepts one: %s', async (text, value) => {
    expect(await found(text, lists)).toEqual(value)
    expect(await found(text, objects)).toEqual('MISSING_JSON')
  })
})

const keys = fc.string({ minLength: 1, maxLength: 5 })
const jsonObjects = fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 })
const jsonLists = fc.array(fc.oneof(fc.string({ maxLength: 5 }), jsonObjects), { minLength: 1, maxLength: 3 })
const layouts = fc.constantFrom(undefined, 2)

/** The places where a value is read, in their order; the last two are amid prose. */
const places: readonly [string, (value: string) => string][] = [
  ['a tagged fence', (value) => `${fence}json\n${value}\n${fence}`],
  ['a tagged fence of JSON5', (value) => `~~~JSON5\n${value}\n~~~`],
  ['a fence without a tag', (value) => `${fence}\n${value}\n${fence}`],
  ['its own lines', (value) => value],
  ['a line of prose', (value) => `Here you are: ${value}`],
]

describe('one value in ordinary Markdown', { timeout: 3_600_000 }, () => {
  test.each(places)('in %s', async (_name, put) => {
    await fc.assert(
      fc.asyncProperty(
        ordinaryBlocks,
        fc.nat(6),
        jsonObjects,
        jsonLists,
        fc.boolean(),
        layouts,
        async (blocks, at, object, list, isList, indent) => {
          const value = isList ? list : object
          const written = JSON.stringify(value, undefined, indent)
          const text = blocks.toSpliced(1 + (at % blocks.length), 0, put(written)).join('\n\n')
          expect([text, await found(text, isList ? lists : plain)]).toEqual([text, JSON.parse(written)])
        },
      ),
      { numRuns: runs },
    )
  })

  test('streamed as well as whole', async () => {
    await fc.assert(
      fc.asyncProperty(ordinaryBlocks, fc.nat(6), jsonObjects, fc.constantFrom(...places), async (blocks, at, object, [, put]) => {
        const text = blocks.toSpliced(1 + (at % blocks.length), 0, put(JSON.stringify(object))).join('\n\n')
        await assertStreamable(plain, text, [1, 7])
        await assertStreamable(plain, blocks.join('\n'), [1, 7])
      }),
      { numRuns: Math.ceil(runs / 3) },
    )
  })
})

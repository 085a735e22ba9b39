import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { casing, type casings } from './index.ts'

const rule = (is: (typeof casings)[number], allow: ('lossless' | 'lossy')[] = ['lossless']) => contract({ checks: [casing({ is })], allow })

describe('casing', () => {
  test.each([
    ['lower', 'all small, 42 € — é', undefined],
    ['lower', '42', undefined],
    ['lower', '<think>HM</think>yes', undefined],
    ['lower', 'x ﬁ ª 𝐀', undefined],
    ['lower', 'the NATO', 'Write the whole answer in lower case; "NATO" has an upper-case letter.'],
    ['lower', 'ein Über', 'Write the whole answer in lower case; "Über" has an upper-case letter.'],
    ['lower', 'ǅ', 'Write the whole answer in lower case; "ǅ" has an upper-case letter.'],
    ['upper', 'ALL BIG, N.º 1 中文', undefined],
    ['upper', 'STRAßE', 'Write the whole answer in upper case; "STRAßE" has a lower-case letter.'],
    ['upper', 'ALL of, IT', 'Write the whole answer in upper case; "of" has a lower-case letter.'],
    ['upper', 'ALL i', 'Write the whole answer in upper case; "i" has a lower-case letter.'],
  ] as const)('%s: %j', async (is, text, message) => {
    const { issues } = await check(rule(is), text)
    expect(issues.map((one) => one.message)).toEqual(message === undefined ? [] : [message])
  })

  test('says how many letters are wrong, and where the first one is', async () => {
    const { issues } = await check(rule('lower'), '<think>X</think>a Bc DE')
    expect(issues).toMatchObject([
      { code: 'WRONG_CASE', hint: 'Change all 3 letters that are in the wrong case.', span: { start: 18, end: 19 } },
    ])
  })

  test('changes letters only where a loss is allowed', async () => {
    expect((await settle(rule('upper'), 'a')).status).toBe('unresolved')
    const { status, text: after, repairs } = await settle(rule('upper', ['lossless', 'lossy']), '<think>x</think>OK\nstraße ß\nOK')
    expect([status, after, repairs.map(({ before }) => before)]).toEqual(['repaired', '<think>x</think>OK\nSTRASSE SS\nOK', ['straße ß']])
  })

  test.each([{}, { is: 'Title' }, { is: ['lower'] }, { is: 'lower', not: 1 }])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ casing: options as never }] })).toThrow(/casing/)
  })

  test('L45 agrees with changing the case, repairs every text, and judges streams as the whole', async () => {
    const character = fc.oneof(
      fc.constantFrom('a', 'B', ' ', '\n', 'ß', 'İ', 'ǆ', 'Σ', '👍', '<think>', '</think>', '𐐀'),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    )
    const text = fc.array(character, { maxLength: 8 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('lower' as const, 'upper' as const), async (said, is) => {
        const wrong = [...said].some(
          (one) => /[\p{Ll}\p{Lu}\p{Lt}]/u.test(one) && (is === 'lower' ? one.toLowerCase() : one.toUpperCase()) !== one,
        )
        const { status } = await settle(rule(is), said)
        if (!said.includes('<think>') && said.trim() !== '') {
          expect(status).toBe(wrong ? 'unresolved' : 'valid')
          expect((await settle(rule(is, ['lossy']), said)).status).toBe(wrong ? 'repaired' : 'valid')
        }
        await assertStreamable(rule(is), said, [1, 3])
        await assertStreamable(rule(is, ['lossy']), said, [1, 3])
      }),
      { numRuns: 100 },
    )
  })
})

/** A text in a case of words, what is reported of it first, and the text after the repair; no text when the repair leaves it wrong. */
type WordCase = readonly [text: string, fault?: string, repaired?: string]

const small = (word: string) => `"${word}" begins with a small letter.`

const titles: readonly WordCase[] = [
  ['How to Install the Package'],
  ['How To Install The Package'],
  ['# The Lord of the Rings: A Guide for Readers\n\n- First Item\n1. Second Item'],
  ['**War and Peace** — An Introduction'],
  ['Using `npm install` with NATO, iPhone, macOS and eBay'],
  ['Read https://example.com/some/page, node.js, file_name and you@example.com'],
  ['a = b, so call(it) and list[0];'],
  ['The [Best Way](https://example.com/the/best/way) to Win'],
  ['State-of-the-art Tools for Well-Known Problems'],
  ['Don’t Stop, ’Tis Late'],
  ['3 Ways to Be 2nd in 4x4'],
  ['Section\n\n```js\nconst all = small\n```\n'],
  ['---\nname: small words\n---\nTitle'],
  ['标题 和 内容 都 可以'],
  ['ქართული ენა'],
  ['ǅungla i Ǆ'],
  ['NATO, UNO, WHO'],
  ['C8H4O3 + 2 C2H5OH → C12H14O4'],
  ['How to install the Package', small('install'), 'How to Install the Package'],
  ['the End', small('the'), 'The End'],
  ['What Are You Waiting for', small('for'), 'What Are You Waiting For'],
  ['Rings: a Guide', small('a'), 'Rings: A Guide'],
  ['A Day\r\nin the sun\r\n', small('in'), 'A Day\r\nIn the Sun\r\n'],
  ['The ǆungla', small('ǆungla'), 'The ǅungla'],
  ['Eski istanbul Şarkısı', small('istanbul'), 'Eski İstanbul Şarkısı'],
  ['Old istanbul', small('istanbul'), 'Old Istanbul'],
  ['The ßtraße'],
  ['BREAKING NEWS ABOUT EVERYTHING', 'the line that begins with "BREAKING" is in capitals.'],
  ['<think>small words</think>The End'],
]

const sentences: readonly WordCase[] = [
  ['How to install the package'],
  ['# How to install it\n\nFirst, open Paris with NATO. Then close it. E.g. this works, i.e. it runs.'],
  ['A long sentence\nthat goes on in the next line. And another one.'],
  ['“Stop!” he said. “Why?” she asked.'],
  ['Yahoo! is a company. iPhone users agree. `code` is fine. 3 of them are left.'],
  ['Click Sign In, then Save As. Visit The Hague with Vincent Van Gogh.'],
  ['- First item\n- Second item\n\n1. Third item'],
  ['Approx. five of them, etc. and so on, see fig. 3. Dr. Smith and Prof. Jones agree.'],
  ['| option | type |\n| --- | --- |\n| a | b |'],
  ['Die Bundesregierung und der Bundesrat haben zugestimmt. Das ist alles.'],
  ['```\nsmall. words. here\n```'],
  ['use it', small('use'), 'Use it'],
  ['It works. but not well.', small('but'), 'It works. But not well.'],
  ['Does it work? no, never.', small('no'), 'Does it work? No, never.'],
  ['# how it works\n\n- one item', small('how'), '# How it works\n\n- One item'],
  ['The speed is given by:\n\nv = s / t\n\nwhere s is the way, and t the time.'],
  ['Here it is:\n\nfunction call(a) {\n  total = a;\n}\n'],
  ['Acme LLC. are dedicated to it, with a Ph.D. in art. (See above.) "hm" is a word.'],
  ['Read "From Here to There" or "How God Is Good", says The Economist.'],
  ['The End Of The World And More', '"Of" has a capital within a sentence.'],
  ['Terms Und Conditions', '"Und" has a capital within a sentence.'],
  ['# How To Install The Package', '"To" has a capital within a sentence.'],
  ['**Getting Started With Docker**', '"With" has a capital within a sentence.'],
  ['It ended.\n\noverall, it works', small('overall'), 'It ended.\n\nOverall, it works'],
  ['# The end\n\nthe text', small('the'), '# The end\n\nThe text'],
  ['THIS IS THE END', 'the line that begins with "THIS" is in capitals.'],
  ['One line.\n\nésta sí', small('ésta'), 'One line.\n\nÉsta sí'],
]

describe.each([
  ['title', titles],
  ['sentence', sentences],
] as const)('L106 casing: %s', (is, cases) => {
  test.each(cases.map((one) => ({ text: one[0], fault: one[1], repaired: one[2] })))('$text', async ({ text, fault, repaired }) => {
    const { issues } = await check(rule(is), text)
    expect(issues.map(({ message }) => message)).toEqual(fault === undefined ? [] : [`Write the answer in ${is} case; ${fault}`])
    const settled = await settle(rule(is, ['lossy']), text)
    if (fault === undefined) expect([settled.status, settled.text]).toEqual(['valid', text])
    else if (repaired !== undefined) expect([settled.status, settled.text]).toEqual(['repaired', repaired])
    else expect(settled.status).toBe('unresolved')
    await assertStreamable(rule(is), text)
    await assertStreamable(rule(is, ['lossy']), text, [1, 3])
  })

  test('L107 judges any stream as the whole, and repairs once', async () => {
    const pieces = [
      'The ',
      'the ',
      'of ',
      'Of ',
      'small ',
      'Big ',
      'NATO ',
      'iPhone ',
      'a. ',
      'End. ',
      'why? ',
      ': ',
      '— ',
      '\n',
      '\n\n',
      '\r\n',
      '# ',
      '- ',
      '1. ',
    ]
    const marks = [
      '`',
      '``',
      '```\n',
      '<b>',
      '[x](',
      ')',
      '](',
      '<',
      '<think>',
      '</think>',
      'ǆ',
      'İ',
      'ß',
      'é',
      '👍',
      '中文',
      '*',
      '_',
      '"',
      '---\n',
    ]
    const text = fc.array(fc.constantFrom(...pieces, ...marks), { maxLength: 12 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        await assertStreamable(rule(is), said, [1, 3])
        await assertStreamable(rule(is, ['lossy']), said, [2])
        const { status, text: after } = await settle(rule(is, ['lossy']), said)
        if (status === 'repaired') expect((await check(rule(is), after)).issues).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

test('L108 shows a long sentence before its line ends', async () => {
  const runner = scripted([{ text: `${'It goes on and on, without an end of the line. '.repeat(40)}`, chunkSize: 5 }])
  const answer = enforceStream({ contract: rule('sentence'), runner, prompt: '' })
  const taken: number[] = []
  for await (const piece of answer) if (piece !== '') taken.push(runner.calls[0]?.taken ?? 0)
  expect([(taken[0] ?? 0) < 40, taken.length > 20]).toEqual([true, true])
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('casing', [
      { options: { is: 'lower' }, text: 'Eins' },
      { options: { is: 'upper' }, text: 'Eins' },
      { options: { is: 'title' }, text: 'eins' },
      { options: { is: 'sentence' }, text: 'Eins Und zwei' },
      { options: { is: 'sentence' }, text: 'NUR NOCH HEUTE GÜNSTIGER' },
    ]),
  ).toEqual([])
})

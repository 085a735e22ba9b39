import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { length } from './index.ts'

type Options = Parameters<typeof length>[0]
const rule = (options: Options) => contract({ checks: [length(options)] })
const issuesOf = async (text: string | Answer, options: Options) => (await check(rule(options), text)).issues

/** The number of units that a text has: only one number is neither too few nor too many. */
async function count(unit: 'words' | 'characters' | 'sentences' | 'lines' | 'paragraphs', text: string): Promise<number> {
  const [found] = await issuesOf(text, { [unit]: { min: 1000 } })
  return Number(/has (\d+)\.$/.exec(found?.message ?? '')?.[1])
}

describe('length', () => {
  test.each([
    ['words', '', 0],
    ['words', 'It’s well-known: 3.5 or snake_case', 8],
    ['words', 'नमस्ते दुनिया', 2],
    ['words', '<think>not these words</think>only these', 2],
    ['words', '𝐀𝐁 c', 2],
    ['characters', '  a b\n', 3],
    ['characters', '👍👍', 2],
    ['lines', 'a\r\nb\n\n \nc\rd\n', 4],
    ['paragraphs', '\n\na\nb\n \n\nc\r\n\r\nd', 3],
    ['paragraphs', 'a\r\nb', 1],
    ['sentences', 'One. Two! Three?', 3],
    ['sentences', 'He said “Go.” Then he went.', 2],
    ['sentences', 'Dr. A. Smith paid 3.50 Euro, e.g. for tea. She left at 5 p.m. He stayed.', 3],
    ['sentences', 'Das gilt z. B. hier. Und usw. auch dort.', 2],
    ['sentences', 'Wait... what? Well... No.', 3],
    ['sentences', '1. First point.\n2. Second point.', 2],
    ['sentences', '# Title\n\nText without an end', 2],
    ['sentences', '你好。再见！', 2],
    ['sentences', '…!? --- ***', 0],
  ] as const)('%s of %j', async (unit, text, expected) => {
    expect(await count(unit, text)).toBe(expected)
  })

  test.each<[string, Options, string[]]>([
    ['a *** b', { parts: { separator: '***', min: 2, max: 2 } }, []],
    ['***\na\n***\nb\n***', { parts: { separator: '***', min: 2, max: 2 } }, []],
    ['a *** *** b', { parts: { separator: '***', min: 2, max: 2 } }, ['EMPTY_PART']],
    ['a ****** b', { parts: { separator: '***', max: 9 } }, ['EMPTY_PART']],
    ['a ****** a', { parts: { separator: '******', max: 9, distinct: true } }, ['REPEATED_PART']],
    ['a ****** a', { parts: { separator: '******', max: 9 } }, []],
    ['a *** b *** c', { parts: { separator: '***', max: 2 } }, ['TOO_LONG']],
    ['a ** b', { parts: { separator: '***', min: 2 } }, ['TOO_SHORT']],
    ['a b c', { words: { max: 2 }, lines: { min: 2 } }, ['TOO_LONG', 'TOO_SHORT']],
    ['well-known', { words: { max: 1, split: 'spaces' } }, []],
    ['well-known', { words: { max: 1 } }, ['TOO_LONG']],
  ])('%j', async (text, options, codes) => {
    expect((await issuesOf(text, options)).map(({ code }) => code)).toEqual(codes)
  })

  test('says what is observed, and by how much it differs', async () => {
    expect(await issuesOf('<think>x</think>a b c d', { words: { max: 2 } })).toMatchObject([
      {
        message: 'Cut the answer to at most 2 words; it has 4.',
        hint: 'Remove 2 words or more.',
        path: ['words'],
        span: { start: 20, end: 23 },
      },
    ])
    expect(await issuesOf('a', { words: { min: 2 } })).toMatchObject([
      { message: 'Write at least 2 words; the answer has 1.', hint: 'Add 1 word or more.' },
    ])
  })

  test('asks for no more text before the tools have answered', async () => {
    const turn = new Answer('', { toolCalls: [{ name: 'f', arguments: '{}' }] })
    expect(await issuesOf(turn, { words: { min: 2 } })).toEqual([])
  })

  test('L40 options that make no sense are configuration errors', () => {
    const senseless = [
      {},
      { words: {} },
      { words: { min: 3, max: 2 } },
      { words: { min: -1 } },
      { lines: { max: 1.5 } },
      { parts: { separator: ' ', max: 2 } },
      { parts: { separator: '-' } },
      { parts: { max: 2 } },
      { word: { max: 2 } },
      { words: { max: 2, most: 3 } },
    ]
    for (const options of senseless)
      expect(() => contract({ checks: [{ length: options as object }] }), JSON.stringify(options)).toThrow(/length/)
  })

  test('L41 agrees with the slow and obvious counts, whatever the text', async () => {
    const blank = (part: string): boolean => part.trim() === ''
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect(await count('words', text)).toBe(text.match(/[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0)
        expect(await count('characters', text)).toBe([...text.trim()].length)
        expect(await count('lines', text)).toBe(text.split(/\r\n|\r|\n/).filter((line) => !blank(line)).length)
        const lines = text.split(/\r\n|\r|\n/)
        expect(await count('paragraphs', text)).toBe(lines.filter((line, at) => !blank(line) && blank(lines[at - 1] ?? '')).length)
        const parts = text.split('***')
        const hasEmpty = parts.slice(1, -1).some(blank)
        const found = await issuesOf(text, { parts: { separator: '***', min: 1000 } })
        expect(found[0]?.message).toBe(
          `Write at least 1000 parts, separated by "***"; the answer has ${parts.filter((part) => !blank(part)).length}.`,
        )
        expect(found.some(({ code }) => code === 'EMPTY_PART')).toBe(hasEmpty)
      }),
      { numRuns: 200 },
    )
  })

  test('a part is not counted before it is known that its first character is not in a separator', async () => {
    await assertStreamable(rule({ paragraphs: { max: 0 }, parts: { separator: '\n---\n', max: 0 } }), '\n\n---a')
  })
})

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'Bc ',
        '. ',
        '! ',
        'e.g. ',
        '... ',
        '*',
        '***',
        '******',
        '\n',
        '\r\n',
        '\r',
        '\n\n',
        ' ',
        '\t',
        '—',
        '。',
        '1. ',
        '👍',
        'é',
        '\u0301',
        '-*',
      ),
      fc.constantFrom('\u00a0', '\ufeff', '<', '\n---\n', '---', '“', '”', 'नमस्ते', '\u200b'),
      fc.string({ maxLength: 3, unit: 'grapheme' }),
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''))

test('says everything in both languages', async () => {
  expect(
    await localeFaults('length', [
      { options: { words: { min: 2 }, characters: { max: 1 } }, text: 'Eins.' },
      { options: { parts: { separator: '*', min: 1, distinct: true } }, text: 'Eins**Eins' },
    ]),
  ).toEqual([])
})

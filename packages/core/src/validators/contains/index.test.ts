import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { contains } from './index.ts'

type Options = Parameters<typeof contains>[0]

const codesOf = async (options: Options, text: string): Promise<string[]> =>
  (await check(contract({ checks: [contains(options)] }), text)).issues.map(({ code, message }) => `${code} ${message}`)
const isFound = async (text: string, answer: string, rest: Partial<Options> = {}): Promise<boolean> =>
  (await codesOf({ none: [text], ...rest }, answer)).length > 0

describe('contains', () => {
  test.each<[string, Options, string, string[]]>([
    ['all there', { all: ['cat', 'dog'] }, 'Cats and DOGS.', []],
    ['one is missing', { all: ['cat', 'dog'] }, 'A cat.', ['TEXT_MISSING Use "dog"; the answer does not contain it.']],
    ['any of them', { any: ['My answer is yes.', 'My answer is no.'] }, 'I think: My answer is no.', []],
    [
      'none of any',
      { any: ['yes', 'no'] },
      'Maybe.',
      ['TEXT_MISSING Use at least one of "yes" and "no"; the answer contains none of them.'],
    ],
    ['forbidden', { none: [','] }, 'a, b', ['TEXT_FORBIDDEN Do not use ","; it is in line 1.']],
    ['part of a word', { none: ['rock'], wholeWords: true }, 'A rocket, rocks.', []],
    ['a whole word', { none: ['rock'], wholeWords: true }, 'Soft.\r\n\nHard ROCK!', ['TEXT_FORBIDDEN Do not use "rock"; it is in line 3.']],
    ['too few', { counts: [{ text: 'la', min: 3 }] }, 'lala', ['TEXT_COUNT Use "la" at least 3 times; it occurs 2 times.']],
    ['too many', { counts: [{ text: 'aa', max: 1 }] }, 'aaaaa', ['TEXT_COUNT Use "aa" at most once; it occurs 2 times.']],
    ['in range', { counts: [{ text: 'e', min: 1, max: 2 }] }, 'Eleven is over.', ['TEXT_COUNT Use "e" 1 to 2 times; it occurs 4 times.']],
    ['exactly none', { counts: [{ text: 'e', max: 0 }] }, 'e', ['TEXT_COUNT Use "e" nowhere; it occurs once.']],
    ['reasoning does not count', { none: ['secret'], all: ['x'] }, '<think>secret</think>x', []],
    ['case', { none: ['US'], caseSensitive: true }, 'Tell us.', []],
    ['nothing', { all: ['x'] }, '', ['TEXT_MISSING Use "x"; the answer does not contain it.']],
  ])('%s', async (_name, options, text, issues) => {
    expect(await codesOf(options, text)).toEqual(issues)
    await assertStreamable(contract({ checks: [contains(options)] }), text || ' x')
  })

  test.each<[string, string, string, boolean, Partial<Options>?]>([
    ['composed and decomposed', 'café', 'A cafe\u0301.', true],
    ['decomposed and composed', 'cafe\u0301', 'A CAFÉ.', true],
    ['a letter is not the same letter with an accent', 'e', 'é', false],
    ['nor with an accent of its own', 'e', 'e\u0301', false],
    ['sharp s is not ss', 'masse', 'Maße', false],
    ['capital sharp s', 'straße', 'STRAẞE', true],
    ['capital i with a dot', 'istanbul', 'İSTANBUL', true],
    ['small i with a dot of its own', 'istanbul', 'i\u0307stanbul', true],
    ['final sigma', 'ΟΔΟΣ', 'οδος', true],
    ['long s', 'so', 'ſo', true],
    ['zero width hides nothing', 'password', 'pass\u200bwo\u00adrd', true],
    ['nor does a variation selector', '❤', 'I ❤\ufe0f it', true],
    ['half a syllable', '가', '각', false],
    ['half a syllable in parts', '가', '각'.normalize('NFD'), false],
    ['a word of Cyrillic', 'кот', 'Скоту', false, { wholeWords: true }],
    ['a word between quotes', 'кот', '«Кот»', true, { wholeWords: true }],
    ['a word with digits', 'rock', 'rock2', false, { wholeWords: true }],
    ['an underscore joins', 'rock', 'rock_on', false, { wholeWords: true }],
    ['an apostrophe does not', 'rock', "rock's", true, { wholeWords: true }],
    ['Chinese has no spaces', '猫', '我有猫吗', true, { wholeWords: true }],
    ['a sign needs no word around', 'c++', 'Use C++.', true, { wholeWords: true }],
    ['beyond the BMP', '𝒳👍', 'a 𝒳👍b', true],
    ['lone surrogates', '\ud83d', '👍', false],
  ])('%s', async (_name, text, answer, found, rest) => {
    expect(await isFound(text, answer, rest)).toBe(found)
    await assertStreamable(contract({ checks: [contains({ none: [text], ...rest })] }), answer)
  })

  test('what must be said may follow tool calls', async () => {
    const rules = contract({ checks: [contains({ all: ['sunny'], none: ['rain'] })] })
    const called = (text: string) => new Answer(text, { toolCalls: [{ name: 'f', arguments: '{}' }] })
    expect((await check(rules, called('Let me see.'))).issues).toEqual([])
    expect((await check(rules, called('No rain.'))).issues).toMatchObject([{ code: 'TEXT_FORBIDDEN', span: { start: 3, end: 7 } }])
  })

  test('agrees with a regular expression for any texts', async () => {
    const alphabet = fc.constantFrom('a', 'b', 'A', 'é', 'e\u0301', ' ', '_', '.', 'ß', '1', '猫')
    const phrase = fc.array(alphabet, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
    const answers = fc.array(alphabet, { maxLength: 30 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(phrase, { minLength: 1, maxLength: 4 }),
        answers,
        fc.boolean(),
        fc.boolean(),
        async (texts, answer, wholeWords, caseSensitive) => {
          const plain = answer.normalize('NFC')
          const expected = texts.map((text) => naiveCount(text.normalize('NFC'), plain, wholeWords, caseSensitive))
          const counts = texts.map((text) => ({ text, max: 0 }))
          const found = await check(contract({ checks: [contains({ counts, wholeWords, caseSensitive })] }), answer)
          const said = found.issues.map(({ message }) => Number(/occurs (?:(\d+) times|once)/.exec(message)?.[1] ?? 1))
          expect(said).toEqual(expected.filter((count) => count > 0))
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each<[string, unknown, RegExp]>([
    ['no rule', {}, /contains: .*no rule; give all, any, none or counts/],
    ['an empty list', { all: [] }, /contains\.all/],
    ['an empty text', { none: ['a', ''] }, /contains\.none\.1/],
    ['nothing to see', { none: ['\u200b'] }, /contains\.none\.0: must have a character that can be seen/],
    ['a count without numbers', { counts: [{ text: 'a' }] }, /contains\.counts\.0: give min, max or both/],
    ['min above max', { counts: [{ text: 'a', min: 3, max: 2 }] }, /contains\.counts\.0: min is greater than max/],
    ['an unknown key', { al: ['x'] }, /did you mean "all"/],
    ['a number', { all: [1] }, /contains\.all\.0/],
  ])('%s is a configuration error', (_name, options, message) => {
    expect(() => contract({ checks: [{ contains: options as object }] })).toThrow(message)
  })

  test('a stream stops with the character after a forbidden text, and shows nothing of it', async () => {
    const { enforceStream } = await import('../../engine/enforce.ts')
    const { scripted } = await import('../../runners/scripted.ts')
    const runner = scripted([{ chunks: [...'Say foobar now.'] }, 'Say nothing.'])
    const stream = enforceStream({ contract: contract({ checks: [contains({ none: ['foobar'] })], retries: 1 }), runner, prompt: '' })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect([shown, (await stream.outcome).status]).toEqual(['Say nothing.', 'valid'])
    expect(runner.calls[0]?.aborted).toBe(true)
  })

  test('time is linear in texts that nearly match everywhere', { timeout: 60_000 }, async () => {
    const rules = contract({ checks: [contains({ none: [`${'a'.repeat(999)}b`, 'aab'], counts: [{ text: 'aa', min: 1 }] })] })
    expect((await check(rules, 'a'.repeat(400_000))).issues).toEqual([])
    await assertStreamable(rules, 'a\u200b'.repeat(20_000), [1000])
  })
})

/** The obvious way, for text in composed form. */
function naiveCount(text: string, answer: string, wholeWords: boolean, caseSensitive: boolean): number {
  const word = '(?:(?!猫)[\\p{L}\\p{N}\\p{M}_])'
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const first = new RegExp(`^${word}`, 'u').test(text) ? `(?<!${word})` : ''
  const last = new RegExp(`${word}$`, 'u').test(text) ? `(?!${word})` : ''
  const whole = wholeWords ? `${first}${source}${last}` : source
  return [...answer.matchAll(new RegExp(`${whole}(?!\u0301)`, caseSensitive ? 'gu' : 'giu'))].length
}

test('says everything in both languages', async () => {
  expect(
    await localeFaults('contains', [{ options: { all: ['a'], any: ['b', 'c'], none: ['d'], counts: [{ text: 'e', min: 2 }] }, text: 'D' }]),
  ).toEqual([])
})

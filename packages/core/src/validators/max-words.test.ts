import { describe, expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import type { CheckContext } from '../contract/validator.ts'
import { check } from '../engine/check/check.ts'
import { VerifiedStream } from '../engine/stream/stream.ts'
import { localeFaults } from '../testing/locale-faults.ts'
import { maxWords } from './max-words.ts'

const context: CheckContext = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal }
const three = contract({ checks: [maxWords({ limit: 3 })] })
const words = async (text: string): Promise<string[]> => (await check(three, text)).issues.map(({ message }) => message)

describe('max_words', () => {
  test.each([
    ['nothing', '', 0],
    ['at the limit', 'one two three', 3],
    ['white space of all kinds', '\u00a0one\u2003two\r\n\tthree\u3000', 3],
    ['over the limit', 'one two three four', 4],
    ['emoji and lone surrogates', '👍 \ud83d x y', 4],
    ['reasoning is free', '<think>a b c d e</think>one two three', 3],
  ])('%s', async (_name, text, count) => {
    expect(await words(text)).toEqual(count > 3 ? [`Cut the answer to at most 3 words; it has ${count}.`] : [])
  })

  test.each([1, 2, 3, 100])('a stream in chunks of %i stops with the first extra word', (size) => {
    const text = '<think>a b c d</think>one two three 👍 five'
    const stream = new VerifiedStream(three, context, { release: 'verified', repairs: false, stops: true })
    let released = ''
    for (let at = 0; at < text.length; at += size) {
      const step = stream.push(text.slice(at, at + size))
      released += step.released
      if (!step.doom) continue
      expect(text.slice(0, step.doom.at)).toBe('<think>a b c d</think>one two three 👍')
      expect(step.doom.issues.map(({ message }) => message)).toEqual(['Cut the answer to at most 3 words; it has 4.'])
      expect('<think>a b c d</think>one two three '.startsWith(released)).toBe(true)
      return
    }
    expect.unreachable('the stream was not stopped')
  })

  test.each([0, -1, 1.5, '3', null])('a limit of %j is a configuration error', (limit) => {
    expect(() => contract({ checks: [{ max_words: { limit: limit as number } }] })).toThrow(/checks\.0\.max_words\.limit/)
  })
})

test('says everything in both languages', async () => {
  expect(await localeFaults('max_words', [{ options: { limit: 1 }, text: 'Eins zwei.' }])).toEqual([])
})

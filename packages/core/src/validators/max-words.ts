import * as z from 'zod/mini'
import { WordCounter } from '../answer/words.ts'
import { type IssueDraft, issue } from '../contract/issue.ts'
import type { Locale } from '../contract/locale.ts'
import { defineValidator } from '../contract/validator.ts'
import { Counting } from './shared/units/counting.ts'

/** Fails when the answer has more than `limit` words; reasoning does not count. */
export const maxWords = defineValidator({
  name: 'max_words',
  short: 'limit',
  summary: 'The answer has at most a given number of words.',
  get options() {
    return z.strictObject({ limit: z.int().check(z.positive(), z.describe('Maximum number of words.')) })
  },
  codes: {
    MAX_WORDS: { severity: 'error', when: 'The answer has more words than the limit.', fix: 'Cut the answer, or raise `limit`.' },
  },
  instruct: ({ limit }, locale) =>
    locale === 'de' ? `Antworte in höchstens ${limit} ${limit === 1 ? 'Wort' : 'Wörtern'}.` : `Answer in at most ${wordCount(limit)}.`,
  machine:
    ({ limit }) =>
    (reading) =>
      new Counting(reading, [
        { max: limit, counter: () => new WordCounter(), tooMany: (words) => tooManyWords(limit, words, reading.locale) },
      ]),
})

function wordCount(count: number): string {
  return `${count} ${count === 1 ? 'word' : 'words'}`
}

function tooManyWords(limit: number, words: number, locale: Locale): IssueDraft<'MAX_WORDS'> {
  const message =
    locale === 'de'
      ? `Kürze die Antwort auf höchstens ${limit} ${limit === 1 ? 'Wort' : 'Wörter'}; sie hat ${words}.`
      : `Cut the answer to at most ${wordCount(limit)}; it has ${words}.`
  return issue('MAX_WORDS', message)
}

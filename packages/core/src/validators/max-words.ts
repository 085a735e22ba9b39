import * as z from 'zod'
import { ReasoningSkipper } from '../answer/reasoning.ts'
import { WordCounter } from '../answer/words.ts'
import { type IssueDraft, issue } from '../contract/issue.ts'
import type { Locale } from '../contract/locale.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../contract/validator.ts'

/** Fails when the answer has more than `limit` words; reasoning does not count. */
export const maxWords = defineValidator({
  name: 'max_words',
  summary: 'The answer has at most a given number of words.',
  options: z.strictObject({ limit: z.int().positive().describe('Largest number of words allowed.') }),
  codes: {
    MAX_WORDS: { severity: 'error', when: 'The answer has more words than the limit.', fix: 'Cut the answer, or raise `limit`.' },
  },
  instruct: ({ limit }, locale) =>
    locale === 'de' ? `Antworte in höchstens ${limit} ${limit === 1 ? 'Wort' : 'Wörtern'}.` : `Answer in at most ${wordCount(limit)}.`,
  prepare: ({ limit }) => ({
    *check({ words }, { locale }) {
      if (words > limit) yield tooManyWords(limit, words, locale)
    },
    incremental: ({ locale }) => new WordLimit(limit, locale),
  }),
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

/** Safe up to the last allowed word; fails with the first character of the next one. */
class WordLimit implements IncrementalCheck<'MAX_WORDS'> {
  readonly #limit: number
  readonly #locale: Locale
  readonly #words = new WordCounter()
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  #failed: Progress<'MAX_WORDS'> | undefined

  constructor(limit: number, locale: Locale) {
    this.#limit = limit
    this.#locale = locale
  }

  push(chunk: string): Progress<'MAX_WORDS'> {
    this.#length += chunk.length
    this.#failed ??= this.#count(this.#reasoning.push(chunk))
    return this.#failed ?? { safe: this.#length }
  }

  #count(body: string): Progress<'MAX_WORDS'> | undefined {
    const extra = this.#words.push(body, this.#limit + 1)
    if (extra === undefined) return undefined
    const safe = this.#length - body.length + extra
    const width = (body.codePointAt(extra) ?? 0) > 0xffff ? 2 : 1
    return { safe, failure: { at: safe + width, issues: [tooManyWords(this.#limit, this.#limit + 1, this.#locale)] } }
  }
}

import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { TextSpan } from '../../answer/span.ts'
import { isSpace } from '../../answer/words.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator, type IncrementalCheck, type PreparedValidator, type Progress } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { repairWords, WordCasingStream, wrongWords } from './word-casing.ts'
import type { WordCasing, WrongWord } from './words.ts'

/** The cases that an answer may have to be in. */
export const casings = ['lower', 'upper', 'title', 'sentence'] as const

/** The case that every letter must be in. */
type Casing = Exclude<(typeof casings)[number], WordCasing>

/** The most characters of a word in a message. */
const longestWord = 40

/** Where the first letter in the wrong case is; one that has no counterpart cannot be written otherwise. */
function findWrongCase(text: string, from: number, is: Casing): TextSpan | undefined {
  const pattern = candidates(is)
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [letter] = found
    if (inCase(letter, is) !== letter) return { start: found.index, end: found.index + letter.length }
  }
  return undefined
}

/** How many letters are in the wrong case. */
function wrongLetters(text: string, is: Casing): number {
  let count = 0
  for (const [letter] of text.matchAll(candidates(is))) if (inCase(letter, is) !== letter) count++
  return count
}

/** A text in the case that is asked for. */
function inCase(text: string, is: Casing): string {
  return is === 'lower' ? text.toLowerCase() : text.toUpperCase()
}

/** The word that ends before an offset, as far as it has been read. */
function wordUpTo(text: string, from: number, end: number): string {
  let start = end
  while (start > from && end - start < longestWord && !isSpace(text.charCodeAt(start - 1))) start--
  return text.slice(start, end)
}

/** How many of the characters from an offset on belong to the word that is there; undefined when it may go on. */
function restOfWord(text: string, from: number, most: number): number | undefined {
  for (let at = from; at < text.length; at++) if (at - from === most || isSpace(text.charCodeAt(at))) return at - from
  return text.length - from === most ? most : undefined
}

function candidates(is: Casing): RegExp {
  return is === 'lower' ? /[\p{Lu}\p{Lt}]/gu : /[\p{Ll}\p{Lt}]/gu
}

/** Safe up to the first letter in the wrong case; fails at the end of its word, unless a repair may change the letter. */
class CasingStream implements IncrementalCheck<'WRONG_CASE'> {
  readonly #is: Casing
  readonly #repairs: boolean
  readonly #tell: (word: string) => IssueDraft<'WRONG_CASE'>
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  /** The word that the last chunk ended in. */
  #word = ''
  /** The first letter in the wrong case, and how much of its word has followed. */
  #wrong: TextSpan | undefined
  #followed = 0
  #failed: Progress<'WRONG_CASE'> | undefined

  constructor(is: Casing, repairs: boolean, tell: (word: string) => IssueDraft<'WRONG_CASE'>) {
    this.#is = is
    this.#repairs = repairs
    this.#tell = tell
  }

  push(chunk: string): Progress<'WRONG_CASE'> {
    this.#length += chunk.length
    this.#failed ??= this.#judge(this.#reasoning.push(chunk))
    return this.#failed ?? { safe: this.#wrong?.start ?? this.#length }
  }

  #judge(body: string): Progress<'WRONG_CASE'> | undefined {
    const offset = this.#length - body.length
    let from = 0
    if (this.#wrong === undefined) {
      const wrong = findWrongCase(body, 0, this.#is)
      const text = this.#word + body
      from = wrong?.end ?? body.length
      this.#word = wordUpTo(text, 0, this.#word.length + from)
      if (wrong === undefined) return undefined
      this.#wrong = { start: offset + wrong.start, end: offset + wrong.end }
    }
    const rest = restOfWord(body, from, longestWord - this.#followed)
    this.#word += body.slice(from, rest === undefined ? body.length : from + rest)
    this.#followed += rest ?? body.length - from
    if (rest === undefined) return undefined
    const final = this.#repairs ? {} : { final: true as const }
    const failure = { at: this.#wrong.end + this.#followed, issues: [this.#tell(this.#word)], ...final }
    return { safe: this.#wrong.start, failure }
  }
}

interface CasingMessages {
  instruct: Readonly<Record<(typeof casings)[number], string>>
  word(is: WordCasing, wrong: WrongWord): string
  words(count: number): string
  wrong(is: Casing, word: string): string
  hint(count: number): string
}

/** The wording of `casing` in both languages. */
const casingMessages: Readonly<Record<Locale, CasingMessages>> = {
  en: {
    instruct: {
      lower: 'Write the whole answer in lower case.',
      upper: 'Write the whole answer in upper case.',
      title: 'Write every line of the answer in title case: all words with a capital, except articles, conjunctions and prepositions.',
      sentence:
        'Write the answer in sentence case: a capital for the first word of each sentence, heading and list item, and for names only.',
    },
    word: (is, { word, fault }) => {
      const start = `Write the answer in ${is} case`
      if (fault === 'capitals') return `${start}; the line that begins with ${quoteJson(word)} is in capitals.`
      return fault === 'small'
        ? `${start}; ${quoteJson(word)} begins with a small letter.`
        : `${start}; ${quoteJson(word)} has a capital within a sentence.`
    },
    words: (count) => (count === 1 ? 'Change this word only.' : `Change all ${count} words that are in the wrong case.`),
    wrong: (is, word) =>
      `Write the whole answer in ${is} case; ${quoteJson(word)} has ${is === 'lower' ? 'an upper' : 'a lower'}-case letter.`,
    hint: (count) => (count === 1 ? 'Change this letter only.' : `Change all ${count} letters that are in the wrong case.`),
  },
  de: {
    instruct: {
      lower: 'Schreibe die ganze Antwort in Kleinbuchstaben.',
      upper: 'Schreibe die ganze Antwort in Großbuchstaben.',
      title:
        'Schreibe jede Zeile der Antwort wie einen englischen Titel: alle Wörter groß, außer Artikeln, Konjunktionen und Präpositionen.',
      sentence:
        'Schreibe die Antwort wie Sätze: groß nur das erste Wort von Sätzen, Überschriften und Listenpunkten, und was immer groß ist.',
    },
    word: (is, { word, fault }) => {
      const start = `Schreibe die Antwort wie ${is === 'title' ? 'einen englischen Titel' : 'Sätze'}`
      if (fault === 'capitals') return `${start}; die Zeile, die mit ${quoteJson(word)} beginnt, ist in Großbuchstaben.`
      return fault === 'small'
        ? `${start}; ${quoteJson(word)} beginnt mit einem Kleinbuchstaben.`
        : `${start}; ${quoteJson(word)} ist im Satz großgeschrieben.`
    },
    words: (count) => (count === 1 ? 'Ändere nur dieses Wort.' : `Ändere alle ${count} Wörter, die falsch geschrieben sind.`),
    wrong: (is, word) =>
      is === 'lower'
        ? `Schreibe die ganze Antwort in Kleinbuchstaben; ${quoteJson(word)} hat einen Großbuchstaben.`
        : `Schreibe die ganze Antwort in Großbuchstaben; ${quoteJson(word)} hat einen Kleinbuchstaben.`,
    hint: (count) => (count === 1 ? 'Ändere nur diesen Buchstaben.' : `Ändere alle ${count} Buchstaben, die falsch geschrieben sind.`),
  },
}

/** Fails when a letter of the answer is in the wrong case; reasoning does not count. */
export const casing = defineValidator({
  name: 'casing',
  short: 'is',
  summary: 'The answer is in lower case, upper case, title case or sentence case.',
  judges: 'prose',
  get options() {
    return z.strictObject({
      is: z
        .enum(casings)
        .describe('The case of every letter (`lower`, `upper`) or of words (`title`, `sentence`); letters without case are ignored.'),
    })
  },
  codes: {
    WRONG_CASE: {
      severity: 'error',
      when: 'A letter or a word is in another case.',
      fix: 'Write it in the required case; a repair does so if lossy repairs are allowed.',
    },
  },
  instruct: ({ is }, locale) => casingMessages[locale].instruct[is],
  prepare: ({ is }) => (is === 'title' || is === 'sentence' ? forWords(is) : forLetters(is)),
})

function forWords(is: WordCasing): PreparedValidator<'WRONG_CASE'> {
  const tell = (wrong: WrongWord, locale: Locale) => issue('WRONG_CASE', casingMessages[locale].word(is, wrong))
  return {
    *check(answer, { locale }) {
      const wrong = wrongWords(answer, is)
      const [first] = wrong
      if (first === undefined) return
      const span = { start: first.start, end: first.start + first.word.length }
      yield { ...tell(first, locale), hint: casingMessages[locale].words(wrong.length), span }
    },
    incremental: ({ locale }, told) => new WordCasingStream(is, told?.allow.includes('lossy') ?? false, (wrong) => tell(wrong, locale)),
    repair: (answer) => repairWords(answer, is),
  }
}

function forLetters(is: Casing): PreparedValidator<'WRONG_CASE'> {
  return {
    *check({ text, bodyStart }, { locale }) {
      const wrong = findWrongCase(text, bodyStart, is)
      if (wrong === undefined) return
      const { hint } = casingMessages[locale]
      const rest = restOfWord(text, wrong.end, longestWord) ?? text.length - wrong.end
      const word = wordUpTo(text, bodyStart, wrong.end) + text.slice(wrong.end, wrong.end + rest)
      yield { ...wrongCase(word, is, locale), hint: hint(wrongLetters(text.slice(bodyStart), is)), span: wrong }
    },
    incremental: ({ locale }, told) => new CasingStream(is, told?.allow.includes('lossy') ?? false, (word) => wrongCase(word, is, locale)),
    repair: (answer) => repairCasing(answer, is),
  }
}

function wrongCase(word: string, is: Casing, locale: Locale): IssueDraft<'WRONG_CASE'> {
  return issue('WRONG_CASE', casingMessages[locale].wrong(is, word.replace(/[.,;:!?]{1,3}$/, '')))
}

/** Writes each line in the case that is asked for, from its first letter in the wrong case on. */
function* repairCasing({ text, bodyStart }: Answer, is: Casing): Generator<Certificate> {
  for (let wrong = findWrongCase(text, bodyStart, is); wrong; ) {
    const line = text.indexOf('\n', wrong.end)
    const end = line < 0 ? text.length : line
    const before = text.slice(wrong.start, end)
    yield { rule: `${is}-case`, class: 'lossy', span: { start: wrong.start, end }, before, after: inCase(before, is) }
    wrong = findWrongCase(text, end, is)
  }
}

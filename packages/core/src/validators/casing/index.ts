import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { isSpace } from '../../answer/words.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'

/** The cases that an answer may have to be in. */
const casings = ['lower', 'upper'] as const

type Casing = (typeof casings)[number]

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

/** The word that a text ends with, as far as it is shown. */
function wordUpTo(text: string): string {
  let start = text.length
  while (start > 0 && text.length - start < longestWord && !isSpace(text.charCodeAt(start - 1))) start--
  return text.slice(start)
}

/** How many of the characters from an offset on belong to the word that is there; undefined when it may go on. */
function restOfWord(text: string, from: number, most: number): number | undefined {
  for (let at = from; at < text.length; at++) if (at - from === most || isSpace(text.charCodeAt(at))) return at - from
  return text.length - from === most ? most : undefined
}

function candidates(is: Casing): RegExp {
  return is === 'lower' ? /[\p{Lu}\p{Lt}]/gu : /[\p{Ll}\p{Lt}]/gu
}

/** Safe up to the first letter in the wrong case, which is reported at the end of its word. */
class LetterCase implements Machine {
  safe = Number.POSITIVE_INFINITY
  readonly #reading: Reading<'WRONG_CASE'>
  readonly #is: Casing
  #start = -1
  /** The word that is being read. */
  #word = ''
  /** The first letter in the wrong case, and how much of its word has followed. */
  #wrong: TextSpan | undefined
  #followed = 0

  constructor(reading: Reading<'WRONG_CASE'>, is: Casing) {
    this.#reading = reading
    this.#is = is
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#start < 0) this.#start = at
    // The first one is enough.
    if (this.#followed < 0) return
    let from = 0
    if (this.#wrong === undefined) {
      const wrong = findWrongCase(piece, 0, this.#is)
      from = wrong?.end ?? piece.length
      this.#word = wordUpTo(this.#word + piece.slice(0, from))
      if (wrong === undefined) return
      this.#wrong = { start: at + wrong.start, end: at + wrong.end }
      this.safe = this.#wrong.start
    }
    const rest = restOfWord(piece, from, longestWord - this.#followed) ?? (isEnd ? piece.length - from : undefined)
    this.#word += piece.slice(from, rest === undefined ? piece.length : from + rest)
    this.#followed += rest ?? piece.length - from
    if (rest !== undefined) this.#report(this.#wrong, this.#word)
  }

  #report(span: TextSpan, word: string): void {
    const { wrong, hint } = casingMessages[this.#reading.locale]
    const message = wrong(this.#is, word.replace(/[.,;:!?]{1,3}$/, ''))
    const whole = (text: string) => ({ hint: hint(wrongLetters(text.slice(this.#start), this.#is)), span })
    const at = span.end + this.#followed
    this.#followed = -1
    this.#reading.wrong({
      start: span.start,
      at,
      repair: 'lossy',
      issue: (text, isWhole) => issue('WRONG_CASE', message, isWhole ? whole(text) : {}),
    })
  }
}

interface CasingMessages {
  readonly instruct: Readonly<Record<Casing, string>>
  wrong(is: Casing, word: string): string
  hint(count: number): string
}

/** The wording of `casing` in both languages. */
const casingMessages: Readonly<Record<Locale, CasingMessages>> = {
  en: {
    instruct: {
      lower: 'Write the whole answer in lower case.',
      upper: 'Write the whole answer in upper case.',
    },
    wrong: (is, word) =>
      `Write the whole answer in ${is} case; ${quoteJson(word)} has ${is === 'lower' ? 'an upper' : 'a lower'}-case letter.`,
    hint: (count) => (count === 1 ? 'Change this letter only.' : `Change all ${count} letters that are in the wrong case.`),
  },
  de: {
    instruct: {
      lower: 'Schreibe die ganze Antwort in Kleinbuchstaben.',
      upper: 'Schreibe die ganze Antwort in Großbuchstaben.',
    },
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
  summary: 'The answer is in lower case or upper case.',
  judges: 'prose',
  get options() {
    return z.strictObject({
      is: z.enum(casings).describe('The case of every letter; letters without case are ignored.'),
    })
  },
  repairs: true,
  codes: {
    WRONG_CASE: {
      severity: 'error',
      when: 'A letter is in another case.',
      fix: 'Write it in the required case; a repair does so if lossy repairs are allowed.',
    },
  },
  instruct: ({ is }, locale) => casingMessages[locale].instruct[is],
  prepare: ({ is }) => prepareMachine((reading) => new LetterCase(reading, is), { repair: (answer) => repairCasing(answer, is) }),
})

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

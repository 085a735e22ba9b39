import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { Casing } from './letters.ts'

interface CasingMessages {
  instruct(is: Casing): string
  wrong(is: Casing, word: string): string
  hint(count: number): string
}

/** The wording of `casing` in both languages. */
export const casingMessages: Readonly<Record<Locale, CasingMessages>> = {
  en: {
    instruct: (is) => `Write the whole answer in ${is} case.`,
    wrong: (is, word) =>
      `Write the whole answer in ${is} case; ${quote(word)} ends in ${is === 'lower' ? 'an upper' : 'a lower'}-case letter.`,
    hint: (count) => (count === 1 ? '1 letter is in the wrong case.' : `${count} letters are in the wrong case.`),
  },
  de: {
    instruct: (is) => `Schreibe die ganze Antwort in ${is === 'lower' ? 'Kleinbuchstaben' : 'Großbuchstaben'}.`,
    wrong: (is, word) =>
      is === 'lower'
        ? `Schreibe die ganze Antwort in Kleinbuchstaben; ${quote(word)} endet auf einen Großbuchstaben.`
        : `Schreibe die ganze Antwort in Großbuchstaben; ${quote(word)} endet auf einen Kleinbuchstaben.`,
    hint: (count) => (count === 1 ? '1 Buchstabe ist falsch.' : `${count} Buchstaben sind falsch.`),
  },
}

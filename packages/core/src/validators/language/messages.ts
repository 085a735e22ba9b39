import type { Locale } from '../../contract/locale.ts'

interface LanguageMessages {
  instruct(allowed: readonly string[]): string
  wrong(allowed: readonly string[], observed: string): string
  hint: string
}

function nameOf(code: string, locale: Locale): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code
}

function listOf(codes: readonly string[], locale: Locale, or: string): string {
  return codes.map((code) => nameOf(code, locale)).join(` ${or} `)
}

/** The wording of `language` in both languages. */
export const languageMessages: Readonly<Record<Locale, LanguageMessages>> = {
  en: {
    instruct: (allowed) => `Write the whole answer in ${listOf(allowed, 'en', 'or')}.`,
    wrong: (allowed, observed) => `Write the whole answer in ${listOf(allowed, 'en', 'or')}; it is in ${nameOf(observed, 'en')}.`,
    hint: 'Names, code and quotations may stay as they are.',
  },
  de: {
    instruct: (allowed) => `Schreibe die ganze Antwort auf ${listOf(allowed, 'de', 'oder')}.`,
    wrong: (allowed, observed) => `Schreibe die ganze Antwort auf ${listOf(allowed, 'de', 'oder')}; sie ist auf ${nameOf(observed, 'de')}.`,
    hint: 'Namen, Code und Zitate können bleiben, wie sie sind.',
  },
}

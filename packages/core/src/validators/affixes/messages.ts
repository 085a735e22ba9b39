import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { AffixRules } from './rules.ts'

interface AffixMessages {
  instruct(rules: AffixRules): string
  wrongStart(starts: string, observed: string): string
  wrongEnd(ends: string, observed: string): string
  notWrapped(open: string, close: string): string
  hint: { readonly start: string; readonly end: string; readonly wrap: string }
}

const both = (open: string, close: string, and: string): string => (open === close ? quote(open) : `${quote(open)} ${and} ${quote(close)}`)

/** The wording of `affixes` in both languages. */
export const affixMessages: Readonly<Record<Locale, AffixMessages>> = {
  en: {
    instruct: ({ open, close, starts, ends }) =>
      [
        starts === undefined ? [] : `Start the answer with ${quote(starts)}.`,
        ends === undefined ? [] : `End the answer with ${quote(ends)}.`,
        open === undefined || close === undefined ? [] : `Put the whole answer between ${both(open, close, 'and')}.`,
      ]
        .flat()
        .join(' '),
    wrongStart: (starts, observed) => `Start the answer with ${quote(starts)}; it starts with ${quote(observed)}.`,
    wrongEnd: (ends, observed) => `End the answer with ${quote(ends)}; it ends with ${quote(observed)}.`,
    notWrapped: (open, close) => `Put the whole answer between ${both(open, close, 'and')}.`,
    hint: {
      start: 'Write nothing before it, no greeting and no heading.',
      end: 'Write nothing after it.',
      wrap: 'Write nothing before the first and nothing after the last of them.',
    },
  },
  de: {
    instruct: ({ open, close, starts, ends }) =>
      [
        starts === undefined ? [] : `Beginne die Antwort mit ${quote(starts)}.`,
        ends === undefined ? [] : `Beende die Antwort mit ${quote(ends)}.`,
        open === undefined || close === undefined ? [] : `Setze die ganze Antwort zwischen ${both(open, close, 'und')}.`,
      ]
        .flat()
        .join(' '),
    wrongStart: (starts, observed) => `Beginne die Antwort mit ${quote(starts)}; sie beginnt mit ${quote(observed)}.`,
    wrongEnd: (ends, observed) => `Beende die Antwort mit ${quote(ends)}; sie endet mit ${quote(observed)}.`,
    notWrapped: (open, close) => `Setze die ganze Antwort zwischen ${both(open, close, 'und')}.`,
    hint: {
      start: 'Schreibe nichts davor, keine Begrüßung und keine Überschrift.',
      end: 'Schreibe nichts dahinter.',
      wrap: 'Schreibe nichts vor das erste und nichts hinter das letzte.',
    },
  },
}

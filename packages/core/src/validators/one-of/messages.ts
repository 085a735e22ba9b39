import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'

interface OneOfMessages {
  instruct(values: readonly string[]): string
  other(values: readonly string[], observed: string): string
  hint: string
  meant(value: string): string
}

/** So many values are named. */
const mostNamed = 20

function listOf(values: readonly string[], or: string, more: string): string {
  const named = values.slice(0, mostNamed).map(quote)
  if (values.length > mostNamed) return `${named.join(', ')} ${or} ${values.length - mostNamed} ${more}`
  return named.length === 1 ? `${named[0]}` : `${named.slice(0, -1).join(', ')} ${or} ${named.at(-1)}`
}

/** The wording of `one_of` in both languages. */
export const oneOfMessages: Readonly<Record<Locale, OneOfMessages>> = {
  en: {
    instruct: (values) => `Answer with exactly ${listOf(values, 'or', 'others')}, and nothing else.`,
    other: (values, observed) => `Answer with exactly ${listOf(values, 'or', 'others')}; the answer is ${quote(observed)}.`,
    hint: 'Write nothing before or after it: no explanation, no quotes, no full stop.',
    meant: (value) => `Probably meant: ${quote(value)}.`,
  },
  de: {
    instruct: (values) => `Antworte genau mit ${listOf(values, 'oder', 'anderen')} und mit nichts sonst.`,
    other: (values, observed) => `Antworte genau mit ${listOf(values, 'oder', 'anderen')}; die Antwort ist ${quote(observed)}.`,
    hint: 'Schreibe nichts davor oder dahinter: keine Erklärung, keine Anführungszeichen, keinen Punkt.',
    meant: (value) => `Vermutlich gemeint: ${quote(value)}.`,
  },
}

import { isGerman } from './common-terms.ts'

/**
 * Says that no sentence matches, and where the words of the question occur; it does not claim that
 * these sources answer it.
 */
export function nothingFits(question: string, nearest: readonly number[]): string {
  const german = isGerman(question)
  const places = nearest.map((id) => `[^${id}]`).join(german ? ' und ' : ' and ')
  const said = german
    ? 'Das Demo-Modell vergleicht nur Wörter und hat keinen Satz gefunden, der diese Frage beantwortet.'
    : 'The demo model only compares words, and found no sentence that answers this question.'
  if (nearest.length === 0) return said
  return `${said} ${german ? 'Am nächsten kommt ihr' : nearest.length === 1 ? 'The nearest passage is' : 'The nearest passages are'} ${places}.`
}

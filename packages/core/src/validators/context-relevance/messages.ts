import type { Locale } from '../../contract/locale.ts'

interface RelevanceMessages {
  readonly instruct: string
  below(score: string, threshold: string): string
  readonly no: string
  readonly hint: string
}

/** What the messages on relevance say, by language. */
export const relevanceMessages: Readonly<Record<Locale, RelevanceMessages>> = {
  en: {
    instruct: 'Answer only from the context that is given; say so when it does not answer the question.',
    below: (score, threshold) => `Say that the context does not answer the question; its relevance is ${score}, below ${threshold}.`,
    no: 'Say that the context does not answer the question; none of it was judged relevant.',
    hint: 'Another answer cannot change this; search again with other words.',
  },
  de: {
    instruct: 'Antworte nur aus dem gegebenen Kontext; sage es, wenn er die Frage nicht beantwortet.',
    below: (score, threshold) => `Sage, dass der Kontext die Frage nicht beantwortet; seine Relevanz ist ${score}, unter ${threshold}.`,
    no: 'Sage, dass der Kontext die Frage nicht beantwortet; nichts davon wurde als relevant beurteilt.',
    hint: 'Eine andere Antwort ändert daran nichts; suche noch einmal mit anderen Wörtern.',
  },
}

import type { TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import type { CitationStyle, MarkerFault } from './marker-body.ts'
import type { Marker } from './marker-scanner.ts'

interface CitationWords {
  instruct(form: string, sources: number | undefined): string
  readonly demand: string
  readonly demandEach: string
  readonly malformed: Readonly<Record<MarkerFault, (marker: string, form: string) => string>>
  readonly literal: string
  outOfRange(marker: string, number: number, sources: number): string
  more(count: number): string
  missing(form: string): string
  uncited(start: string, form: string): string
}

/** What the messages on citations say, by language. */
export const citationWords: Readonly<Record<Locale, CitationWords>> = {
  en: {
    instruct: (form, sources) =>
      `Cite sources as ${form}, where N is the number of the source${sources === undefined ? '' : ` from 1 to ${sources}`}, and cite no other.`,
    demand: 'Cite at least one source.',
    demandEach: 'Cite a source in every paragraph.',
    malformed: {
      empty: (marker, form) => `Write the number of a source into the marker, as ${form}; ${marker} is empty.`,
      zero: (marker) => `Number sources from 1 and without leading zeros, not as in ${marker}.`,
      large: (marker) => `Cite a source by a number of at most 4294967295; ${marker} is larger.`,
      body: (marker, form) => `Write each citation as ${form} with one whole number, not as ${marker}.`,
      open: (marker, form) => `Close each citation on its line, as ${form}; ${marker} is not closed.`,
      range: (marker) => `Cite a range of 2 to 10 sources in rising order, not ${marker}.`,
    },
    literal: 'Where no citation is meant, write \\[ or put it in backticks.',
    outOfRange: (marker, number, sources) =>
      sources === 0
        ? `Cite no source, since there are none; ${marker} names source ${number}.`
        : `Cite only source${sources === 1 ? ' 1' : `s 1 to ${sources}`}; ${marker} names source ${number}.`,
    more: (count) =>
      count === 1
        ? 'Correct 1 further citation marker that is malformed or out of range.'
        : `Correct ${count} further citation markers that are malformed or out of range.`,
    missing: (form) => `Cite at least one source as ${form}; the answer cites none.`,
    uncited: (start, form) => `Cite a source as ${form} in every paragraph; the one that starts with ${start} has none.`,
  },
  de: {
    instruct: (form, sources) =>
      `Zitiere Quellen als ${form}, wobei N die Nummer der Quelle ist${sources === undefined ? '' : `, von 1 bis ${sources}`}, und keine anderen.`,
    demand: 'Zitiere mindestens eine Quelle.',
    demandEach: 'Zitiere in jedem Absatz eine Quelle.',
    malformed: {
      empty: (marker, form) => `Schreibe die Nummer einer Quelle in den Marker, als ${form}; ${marker} ist leer.`,
      zero: (marker) => `Nummeriere Quellen ab 1 und ohne führende Nullen, nicht wie in ${marker}.`,
      large: (marker) => `Zitiere eine Quelle mit einer Nummer von höchstens 4294967295; ${marker} ist größer.`,
      body: (marker, form) => `Schreibe jedes Zitat als ${form} mit einer ganzen Zahl, nicht als ${marker}.`,
      open: (marker, form) => `Schließe jedes Zitat in seiner Zeile, als ${form}; ${marker} ist nicht geschlossen.`,
      range: (marker) => `Zitiere einen Bereich von 2 bis 10 Quellen in steigender Folge, nicht ${marker}.`,
    },
    literal: 'Wo kein Zitat gemeint ist, schreibe \\[ oder setze es in Backticks.',
    outOfRange: (marker, number, sources) =>
      sources === 0
        ? `Zitiere keine Quelle, denn es gibt keine; ${marker} nennt Quelle ${number}.`
        : `Zitiere nur ${sources === 1 ? 'Quelle 1' : `Quellen von 1 bis ${sources}`}; ${marker} nennt Quelle ${number}.`,
    more: (count) =>
      count === 1
        ? 'Korrigiere 1 weiteres Zitat, das fehlerhaft ist oder eine Quelle nennt, die es nicht gibt.'
        : `Korrigiere ${count} weitere Zitate, die fehlerhaft sind oder eine Quelle nennen, die es nicht gibt.`,
    missing: (form) => `Zitiere mindestens eine Quelle als ${form}; die Antwort zitiert keine.`,
    uncited: (start, form) => `Zitiere in jedem Absatz eine Quelle als ${form}; der Absatz, der mit ${start} beginnt, hat keine.`,
  },
}

/** The codes of the validator. */
export type CitationCode = 'CITATION_MALFORMED' | 'CITATION_OUT_OF_RANGE' | 'CITATION_MISSING'

/** Drafts the issues of citations, in one language. */
export class CitationIssues {
  readonly #words: (typeof citationWords)[Locale]
  readonly #styles: readonly CitationStyle[]

  constructor(locale: Locale, styles: readonly CitationStyle[]) {
    this.#words = citationWords[locale]
    this.#styles = styles
  }

  /** Only put into words when something is wrong. */
  get #form(): string {
    return writtenForms(this.#styles)
  }

  /** A marker that names no number of a source, or a source that does not exist. */
  wrong({ text, span, numbers, fault }: Marker, sources = 0): IssueDraft<CitationCode> {
    const { malformed, literal } = this.#words
    if (fault !== undefined) return issue('CITATION_MALFORMED', malformed[fault](quoteJson(text), this.#form), { span, hint: literal })
    const wrong = numbers.find((number) => number > sources) ?? 0
    return issue('CITATION_OUT_OF_RANGE', this.#words.outOfRange(quoteJson(text), wrong, sources), { span })
  }

  /** Replaces the markers that are not reported individually. */
  more(code: CitationCode, count: number, span: TextSpan): IssueDraft<CitationCode> {
    return issue(code, this.#words.more(count), { span })
  }

  /** No marker at all. */
  missing(): IssueDraft<CitationCode> {
    return issue('CITATION_MISSING', this.#words.missing(this.#form))
  }

  /** A paragraph without a marker. */
  uncited(text: string, span: TextSpan): IssueDraft<CitationCode> {
    return issue('CITATION_MISSING', this.#words.uncited(quoteJson(text.slice(0, longestStart)), this.#form), { span })
  }
}

/** The most characters of a paragraph that identify it. */
const longestStart = 81

/** How markers may be written, with N for the number. */
export function writtenForms(styles: readonly CitationStyle[]): string {
  const forms = { caret: '[^N]', bracket: '[N]', lenticular: '【N】' }
  return [...new Set(styles)].map((style) => forms[style]).join(' / ')
}

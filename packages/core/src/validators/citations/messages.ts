import type { TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { CitationStyle, MarkerFault } from './marker-body.ts'
import type { Marker } from './marker-scanner.ts'
import { citationWords } from './words.ts'

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

  /** A marker that names no number of a source. */
  malformed({ text, span }: Marker, fault: MarkerFault): IssueDraft<CitationCode> {
    return issue('CITATION_MALFORMED', this.#words.malformed[fault](quote(text), this.#form), { span, hint: this.#words.literal })
  }

  /** A marker that names a source which does not exist. */
  outOfRange({ text, span, numbers }: Marker, sources: number): IssueDraft<CitationCode> {
    const wrong = numbers.find((number) => number > sources) ?? 0
    return issue('CITATION_OUT_OF_RANGE', this.#words.outOfRange(quote(text), wrong, sources), { span })
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
    return issue('CITATION_MISSING', this.#words.uncited(quote(text.slice(0, longestStart)), this.#form), { span })
  }
}

/** The most characters of a paragraph that identify it. */
const longestStart = 81

/** How markers may be written, with N for the number. */
export function writtenForms(styles: readonly CitationStyle[]): string {
  const forms = { caret: '[^N]', bracket: '[N]', lenticular: '【N】' }
  return [...new Set(styles)].map((style) => forms[style]).join(' / ')
}

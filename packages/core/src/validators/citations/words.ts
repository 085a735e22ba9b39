import type { Locale } from '../../contract/locale.ts'
import type { MarkerFault } from './marker-body.ts'

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
        : `Cite only sources 1 to ${sources}; ${marker} names source ${number}.`,
    more: (count) => `Correct ${count} further citation markers that are malformed or out of range.`,
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
        : `Zitiere nur Quellen von 1 bis ${sources}; ${marker} nennt Quelle ${number}.`,
    more: (count) => `Korrigiere ${count} weitere Zitate, die fehlerhaft sind oder eine Quelle nennen, die es nicht gibt.`,
    missing: (form) => `Zitiere mindestens eine Quelle als ${form}; die Antwort zitiert keine.`,
    uncited: (start, form) => `Zitiere in jedem Absatz eine Quelle als ${form}; der Absatz, der mit ${start} beginnt, hat keine.`,
  },
}

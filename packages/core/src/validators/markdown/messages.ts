import type { Locale } from '../../contract/locale.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import type { HtmlFault, HtmlRule } from './html-tag.ts'
import type { Element, MarkdownOptions } from './options.ts'
import { boundsOf, elements } from './options.ts'

interface MarkdownMessages {
  instruct(options: MarkdownOptions): string
  tooMany(element: Element, max: number, observed: number): string
  tooFew(element: Element, min: number, observed: number): string
  level(text: string, level: number, right: number): string
  order(first: string, then: string): string
  missing(title: string): string
  /** What is wrong with the HTML in a line. */
  html(rule: HtmlRule, fault: HtmlFault, line: number): string
  readonly htmlHint: string
}

type Names = Readonly<Record<Element, readonly [one: string, several: string, hint: string, none?: string]>>

const english: Names = {
  headings: ['heading', 'headings', ' (`# …`)'],
  bullets: ['bullet point', 'bullet points', ' (`- …`)'],
  numberedItems: ['numbered list item', 'numbered list items', ' (`1. …`)'],
  numberedLists: ['numbered list', 'numbered lists', ''],
  highlights: ['highlighted passage', 'highlighted passages', ' (`*…*`)'],
  tables: ['table', 'tables', ''],
  codeBlocks: ['fenced code block', 'fenced code blocks', ''],
}

const german: Names = {
  headings: ['Überschrift', 'Überschriften', ' (`# …`)'],
  bullets: ['Aufzählungspunkt', 'Aufzählungspunkte', ' (`- …`)'],
  numberedItems: ['nummerierten Listenpunkt', 'nummerierte Listenpunkte', ' (`1. …`)', 'nummerierten Listenpunkte'],
  numberedLists: ['nummerierte Liste', 'nummerierte Listen', '', 'nummerierten Listen'],
  highlights: ['hervorgehobene Stelle', 'hervorgehobene Stellen', ' (`*…*`)', 'hervorgehobenen Stellen'],
  tables: ['Tabelle', 'Tabellen', ''],
  codeBlocks: ['Codeblock', 'Codeblöcke', ''],
}

function counted(names: Names, element: Element, count: number): string {
  const [one, several, hint] = names[element]
  return `${count} ${count === 1 ? one : several}${hint}`
}

/** What follows "no". */
function uncounted(names: Names, element: Element): string {
  const [, several, hint, none = several] = names[element]
  return `${none}${hint}`
}

const list = (items: readonly (string | number)[]): string =>
  items.map((item) => (typeof item === 'number' ? item : quoteJson(item))).join(', ')

function instruct(
  options: MarkdownOptions,
  names: Names,
  words: { write: string; none: string; exactly: string; atLeast: string; atMost: string },
): string[] {
  return elements.flatMap((element) => {
    const { min, max } = boundsOf(options, element)
    if (max === 0) return `${words.write} ${words.none} ${uncounted(names, element)}.`
    if (min !== undefined && min === max) return `${words.write} ${words.exactly} ${counted(names, element, min)}.`
    return [
      min === undefined ? [] : `${words.write} ${words.atLeast} ${counted(names, element, min)}.`,
      max === undefined ? [] : `${words.write} ${words.atMost} ${counted(names, element, max)}.`,
    ].flat()
  })
}

/** The wording of `markdown` in both languages. */
export const markdownMessages: Readonly<Record<Locale, MarkdownMessages>> = {
  en: {
    instruct: (options) => {
      const { levels, skipLevels, required, ordered } = options.headings ?? {}
      return [
        ...instruct(options, english, { write: 'Write', none: 'no', exactly: 'exactly', atLeast: 'at least', atMost: 'at most' }),
        ...(options.html
          ? [options.html === 'none' ? 'Write no HTML.' : 'Write no scripts, forms, styles, frames or other active HTML.']
          : []),
        ...(levels ? [`Use only headings of level ${list(levels)}.`] : []),
        ...(skipLevels === false ? ['Skip no level of headings.'] : []),
        ...(required ? [`Write these headings${ordered ? ' in this order' : ''}: ${list(required)}.`] : []),
      ].join(' ')
    },
    tooMany: (element, max, observed) =>
      `Write ${max === 0 ? `no ${uncounted(english, element)}` : `at most ${counted(english, element, max)}`}; the answer has ${observed}.`,
    tooFew: (element, min, observed) => `Write at least ${counted(english, element, min)}; the answer has ${observed}.`,
    level: (text, level, right) => `Give the heading ${quoteJson(text)} level ${right}; it has level ${level}.`,
    order: (first, then) => `Put the heading ${quoteJson(first)} before ${quoteJson(then)}; it comes after it.`,
    missing: (title) => `Add the heading ${quoteJson(title)}; the answer does not have it.`,
    html: (rule, fault, line) => {
      if (rule === 'none') return `Write no HTML; line ${line} has a tag.`
      if (!('attribute' in fault))
        return fault.kind === 'unclosed'
          ? `Close the HTML tag in line ${line}; it is still open at the end.`
          : `Leave out the HTML tag in line ${line}; it is not allowed.`
      if (fault.kind === 'attribute') return `Leave out the attribute ${quoteJson(fault.attribute)} in line ${line}; it is not allowed.`
      return `Give the HTML tag in line ${line} another ${fault.attribute}; only http, https, mailto and tel addresses are allowed.`
    },
    htmlHint: 'Put text in angle brackets into back-ticks',
  },
  de: {
    instruct: (options) => {
      const { levels, skipLevels, required, ordered } = options.headings ?? {}
      return [
        ...instruct(options, german, { write: 'Schreibe', none: 'keine', exactly: 'genau', atLeast: 'mindestens', atMost: 'höchstens' }),
        ...(options.html
          ? [
              options.html === 'none'
                ? 'Schreibe kein HTML.'
                : 'Schreibe keine Skripte, Formulare, Stile, Frames und kein anderes aktives HTML.',
            ]
          : []),
        ...(levels ? [`Verwende nur Überschriften der Ebene ${list(levels)}.`] : []),
        ...(skipLevels === false ? ['Überspringe keine Ebene von Überschriften.'] : []),
        ...(required ? [`Schreibe diese Überschriften${ordered ? ' in dieser Reihenfolge' : ''}: ${list(required)}.`] : []),
      ].join(' ')
    },
    tooMany: (element, max, observed) =>
      `Schreibe ${max === 0 ? `keine ${uncounted(german, element)}` : `höchstens ${counted(german, element, max)}`}; die Antwort hat ${observed}.`,
    tooFew: (element, min, observed) => `Schreibe mindestens ${counted(german, element, min)}; die Antwort hat ${observed}.`,
    level: (text, level, right) => `Gib der Überschrift ${quoteJson(text)} die Ebene ${right}; sie hat die Ebene ${level}.`,
    order: (first, then) => `Setze die Überschrift ${quoteJson(first)} vor ${quoteJson(then)}; sie kommt danach.`,
    missing: (title) => `Ergänze die Überschrift ${quoteJson(title)}; die Antwort hat sie nicht.`,
    html: (rule, fault, line) => {
      if (rule === 'none') return `Schreibe kein HTML; Zeile ${line} hat ein Tag.`
      if (!('attribute' in fault))
        return fault.kind === 'unclosed'
          ? `Schließe das HTML-Tag in Zeile ${line}; es ist am Ende noch offen.`
          : `Lass das HTML-Tag in Zeile ${line} weg; es ist nicht erlaubt.`
      if (fault.kind === 'attribute') return `Lass das Attribut ${quoteJson(fault.attribute)} in Zeile ${line} weg; es ist nicht erlaubt.`
      return `Gib dem HTML-Tag in Zeile ${line} ein anderes ${fault.attribute}; nur Adressen mit http, https, mailto und tel sind erlaubt.`
    },
    htmlHint: 'Setze Text in spitzen Klammern in Back-Ticks',
  },
}

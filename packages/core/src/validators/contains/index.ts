import * as z from 'zod'
import { positionAt, type TextSpan } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { mostListed, quoteJson, shortList, wordList } from '../../schema/evaluate/show.ts'
import { type OccurrenceRule, Occurrences } from '../shared/matches/occurrences.ts'
import { codesIn, entryFields, type RuleEntry, replaceField } from '../shared/matches/rule-entry.ts'
import { bounds, englishTimes, isBounded, isOrdered, timesIn, unbounded, unordered } from '../shared/units/range.ts'
import { Characters } from './characters.ts'
import { SoughtTexts, TextSearch } from './text-search.ts'

/** Longer texts are passages, which no model repeats word for word. */
const longestText = 1000
const mostTexts = 500

const text = () =>
  z
    .string()
    .min(1)
    .max(longestText)
    .refine((given) => new Characters(true).symbolsOf(given).length > 0, 'must have a character that can be seen')
const texts = () => z.array(text()).min(1).max(mostTexts)
const sought = () => text().describe('The text.')
const required = () => z.strictObject({ text: sought(), ...entryFields() })
const forbidden = () => z.strictObject({ text: sought(), ...entryFields(), replace: replaceField() })
/** A text alone, or with what is said of it. */
const entries = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(z.union([text(), entry]))
    .min(1)
    .max(mostTexts)

const count = () =>
  z
    .strictObject({
      text: text().describe('The text to count.'),
      min: bounds().min.describe('Fewest times that it occurs.'),
      max: bounds().max.describe('Most times that it occurs.'),
      ...entryFields(),
    })
    .refine(isBounded, unbounded)
    .refine(isOrdered, unordered)

/** The options of `contains`. */
const containsOptions = () =>
  z
    .strictObject({
      all: entries(required()).optional().describe('Texts that must all occur; each may be `{ text, message, code, severity }`.'),
      any: texts().optional().describe('Texts of which at least one must occur.'),
      none: entries(forbidden())
        .optional()
        .describe('Texts that must not occur; each may be `{ text, message, code, severity, replace }`.'),
      counts: z
        .array(count())
        .min(1)
        .max(mostTexts)
        .optional()
        .describe('How often texts must or may occur: `{ text, min, max, message, code, severity }`.'),
      wholeWords: z.boolean().default(false).describe('Texts match whole words only, never parts of words.'),
      caseSensitive: z.boolean().default(false).describe('Upper and lower case differ.'),
    })
    .refine(({ all, any, none, counts }) => all ?? any ?? none ?? counts, 'has no rule; give all, any, none or counts')

/** How often a text may occur. */
type CountRule = z.output<ReturnType<typeof count>>

/** A text, with what is said of it. */
interface TextRule extends RuleEntry {
  readonly text: string
}

/** The rules of one `contains`, with empty lists for those that are absent. */
interface ContainsRules {
  readonly all: readonly TextRule[]
  readonly any: readonly string[]
  readonly none: readonly TextRule[]
  readonly counts: readonly CountRule[]
}

/** Fills in the lists that are absent. */
function listsOf({ all = [], any = [], none = [], counts = [] }: z.output<ReturnType<typeof containsOptions>>): ContainsRules {
  return { all: all.map(asRule), any, none: none.map(asRule), counts }
}

function asRule(entry: string | TextRule): TextRule {
  return typeof entry === 'string' ? { text: entry } : entry
}

interface ContainsMessages {
  instruct(rules: ContainsRules): string
  missing(text: string): string
  noneOf(texts: readonly string[]): string
  forbidden(text: string, line: number): string
  count(rule: CountRule, count: number): string
  readonly hintWords: string
  readonly hintParts: string
}

/** What the messages on texts say, by language. */
const containsMessages: Readonly<Record<Locale, ContainsMessages>> = {
  en: {
    instruct: ({ all, any, none, counts }) =>
      [
        ...(all.length > 0 ? [`Use ${list(textsOf(all), 'and')}.`] : []),
        ...(any.length > 0 ? [`Use ${any.length > 1 ? 'at least one of ' : ''}${list(any, 'and')}.`] : []),
        ...(none.length > 0 ? [`Do not use ${list(textsOf(none), 'or')}.`] : []),
        ...counts.map((rule) => `Use ${quoteJson(rule.text)} ${timesIn.en(rule, 'nowhere')}.`),
      ].join(' '),
    missing: (text) => `Use ${quoteJson(text)}; the answer does not contain it.`,
    noneOf: (texts) => `Use at least one of ${list(texts, 'and')}; the answer contains none of them.`,
    forbidden: (text, line) => `Do not use ${quoteJson(text)}; it is in line ${line}.`,
    count: (rule, count) =>
      `Use ${quoteJson(rule.text)} ${timesIn.en(rule, 'nowhere')}; ${count === 0 ? 'it does not occur' : `it occurs ${englishTimes(count)}`}.`,
    hintWords: 'Only whole words count',
    hintParts: 'Parts of words count too',
  },
  de: {
    instruct: ({ all, any, none, counts }) =>
      [
        ...(all.length > 0 ? [`Verwende ${list(textsOf(all), 'und')}.`] : []),
        ...(any.length > 0 ? [`Verwende ${any.length > 1 ? 'mindestens eines von ' : ''}${list(any, 'und')}.`] : []),
        ...(none.length > 0 ? [`Verwende nicht ${list(textsOf(none), 'oder')}.`] : []),
        ...counts.map((rule) => `Verwende ${quoteJson(rule.text)} ${timesIn.de(rule, 'nirgends')}.`),
      ].join(' '),
    missing: (text) => `Verwende ${quoteJson(text)}; in der Antwort fehlt es.`,
    noneOf: (texts) => `Verwende mindestens eines von ${list(texts, 'und')}; in der Antwort kommt keines davon vor.`,
    forbidden: (text, line) => `Verwende ${quoteJson(text)} nicht; es steht in Zeile ${line}.`,
    count: (rule, count) =>
      `Verwende ${quoteJson(rule.text)} ${timesIn.de(rule, 'nirgends')}; es kommt ${count === 0 ? 'nicht' : `${count}-mal`} vor.`,
    hintWords: 'Nur ganze Wörter zählen',
    hintParts: 'Auch Teile von Wörtern zählen',
  },
}

function textsOf(rules: readonly TextRule[]): readonly string[] {
  return rules.map(({ text }) => text)
}

function list(texts: readonly string[], last: string): string {
  const quoted = texts.map(quoteJson)
  return quoted.length > mostListed ? shortList(quoted) : wordList(quoted, last)
}

const codes = {
  TEXT_MISSING: {
    severity: 'error',
    when: 'A text of `all`, or every text of `any`, does not occur.',
    fix: 'Use the text that the message names.',
    repaired: false,
  },
  TEXT_FORBIDDEN: {
    severity: 'error',
    when: 'A text of `none` occurs.',
    fix: 'Remove or rephrase it; a repair puts its `replace` in its place.',
  },
  TEXT_COUNT: {
    severity: 'error',
    when: 'A text of `counts` occurs less often than `min`, or more often than `max`.',
    fix: 'Use the text as often as the message says.',
    repaired: false,
  },
} as const satisfies Record<string, CodeEntry>

type Code = keyof typeof codes

/** Fails when required texts are missing, forbidden ones occur, or counted ones occur too often or too seldom; reasoning does not count. */
export const contains = defineValidator({
  name: 'contains',
  short: 'all',
  summary: 'Given texts occur in the answer, do not occur, or occur a given number of times.',
  get options() {
    return containsOptions()
  },
  repairs: true,
  codes,
  instruct: (options, locale) => containsMessages[locale].instruct(listsOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    const sought = rules.flatMap(({ texts }, index) => texts.map((text) => ({ text, index })))
    const search = (isHeld: (rule: SoughtRule) => boolean): SoughtTexts =>
      new SoughtTexts(
        sought.map(({ text }) => text),
        options,
        sought.map(({ index }) => isHeld(rules[index] as SoughtRule)),
      )
    const texts = search(({ max, entry }) => max !== undefined && entry.severity !== 'warning')
    const isReplaced = ({ entry }: SoughtRule): boolean => entry.replace !== undefined
    const isEdited = rules.some(isReplaced)
    const replaced = isEdited ? search(isReplaced) : texts
    const places = sought.map(({ index }) => index)
    rejectReplacements(rules, texts, places)
    const codes = codesIn([...new Set(rules.map(({ entry }) => entry))])
    return prepareMachine<Code>((reading) => new TextOccurrences(reading, rules, reading.isEditing ? replaced : texts, places), {
      ...(codes.length > 0 && { codes }),
      ...(isEdited && { edits: 'lossy', allow: ['lossy'], optedIn: true }),
    })
  },
})

/** A rule, and the texts whose occurrences it counts together. */
interface SoughtRule extends OccurrenceRule<Code> {
  readonly texts: readonly string[]
}

/** Counts the occurrences of texts. */
class TextOccurrences extends Occurrences<Code> {
  readonly #search: TextSearch
  readonly #places: readonly number[]

  /** `places` are the rules of the texts. */
  constructor(reading: Reading<Code>, rules: readonly SoughtRule[], texts: SoughtTexts, places: readonly number[]) {
    super(reading, rules, 'replace-text')
    this.#places = places
    this.#search = new TextSearch(texts, (text, span, at) => this.#take(text, span, at))
  }

  protected get open(): number {
    return this.#search.open
  }

  protected search(piece: string, at: number, isEnd: boolean): void {
    this.#search.skipTo(at)
    this.#search.push(piece)
    if (isEnd) this.#search.end()
  }

  #take(text: number, span: TextSpan, at: number): void {
    const index = this.#places[text] as number
    this.settled(index, span)
    this.found(index, span, at)
  }
}

/** A replacement that is itself forbidden would be replaced for ever. */
function rejectReplacements(rules: readonly SoughtRule[], texts: SoughtTexts, places: readonly number[]): void {
  for (const { texts: replaced, entry } of rules) {
    if (entry.replace === undefined) continue
    const found = new Set<SoughtRule>()
    const search = new TextSearch(texts, (text) => found.add(rules[places[text] as number] as SoughtRule))
    search.push(entry.replace)
    search.end()
    const forbidden = rules.find((rule) => rule.max === 0 && found.has(rule))
    if (forbidden)
      throw new Error(`the replacement of ${list(replaced, 'and')} contains ${list(forbidden.texts, 'or')}, which must not occur`)
  }
}

/** The rules in the order of the report: what must not occur so often, then what must occur. */
function rulesOf(options: z.output<ReturnType<typeof containsOptions>>): SoughtRule[] {
  const { all, any, none, counts } = listsOf(options)
  const hint = (locale: Locale) => ({ hint: containsMessages[locale][options.wholeWords ? 'hintWords' : 'hintParts'] })
  const missing = (text: (messages: ContainsMessages) => string) => (_count: number, locale: Locale) =>
    issue('TEXT_MISSING', text(containsMessages[locale]))
  return [
    ...none.map((entry) => ({
      entry,
      texts: [entry.text],
      max: 0,
      tooMany: (_count: number, span: TextSpan, text: string, locale: Locale) =>
        issue('TEXT_FORBIDDEN', containsMessages[locale].forbidden(entry.text, positionAt(text, span.start).line), {
          ...hint(locale),
          span,
        }),
    })),
    ...counts.flatMap(({ max, ...entry }) =>
      max === undefined
        ? []
        : {
            entry,
            texts: [entry.text],
            max,
            tooMany: (count: number, _span: TextSpan, _text: string, locale: Locale) =>
              issue('TEXT_COUNT', containsMessages[locale].count({ max, ...entry }, count), hint(locale)),
          },
    ),
    ...all.map((entry) => ({ entry, texts: [entry.text], min: 1, tooFew: missing((say) => say.missing(entry.text)) })),
    ...(any.length > 0 ? [{ entry: {}, texts: any, min: 1, tooFew: missing((say) => say.noneOf(any)) }] : []),
    ...counts.map((entry) => ({
      entry,
      texts: [entry.text],
      min: entry.min ?? 0,
      tooFew: (count: number, locale: Locale) => issue('TEXT_COUNT', containsMessages[locale].count(entry, count)),
    })),
  ]
}

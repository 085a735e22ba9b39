import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { positionAt, type TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { LimitedMatches, type TooMany } from '../shared/matches/limited-matches.ts'
import { type Replace, ReplacedMatches, replaceMatches } from '../shared/matches/replaced-matches.ts'
import { codesIn, entryFields, type RuleEntry, replaceField, worded } from '../shared/matches/rule-entry.ts'
import { releaseAll } from '../shared/release-all.ts'
import { bounds, englishTimes, isBounded, isOrdered, timesIn, unbounded, unordered } from '../shared/units/range.ts'
import { Characters } from './characters.ts'
import { SoughtTexts, TextCounter } from './text-counter.ts'

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
function rulesOf({ all = [], any = [], none = [], counts = [] }: z.output<ReturnType<typeof containsOptions>>): ContainsRules {
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

/** So many texts are listed in one message. */
const mostListed = 20

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
  const shown = texts.slice(0, mostListed).map(quoteJson)
  if (texts.length > mostListed) return `${shown.join(', ')} …`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}` : (shown[0] ?? '')
}

/** So many issues say enough of one answer. */
const mostIssues = 50

const codes = {
  TEXT_MISSING: {
    severity: 'error',
    when: 'A text of `all`, or every text of `any`, does not occur.',
    fix: 'Use the text that the message names.',
  },
  TEXT_FORBIDDEN: { severity: 'error', when: 'A text of `none` occurs.', fix: 'Remove or rephrase it.' },
  TEXT_COUNT: {
    severity: 'error',
    when: 'A text of `counts` occurs less often than `min`, or more often than `max`.',
    fix: 'Use the text as often as the message says.',
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
  codes,
  instruct: (options, locale) => containsMessages[locale].instruct(rulesOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    const limits = limitsOf(rules, options.wholeWords)
    const required = [...textsOf(rules.all), ...rules.any, ...rules.counts.map(({ text }) => text)]
    const sought = new SoughtTexts([...limits.map(({ text }) => text), ...required], options)
    const wrong = limits.filter(({ rule }) => rule.severity !== 'warning')
    const seek = (some: readonly Limit[]): SoughtTexts | undefined =>
      some.length === 0
        ? undefined
        : new SoughtTexts(
            some.map(({ text }) => text),
            options,
          )
    const forbidden = seek(wrong)
    const replaced = limits.filter(({ rule }) => rule.replace !== undefined)
    const replaceable = seek(replaced)
    rejectReplacements(replaced, limits, options)
    const replacing = replaceable && ((replace: Replace, offset: number) => [replacedTexts(replaceable, replaced, replace, offset)])
    const codes = codesIn([...rules.all, ...rules.none, ...rules.counts])
    return {
      ...(codes.length > 0 && { codes }),
      *check({ text, bodyStart, isBetween }, { locale }) {
        const counter = new TextCounter(sought, bodyStart)
        counter.push(text.slice(bodyStart))
        counter.end()
        const found = [...exceeded(limits, counter, text, locale)]
        // What must be said may follow once the tools have answered.
        if (!isBetween) found.push(...missing(rules, counter.counts.slice(limits.length), locale))
        yield* found.slice(0, mostIssues)
      },
      incremental: ({ locale }, told) => {
        if (told?.edits && replacing) return new ReplacedMatches(replaceRule, replacing)
        const isRepaired = told?.allowNow.includes('lossy') === true
        return forbidden === undefined
          ? releaseAll()
          : new LimitedMatches<LimitCode>((fail) => [limitedTexts(forbidden, wrong, locale, fail, isRepaired)])
      },
      ...(replacing && {
        edits: 'lossy' as const,
        allow: ['lossy'] as const,
        optedIn: true as const,
        repair: ({ text, bodyStart }: Answer) => replaceMatches(text, bodyStart, replaceRule, replacing),
      }),
    }
  },
})

const replaceRule = 'replace-text'

/** A replacement that is itself forbidden would be replaced for ever. */
function rejectReplacements(
  replaced: readonly Limit[],
  limits: readonly Limit[],
  options: ConstructorParameters<typeof SoughtTexts>[1],
): void {
  const all = new SoughtTexts(
    limits.map(({ text }) => text),
    options,
  )
  for (const { text, rule } of replaced) {
    const counter = new TextCounter(all)
    counter.push(rule.replace ?? '')
    counter.end()
    const found = limits.find(({ max }, index) => max === 0 && (counter.counts[index] ?? 0) > 0)
    if (found) throw new Error(`the replacement of ${quoteJson(text)} contains ${quoteJson(found.text)}, which must not occur`)
  }
}

/** Reports every text that has a replacement. */
function replacedTexts(sought: SoughtTexts, replaced: readonly Limit[], replace: Replace, offset: number): TextCounter {
  return new TextCounter(sought, offset, (index, _at, start, end) => {
    replace({ start, end }, replaced[index]?.rule.replace ?? '')
    return false
  })
}

type LimitCode = 'TEXT_FORBIDDEN' | 'TEXT_COUNT'

/** A text that may occur only so often. */
interface Limit {
  readonly text: string
  readonly max: number
  readonly rule: RuleEntry
  /** What is wrong when it occurs more often; the span is where it was found first. */
  issue(count: number, locale: Locale, span: TextSpan | undefined, text: string): IssueDraft<LimitCode>
}

/** Counts texts up to the first that occurs too often, which is certain with the character after it. */
function limitedTexts(
  sought: SoughtTexts,
  limits: readonly Limit[],
  locale: Locale,
  fail: TooMany<LimitCode>,
  isRepaired: boolean,
): TextCounter {
  const counter: TextCounter = new TextCounter(sought, 0, (index, at, start) => {
    const { max, issue, rule } = limits[index] as Limit
    const count = counter.counts[index] as number
    if (count > max) fail(start, at, (text) => issue(count, locale, counter.first[index], text), !isRepaired || rule.replace === undefined)
    return count > max
  })
  return counter
}

/** The texts that may occur only so often. */
function limitsOf({ none, counts }: ContainsRules, wholeWords: boolean): Limit[] {
  const hint = (locale: Locale) => ({ hint: containsMessages[locale][wholeWords ? 'hintWords' : 'hintParts'] })
  return [
    ...none.map((rule) => ({
      text: rule.text,
      max: 0,
      rule,
      issue: (_count: number, locale: Locale, span: TextSpan | undefined, text: string) => {
        const message = containsMessages[locale].forbidden(rule.text, positionAt(text, span?.start ?? 0).line)
        return worded(issue('TEXT_FORBIDDEN', message, { ...hint(locale), ...(span && { span }) }), rule)
      },
    })),
    ...counts.flatMap(({ max, ...rule }) =>
      max === undefined
        ? []
        : [
            {
              text: rule.text,
              max,
              rule,
              issue: (count: number, locale: Locale) =>
                worded(issue('TEXT_COUNT', containsMessages[locale].count({ max, ...rule }, count), hint(locale)), rule),
            },
          ],
    ),
  ]
}

function* exceeded(limits: readonly Limit[], { counts, first }: TextCounter, text: string, locale: Locale): Generator<IssueDraft<Code>> {
  for (const [index, limit] of limits.entries()) {
    const count = counts[index] as number
    if (count > limit.max) yield limit.issue(count, locale, first[index], text)
  }
}

/** What is missing; the counts are those of `all`, `any` and `counts`, one after the other. */
function* missing({ all, any, counts }: ContainsRules, found: readonly number[], locale: Locale): Generator<IssueDraft<Code>> {
  const messages = containsMessages[locale]
  for (const [index, rule] of all.entries()) if (found[index] === 0) yield worded(issue('TEXT_MISSING', messages.missing(rule.text)), rule)
  const ofAny = found.slice(all.length, all.length + any.length)
  if (any.length > 0 && ofAny.every((count) => count === 0)) yield issue('TEXT_MISSING', messages.noneOf(any))
  for (const [index, rule] of counts.entries()) {
    const count = found[all.length + any.length + index] as number
    if (count < (rule.min ?? 0)) yield worded(issue('TEXT_COUNT', messages.count(rule, count)), rule)
  }
}

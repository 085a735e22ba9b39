import type { TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { releaseAll } from '../shared/release-all.ts'
import { containsMessages } from './messages.ts'
import { type ContainsRules, containsOptions, rulesOf } from './rules.ts'
import { type Limit, LimitedTexts } from './stream.ts'
import { SoughtTexts, TextCounter } from './text-counter.ts'

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
  summary: 'Given texts occur in the answer, do not occur, or occur a given number of times.',
  get options() {
    return containsOptions()
  },
  codes,
  instruct: (options, locale) => containsMessages[locale].instruct(rulesOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    const limits = limitsOf(rules, options.wholeWords)
    const required = [...rules.all, ...rules.any, ...rules.counts.map(({ text }) => text)]
    const sought = new SoughtTexts([...limits.map(({ text }) => text), ...required], options)
    const forbidden =
      limits.length === 0
        ? undefined
        : new SoughtTexts(
            limits.map(({ text }) => text),
            options,
          )
    return {
      *check({ text, bodyStart, isBetween }, { locale }) {
        const counter = new TextCounter(sought, bodyStart)
        counter.push(text.slice(bodyStart))
        counter.end()
        const found = [...exceeded(limits, counter, locale)]
        // What must be said may follow once the tools have answered.
        if (!isBetween) found.push(...missing(rules, counter.counts.slice(limits.length), locale))
        yield* found.slice(0, mostIssues)
      },
      incremental: ({ locale }) => (forbidden === undefined ? releaseAll() : new LimitedTexts(forbidden, limits, locale)),
    }
  },
})

/** The texts that may occur only so often. */
function limitsOf({ none, counts }: ContainsRules, wholeWords: boolean): Limit[] {
  const hint = (locale: Locale) => ({ hint: containsMessages[locale][wholeWords ? 'hintWords' : 'hintParts'] })
  return [
    ...none.map((text) => ({
      text,
      max: 0,
      issue: (_count: number, locale: Locale, span: TextSpan | undefined) =>
        issue('TEXT_FORBIDDEN', containsMessages[locale].forbidden(text), { ...hint(locale), ...(span && { span }) }),
    })),
    ...counts.flatMap(({ max, ...rule }) =>
      max === undefined
        ? []
        : [
            {
              text: rule.text,
              max,
              issue: (count: number, locale: Locale) =>
                issue('TEXT_COUNT', containsMessages[locale].count({ max, ...rule }, count), hint(locale)),
            },
          ],
    ),
  ]
}

function* exceeded(limits: readonly Limit[], { counts, first }: TextCounter, locale: Locale): Generator<IssueDraft<Code>> {
  for (const [index, limit] of limits.entries()) {
    const count = counts[index] as number
    if (count > limit.max) yield limit.issue(count, locale, first[index])
  }
}

/** What is missing; the counts are those of `all`, `any` and `counts`, one after the other. */
function* missing({ all, any, counts }: ContainsRules, found: readonly number[], locale: Locale): Generator<IssueDraft<Code>> {
  const messages = containsMessages[locale]
  for (const [index, text] of all.entries()) if (found[index] === 0) yield issue('TEXT_MISSING', messages.missing(text))
  const ofAny = found.slice(all.length, all.length + any.length)
  if (any.length > 0 && ofAny.every((count) => count === 0)) yield issue('TEXT_MISSING', messages.noneOf(any))
  for (const [index, rule] of counts.entries()) {
    const count = found[all.length + any.length + index] as number
    if (count < (rule.min ?? 0)) yield issue('TEXT_COUNT', messages.count(rule, count))
  }
}

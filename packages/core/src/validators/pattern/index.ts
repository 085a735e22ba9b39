import type { Answer } from '../../answer/answer.ts'
import { positionAt, type TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { quoteJson, quotePattern } from '../../schema/evaluate/show.ts'
import { TooManyReads } from '../../schema/patterns/automaton.ts'
import { PatternSearch } from '../../schema/patterns/pattern-search.ts'
import { LimitedMatches, type TooMany } from '../shared/matches/limited-matches.ts'
import { type Replace, ReplacedMatches, replaceMatches } from '../shared/matches/replaced-matches.ts'
import { codesIn, worded } from '../shared/matches/rule-entry.ts'
import { releaseAll } from '../shared/release-all.ts'
import { englishTimes, timesIn } from '../shared/units/range.ts'
import { type PatternRule, patternOptions, rulesOf } from './rules.ts'

type Named = Pick<PatternRule, 'regex' | 'min' | 'max'>

interface PatternMessages {
  instruct(rules: readonly (Named & Pick<PatternRule, 'isDenied'>)[]): string
  missing(rule: Named): string
  denied(rule: Named, match: string, line: number): string
  count(rule: Named, count: number): string
}

/** What the messages on patterns say, by language. */
const patternMessages: Readonly<Record<Locale, PatternMessages>> = {
  en: {
    instruct: (rules) =>
      rules
        .map((rule) =>
          rule.isDenied && rule.max === 0
            ? `Write nothing that matches the regular expression ${quotePattern(rule.regex)}.`
            : `Write text that matches the regular expression ${quotePattern(rule.regex)} ${timesIn.en(rule)}.`,
        )
        .join(' '),
    missing: ({ regex }) => `Write text that matches the regular expression ${quotePattern(regex)}; nothing in the answer does.`,
    denied: ({ regex }, match, line) =>
      `Write nothing like ${quoteJson(match)} in line ${line}, which matches the regular expression ${quotePattern(regex)}.`,
    count: (rule, count) =>
      `Write text that matches the regular expression ${quotePattern(rule.regex)} ${timesIn.en(rule)}; ${count === 0 ? 'nothing in the answer does' : `it matches ${englishTimes(count)}`}.`,
  },
  de: {
    instruct: (rules) =>
      rules
        .map((rule) =>
          rule.isDenied && rule.max === 0
            ? `Schreibe nichts, worauf der reguläre Ausdruck ${quotePattern(rule.regex)} passt.`
            : `Schreibe ${timesIn.de(rule)} Text, auf den der reguläre Ausdruck ${quotePattern(rule.regex)} passt.`,
        )
        .join(' '),
    missing: ({ regex }) =>
      `Schreibe Text, auf den der reguläre Ausdruck ${quotePattern(regex)} passt; er passt auf nichts in der Antwort.`,
    denied: ({ regex }, match, line) =>
      `Schreibe nichts wie ${quoteJson(match)} in Zeile ${line}; darauf passt der reguläre Ausdruck ${quotePattern(regex)}.`,
    count: (rule, count) =>
      `Schreibe ${timesIn.de(rule)} Text, auf den der reguläre Ausdruck ${quotePattern(rule.regex)} passt; er passt ${count === 0 ? 'auf nichts in der Antwort' : `${count}-mal`}.`,
  },
}

const codes = {
  PATTERN_MISSING: {
    severity: 'error',
    when: 'A pattern of `require` does not match.',
    fix: 'Write the text that the pattern describes.',
  },
  PATTERN_DENIED: { severity: 'error', when: 'A pattern of `deny` matches.', fix: 'Leave out what the message quotes.' },
  PATTERN_COUNT: {
    severity: 'error',
    when: 'A pattern matches less often than `min`, or more often than `max`.',
    fix: 'Write text that matches as often as the message says.',
  },
} as const satisfies Record<string, CodeEntry>

type Code = keyof typeof codes

/** Fails when a required pattern does not match often enough, or a denied one matches; reasoning does not count. */
export const pattern = defineValidator({
  name: 'pattern',
  summary: 'Regular expressions match the answer, or do not match it.',
  get options() {
    return patternOptions()
  },
  codes,
  instruct: (options, locale) => patternMessages[locale].instruct(rulesOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    const limited = rules.filter(({ max, severity }) => max < Number.POSITIVE_INFINITY && severity !== 'warning')
    const replaced = rules.filter(({ replace }) => replace !== undefined)
    rejectReplacements(replaced, rules)
    const replacing = (replace: Replace, offset: number) => replaced.map((rule) => replacedSearch(rule, replace, offset))
    const codes = codesIn(rules)
    return {
      ...(codes.length > 0 && { codes }),
      *check({ text, bodyStart, isBetween }, { locale }) {
        for (const rule of rules) {
          const found = withinLimits(() => inspect(rule, text, bodyStart, isBetween, locale))
          if (found) yield worded(found, rule)
        }
      },
      incremental: ({ locale }, told) => {
        if (told?.edits && replaced.length > 0) return new ReplacedMatches(replaceRule, replacing)
        const isRepaired = told?.allowNow.includes('lossy') === true
        return limited.length === 0
          ? releaseAll()
          : new LimitedMatches<TooManyCode>((fail) => limited.map((rule) => limitedSearch(rule, locale, fail, isRepaired)))
      },
      ...(replaced.length > 0 && {
        edits: 'lossy' as const,
        allow: ['lossy'] as const,
        optedIn: true as const,
        repair: ({ text, bodyStart }: Answer) => withinLimits(() => replaceMatches(text, bodyStart, replaceRule, replacing)),
      }),
    }
  },
})

const replaceRule = 'replace-match'

/** A replacement that is itself denied would be replaced for ever. */
function rejectReplacements(replaced: readonly PatternRule[], rules: readonly PatternRule[]): void {
  for (const { regex, replace = '' } of replaced) {
    const found = rules.find(({ isDenied, max, automaton }) => isDenied && max === 0 && automaton.test(replace))
    if (found) throw new Error(`the replacement of ${quotePattern(regex)} matches ${quotePattern(found.regex)}, which is denied`)
  }
}

/** Reports every match of a pattern that has a replacement. */
function replacedSearch({ compiled, replace = '' }: PatternRule, report: Replace, offset: number): PatternSearch {
  return new PatternSearch(compiled, { found: () => false, settled: (span) => report(span, replace) }, offset)
}

function inspect(rule: PatternRule, text: string, bodyStart: number, isBetween: boolean, locale: Locale): IssueDraft<Code> | undefined {
  const { automaton, min, max } = rule
  const body = text.slice(bodyStart)
  const isFound = automaton.test(body)
  if (!isFound) {
    // What must be said may follow once the tools have answered.
    if (min === 0 || isBetween) return undefined
    return min === 1 ? issue('PATTERN_MISSING', patternMessages[locale].missing(rule)) : tooFew(rule, 0, locale)
  }
  if (min <= 1 && max === Number.POSITIVE_INFINITY) return undefined
  const { count, first } = countMatches(rule, body, bodyStart)
  if (count > max) return tooMany(rule, count, locale, text, first)
  return count < min && !isBetween ? tooFew(rule, count, locale) : undefined
}

/** An answer that a pattern cannot be searched for in within its limits is too complex. */
function withinLimits<Result>(search: () => Result): Result {
  try {
    return search()
  } catch (error) {
    if (!(error instanceof TooManyReads)) throw error
    throw new TooComplex({ en: 'a pattern would have to read it too often', de: 'ein Muster müsste sie zu oft lesen' })
  }
}

function countMatches({ compiled }: PatternRule, body: string, offset: number): { readonly count: number; readonly first?: TextSpan } {
  let count = 0
  let first: TextSpan | undefined
  const settled = (span: TextSpan): void => {
    count++
    first ??= span
  }
  const search = new PatternSearch(compiled, { found: () => false, settled }, offset)
  search.push(body)
  search.end()
  return { count, ...(first && { first }) }
}

type TooManyCode = 'PATTERN_DENIED' | 'PATTERN_COUNT'

/** Counts the matches of a pattern up to the one that is too many. */
function limitedSearch(rule: PatternRule, locale: Locale, fail: TooMany<TooManyCode>, isRepaired: boolean): PatternSearch {
  let count = 0
  const found = (start: number, at: number): boolean => {
    if (++count <= rule.max) return false
    // It may be longer than what is certain.
    const issueIn = (text: string) => worded(tooMany(rule, count, locale, `${text.slice(0, at)}…`, { start, end: at + 1 }, false), rule)
    fail(start, at, issueIn, !isRepaired || rule.replace === undefined)
    return true
  }
  return new PatternSearch(rule.compiled, { found })
}

function tooMany(
  rule: PatternRule,
  count: number,
  locale: Locale,
  text: string,
  span: TextSpan = { start: 0, end: 0 },
  isWhole = true,
): IssueDraft<TooManyCode> {
  const messages = patternMessages[locale]
  const at = isWhole ? { span } : {}
  return rule.isDenied && rule.max === 0
    ? issue('PATTERN_DENIED', messages.denied(rule, text.slice(span.start, span.end), positionAt(text, span.start).line), at)
    : issue('PATTERN_COUNT', messages.count(rule, count), at)
}

function tooFew(rule: PatternRule, count: number, locale: Locale): IssueDraft<'PATTERN_COUNT'> {
  return issue('PATTERN_COUNT', patternMessages[locale].count(rule, count))
}

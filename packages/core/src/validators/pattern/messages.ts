import type { Locale } from '../../contract/locale.ts'
import { quotePattern } from '../../schema/evaluate/show.ts'
import type { PatternRule } from './rules.ts'

type Named = Pick<PatternRule, 'regex' | 'min' | 'max'>

interface PatternMessages {
  instruct(rules: readonly (Named & Pick<PatternRule, 'isDenied'>)[]): string
  missing(rule: Named): string
  denied(rule: Named): string
  count(rule: Named, count: number): string
}

/** What the messages on patterns say, by language. */
export const patternMessages: Readonly<Record<Locale, PatternMessages>> = {
  en: {
    instruct: (rules) =>
      rules
        .map((rule) =>
          rule.isDenied && rule.max === 0
            ? `Write nothing that matches the regular expression ${quotePattern(rule.regex)}.`
            : `Write text that matches the regular expression ${quotePattern(rule.regex)} ${englishRange(rule)}.`,
        )
        .join(' '),
    missing: ({ regex }) => `Write text that matches the regular expression ${quotePattern(regex)}; nothing in the answer does.`,
    denied: ({ regex }) => `Write nothing that matches the regular expression ${quotePattern(regex)}; the answer does.`,
    count: (rule, count) =>
      `Write text that matches the regular expression ${quotePattern(rule.regex)} ${englishRange(rule)}; it matches ${englishTimes(count)}.`,
  },
  de: {
    instruct: (rules) =>
      rules
        .map((rule) =>
          rule.isDenied && rule.max === 0
            ? `Schreibe nichts, worauf der reguläre Ausdruck ${quotePattern(rule.regex)} passt.`
            : `Schreibe ${germanRange(rule)} Text, auf den der reguläre Ausdruck ${quotePattern(rule.regex)} passt.`,
        )
        .join(' '),
    missing: ({ regex }) =>
      `Schreibe Text, auf den der reguläre Ausdruck ${quotePattern(regex)} passt; er passt auf nichts in der Antwort.`,
    denied: ({ regex }) => `Schreibe nichts, worauf der reguläre Ausdruck ${quotePattern(regex)} passt; auf die Antwort passt er.`,
    count: (rule, count) =>
      `Schreibe ${germanRange(rule)} Text, auf den der reguläre Ausdruck ${quotePattern(rule.regex)} passt; er passt ${count}-mal.`,
  },
}

function englishRange({ min, max }: Named): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${englishTimes(min)}`
  if (max === min) return `exactly ${englishTimes(max)}`
  return min === 0 ? `at most ${englishTimes(max)}` : `${min} to ${max} times`
}

function englishTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function germanRange({ min, max }: Named): string {
  if (max === Number.POSITIVE_INFINITY) return `mindestens ${min}-mal`
  if (max === min) return `genau ${max}-mal`
  return min === 0 ? `höchstens ${max}-mal` : `${min}- bis ${max}-mal`
}

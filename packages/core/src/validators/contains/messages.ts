import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { ContainsRules, CountRule } from './rules.ts'

interface ContainsMessages {
  instruct(rules: ContainsRules): string
  missing(text: string): string
  noneOf(texts: readonly string[]): string
  forbidden(text: string): string
  count(rule: CountRule, count: number): string
  readonly hintWords: string
  readonly hintParts: string
}

/** So many texts are listed in one message. */
const mostListed = 20

/** What the messages on texts say, by language. */
export const containsMessages: Readonly<Record<Locale, ContainsMessages>> = {
  en: {
    instruct: ({ all, any, none, counts }) =>
      [
        ...(all.length > 0 ? [`Use ${list(all, 'and')}.`] : []),
        ...(any.length > 0 ? [`Use ${any.length > 1 ? 'at least one of ' : ''}${list(any, 'or')}.`] : []),
        ...(none.length > 0 ? [`Do not use ${list(none, 'or')}.`] : []),
        ...counts.map((rule) => `Use ${quote(rule.text)} ${englishRange(rule)}.`),
      ].join(' '),
    missing: (text) => `Use ${quote(text)}; the answer does not contain it.`,
    noneOf: (texts) => `Use at least one of ${list(texts, 'or')}; the answer contains none of them.`,
    forbidden: (text) => `Do not use ${quote(text)}; the answer contains it.`,
    count: (rule, count) => `Use ${quote(rule.text)} ${englishRange(rule)}; it occurs ${englishTimes(count)}.`,
    hintWords: 'Only whole words count',
    hintParts: 'Parts of words count too',
  },
  de: {
    instruct: ({ all, any, none, counts }) =>
      [
        ...(all.length > 0 ? [`Verwende ${list(all, 'und')}.`] : []),
        ...(any.length > 0 ? [`Verwende ${any.length > 1 ? 'mindestens eines von ' : ''}${list(any, 'oder')}.`] : []),
        ...(none.length > 0 ? [`Verwende nicht ${list(none, 'oder')}.`] : []),
        ...counts.map((rule) => `Verwende ${quote(rule.text)} ${germanRange(rule)}.`),
      ].join(' '),
    missing: (text) => `Verwende ${quote(text)}; in der Antwort fehlt es.`,
    noneOf: (texts) => `Verwende mindestens eines von ${list(texts, 'oder')}; in der Antwort kommt keines davon vor.`,
    forbidden: (text) => `Verwende ${quote(text)} nicht; es kommt in der Antwort vor.`,
    count: (rule, count) => `Verwende ${quote(rule.text)} ${germanRange(rule)}; es kommt ${count}-mal vor.`,
    hintWords: 'Nur ganze Wörter zählen',
    hintParts: 'Auch Teile von Wörtern zählen',
  },
}

function list(texts: readonly string[], last: string): string {
  const shown = texts.slice(0, mostListed).map(quote)
  if (texts.length > mostListed) return `${shown.join(', ')} …`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}` : (shown[0] ?? '')
}

function englishRange({ min = 0, max }: CountRule): string {
  if (max === undefined) return `at least ${englishTimes(min)}`
  if (max === min) return max === 0 ? 'nowhere' : `exactly ${englishTimes(max)}`
  return min === 0 ? `at most ${englishTimes(max)}` : `${min} to ${max} times`
}

function englishTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function germanRange({ min = 0, max }: CountRule): string {
  if (max === undefined) return `mindestens ${min}-mal`
  if (max === min) return max === 0 ? 'nirgends' : `genau ${max}-mal`
  return min === 0 ? `höchstens ${max}-mal` : `${min}- bis ${max}-mal`
}

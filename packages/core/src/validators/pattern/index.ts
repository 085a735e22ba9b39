import { positionAt, type TextSpan } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { quoteJson, quotePattern } from '../../schema/evaluate/show.ts'
import { TooManyReads } from '../../schema/patterns/automaton.ts'
import { PatternSearch } from '../../schema/patterns/pattern-search.ts'
import { type OccurrenceRule, Occurrences } from '../shared/matches/occurrences.ts'
import { codesIn } from '../shared/matches/rule-entry.ts'
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
    repaired: false,
  },
  PATTERN_DENIED: {
    severity: 'error',
    when: 'A pattern of `deny` matches.',
    fix: 'Leave out what the message quotes; a repair puts its `replace` in its place.',
  },
  PATTERN_COUNT: {
    severity: 'error',
    when: 'A pattern matches less often than `min`, or more often than `max`.',
    fix: 'Write text that matches as often as the message says.',
    repaired: false,
  },
} as const satisfies Record<string, CodeEntry>

type Code = keyof typeof codes

const unlimited = Number.POSITIVE_INFINITY

/** Fails when a required pattern does not match often enough, or a denied one matches; reasoning does not count. */
export const pattern = defineValidator({
  name: 'pattern',
  summary: 'Regular expressions match the answer, or do not match it.',
  get options() {
    return patternOptions()
  },
  repairs: true,
  codes,
  instruct: (options, locale) => patternMessages[locale].instruct(rulesOf(options)),
  prepare: (options) => {
    const rules = rulesOf(options)
    rejectReplacements(rules)
    const codes = codesIn(rules)
    return prepareMachine<Code>((reading) => new PatternOccurrences(reading, rules), {
      ...(codes.length > 0 && { codes }),
      ...(rules.some(({ replace }) => replace !== undefined) && { edits: 'lossy', allow: ['lossy'], optedIn: true }),
    })
  },
})

/** A replacement that is itself denied would be replaced for ever. */
function rejectReplacements(rules: readonly PatternRule[]): void {
  for (const { regex, replace } of rules) {
    if (replace === undefined) continue
    const found = rules.find(({ isDenied, max, automaton }) => isDenied && max === 0 && automaton.test(replace))
    if (found) throw new Error(`the replacement of ${quotePattern(regex)} matches ${quotePattern(found.regex)}, which is denied`)
  }
}

/** Counts the matches of patterns: in a stream of those that may be too many, of the others at the end. */
class PatternOccurrences extends Occurrences<Code> {
  readonly #patterns: readonly PatternRule[]
  /** The searches of a stream, by pattern. */
  #searches: readonly (PatternSearch | undefined)[] | undefined
  #start = 0

  constructor(reading: Reading<Code>, patterns: readonly PatternRule[]) {
    super(reading, patterns.map(occurrenceRule), 'replace-match')
    this.#patterns = patterns
  }

  protected get open(): number {
    let open = Number.POSITIVE_INFINITY
    for (const search of this.#searches ?? []) if (search !== undefined && search.open < open) open = search.open
    return open
  }

  protected search(piece: string, at: number, isEnd: boolean): void {
    try {
      if (!isEnd && this.#searches === undefined) {
        this.#start = at
        this.#searches = this.#patterns.map((one, index) => (this.#isRead(one) ? this.#begin(one, index, at) : undefined))
      }
      for (const search of this.#searches ?? []) {
        search?.push(piece)
        if (isEnd) search?.end()
      }
      if (isEnd) this.#searchWhole({ start: this.#searches === undefined ? at : this.#start, end: at + piece.length })
    } catch (error) {
      if (!(error instanceof TooManyReads)) throw error
      throw new TooComplex({ en: 'a pattern would have to read it too often', de: 'ein Muster müsste sie zu oft lesen' })
    }
  }

  /** Whether a stream must be searched for a pattern. */
  #isRead({ max, severity, replace }: PatternRule): boolean {
    return this.reading.isEditing ? replace !== undefined : max < unlimited && severity !== 'warning'
  }

  #begin({ compiled }: PatternRule, index: number, offset: number): PatternSearch {
    const found = (start: number, at: number): boolean => {
      this.found(index, { start, end: at }, at)
      return false
    }
    return new PatternSearch(compiled, { found, settled: (span) => this.settled(index, span) }, offset)
  }

  /** Looks for the patterns that were not looked for in the stream; most do not match, which their automaton shows quickly. */
  #searchWhole(span: TextSpan): void {
    const body = this.reading.slice(span)
    for (const [index, one] of this.#patterns.entries()) {
      if (this.#searches?.[index] !== undefined || (this.reading.isEditing && one.replace === undefined)) continue
      if (!one.automaton.test(body)) continue
      if (one.min <= 1 && one.max === unlimited) {
        this.counts[index] = 1
        continue
      }
      const search = this.#begin(one, index, span.start)
      search.push(body)
      search.end()
    }
  }
}

function occurrenceRule(rule: PatternRule): OccurrenceRule<Code> {
  const { min, max, isDenied } = rule
  return {
    entry: rule,
    min,
    max,
    tooMany: (count, span, text, locale, isWhole) => {
      const messages = patternMessages[locale]
      const at = isWhole ? { span } : {}
      if (!isDenied || max > 0) return issue('PATTERN_COUNT', messages.count(rule, count), at)
      // In a stream it may be longer than what is certain.
      const match = text.slice(span.start, span.end) + (isWhole ? '' : '…')
      return issue('PATTERN_DENIED', messages.denied(rule, match, positionAt(text, span.start).line), at)
    },
    tooFew: (count, locale) => {
      const messages = patternMessages[locale]
      return count === 0 && min === 1
        ? issue('PATTERN_MISSING', messages.missing(rule))
        : issue('PATTERN_COUNT', messages.count(rule, count))
    },
  }
}

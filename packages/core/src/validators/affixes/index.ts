import type { Answer } from '../../answer/answer.ts'
import { isHighSurrogate } from '../../answer/characters.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator } from '../../contract/validator.ts'
import { type AffixFaults, inspectAffixes } from './inspect.ts'
import { affixMessages } from './messages.ts'
import { repairAffixes } from './repair.ts'
import { type AffixRules, affixesOptions, affixRulesOf } from './rules.ts'
import type { StartCode } from './start-matcher.ts'
import { AffixStream } from './stream.ts'

/** So much of an answer is quoted. */
const longestQuoted = 40

/** Fails when the answer does not start or end with a given text, or is not wrapped in one; reasoning does not count. */
export const affixes = defineValidator({
  name: 'affixes',
  summary: 'The answer starts or ends with a given text, or is wrapped in one.',
  get options() {
    return affixesOptions()
  },
  codes: {
    WRONG_START: {
      severity: 'error',
      when: 'The answer does not start with `starts`.',
      fix: 'Start with the text; if a guess is allowed, a repair adds it.',
    },
    WRONG_END: {
      severity: 'error',
      when: 'The answer does not end with `ends`.',
      fix: 'End with the text; if a guess is allowed, a repair adds it.',
    },
    NOT_WRAPPED: {
      severity: 'error',
      when: 'The answer does not start and end with `wrappedIn`.',
      fix: 'Wrap the answer; if a guess is allowed, a repair adds what is missing.',
    },
  },
  instruct: (options, locale) => affixMessages[locale].instruct(affixRulesOf(options)),
  prepare: (options) => {
    const rules = affixRulesOf(options)
    return {
      *check(answer, { locale }) {
        const faults = inspectAffixes(answer, rules)
        if (faults.start !== undefined) yield wrongStart(faults.start, headOf(answer, faults), rules, locale)
        if (faults.end === 'NOT_WRAPPED' && faults.start !== 'NOT_WRAPPED') yield wrongStart('NOT_WRAPPED', '', rules, locale)
        if (faults.end === 'WRONG_END') yield wrongEnd(answer, faults, rules, locale)
      },
      incremental: ({ locale }, told) =>
        new AffixStream(rules, told?.allow ?? [], (code, observed) => wrongStart(code, observed, rules, locale)),
      repair: (answer) => repairAffixes(answer, rules),
    }
  },
})

function wrongStart(
  code: StartCode,
  observed: string,
  { open = '', close = '', starts = '' }: AffixRules,
  locale: Locale,
): IssueDraft<StartCode> {
  const say = affixMessages[locale]
  if (code === 'NOT_WRAPPED') return issue(code, say.notWrapped(open, close), { hint: say.hint.wrap })
  return issue(code, say.wrongStart(starts, observed), { hint: say.hint.start })
}

function wrongEnd({ text }: Answer, { body }: AffixFaults, { ends = '' }: AffixRules, locale: Locale): IssueDraft<'WRONG_END'> {
  const say = affixMessages[locale]
  const start = Math.max(body.start, body.end - Math.min(Math.max(ends.length, 10), longestQuoted))
  const whole = isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start
  const span = { start: whole, end: body.end }
  return issue('WRONG_END', say.wrongEnd(ends, text.slice(span.start, span.end)), { hint: say.hint.end, span })
}

function headOf({ text }: Answer, { body }: AffixFaults): string {
  return text.slice(body.start, Math.min(body.end, body.start + longestQuoted))
}

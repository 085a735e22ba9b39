import type { Locale } from '../../../contract/locale.ts'
import { quoteJsonAtMost } from '../../../schema/evaluate/show.ts'
import type { AskedRule } from './rule-options.ts'
import { oneLine } from './rule-text.ts'

/** Longer messages and hints of a rule are cut. */
const longest = 300

/** The sentence that tells the model a rule: its author's, or one with its name. */
export function ruleInstruction({ name, instruct }: AskedRule, locale: Locale): string {
  return instruct ?? (locale === 'de' ? `Halte die Regel ${name} ein.` : `Follow the rule ${name}.`)
}

/** The complaint of a rule, in quotes, since it may repeat the answer. */
export function ruleMessage(name: string, said: string, locale: Locale): string {
  return locale === 'de' ? `Halte die Regel ${name} ein: ${quoted(said)}.` : `Follow the rule ${name}: ${quoted(said)}.`
}

/** The words of a rule as one bounded string. */
export function quoted(said: string): string {
  return quoteJsonAtMost(oneLine(said, longest).replace(/\.$/, ''), longest)
}

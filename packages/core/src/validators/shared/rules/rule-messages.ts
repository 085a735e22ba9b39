import type { Locale } from '../../../contract/locale.ts'
import { clamp } from '../../../contract/quote.ts'
import { quoteJsonAtMost } from '../../../schema/evaluate/show.ts'
import type { AskedRule } from './rule-options.ts'

/** Invisible characters, and those that start another line. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** A text of a rule as one line of at most `limit` characters: it goes into messages to models and people. */
export function oneLine(text: string, limit: number): string {
  // Far more than is shown is not looked at.
  return clamp(
    text
      .slice(0, 4 * limit)
      .replace(unseen, ' ')
      .trim(),
    limit,
  )
}

/** A code of a rule in the form of our own; `otherwise` for anything that is not a single word, since it may be taken from the answer. */
export function codeOf(text: string, otherwise: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(text) ? text.toUpperCase().replaceAll('-', '_') : otherwise
}

/** Longer messages and hints of a rule are cut. */
const longest = 300

/** The sentence that tells the model a rule: its author's, or one with its name. */
export function ruleInstruction({ name, instruct }: AskedRule, locale: Locale): string {
  return instruct ?? (locale === 'de' ? `Halte die Regel ${name} ein.` : `Follow the rule ${name}.`)
}

/** Whose words are shown, and how. */
interface RuleSpeaker {
  readonly name: string
  readonly locale: Locale
  /** Whether its words are instructions, which are not put in quotes. */
  readonly trusted: boolean
}

/** The complaint of a rule, in quotes unless the rule is trusted, since it may repeat the answer. */
export function ruleMessage(said: string, { name, locale, trusted }: RuleSpeaker): string {
  if (trusted) return oneLine(said, longest)
  return locale === 'de' ? `Halte die Regel ${name} ein: ${quoted(said)}.` : `Follow the rule ${name}: ${quoted(said)}.`
}

/** The hint of a rule, likewise. */
export function ruleHint(said: string, { trusted }: RuleSpeaker): string {
  return trusted ? oneLine(said, longest) : quoted(said)
}

function quoted(said: string): string {
  return quoteJsonAtMost(oneLine(said, longest).replace(/\.$/, ''), longest)
}

import { clamp } from '../../../contract/quote.ts'

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

import { clamp } from '../../contract/quote.ts'

const longest = 300

/** The message of untrusted code, as one bounded line without control characters. */
export function plainLine(text: unknown): string {
  const given = typeof text === 'string' ? text : text instanceof Error ? text.message : describe(text)
  return clamp(
    clamp(given, longest * 4)
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
      .trim(),
    longest,
  )
}

function describe(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'something that cannot be shown'
  }
}

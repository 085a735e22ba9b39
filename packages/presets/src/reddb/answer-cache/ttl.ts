import { quote } from '@stickler/core/validators'

/** Why a text is not a time to live. */
export type TtlError = 'empty' | 'missing_number' | 'missing_unit' | 'invalid_number' | 'unknown_unit' | 'zero' | 'overflow' | 'not_text'

/** A time to live, or what is wrong with it. */
type Ttl = { readonly seconds: number } | { readonly error: TtlError; readonly message: string }

const units: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])
const longest = Math.floor(Number.MAX_SAFE_INTEGER / 1000)
const example = 'write a whole number followed by s, m, h or d, like 5m'

/**
 * Reads `90s`, `5m`, `2h` or `1d`; nothing else is allowed before, between or after number and
 * unit. What is wrong is tested in this order: unit there, number there, number of 64 bits, not zero, known unit.
 */
export function parseTtl(literal: unknown): Ttl {
  if (typeof literal !== 'string') return failed('not_text', `a time to live must be a string; ${example}`)
  if (literal === '') return failed('empty', `the time to live is empty; ${example}`)
  const [digits = ''] = /^[0-9]*/.exec(literal) ?? []
  const unit = literal.slice(digits.length)
  if (unit === '') return failed('missing_unit', `${quote(literal)} has no unit; ${example}`)
  if (digits === '') return failed('missing_number', `${quote(literal)} does not start with a number; ${example}`)
  const count = Number(digits)
  // From here on a double no longer tells what fits 64 bits.
  if (count >= 2 ** 63 && !isUnsigned64(digits)) return failed('invalid_number', `the number in ${quote(literal)} is too large; ${example}`)
  if (count === 0) return failed('zero', `${quote(literal)} is zero; use at least 1s`)
  const factor = units.get(unit)
  if (factor === undefined) return failed('unknown_unit', `${quote(unit)} is not a unit; ${example}`)
  const seconds = count * factor
  if (seconds > longest) return failed('overflow', `${quote(literal)} is too long; use at most ${longest}s`)
  return { seconds }
}

function isUnsigned64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '')
  return significant.length <= 20 && BigInt(significant) < 2n ** 64n
}

function failed(error: TtlError, message: string): Ttl {
  return { error, message }
}

import type { Detector } from './detector.ts'
import { emailDetector } from './email.ts'
import { ipDetector } from './ip.ts'
import { jwtDetector, keyDetector } from './keys.ts'
import { cardDetector, ibanDetector, phoneDetector, ssnDetector } from './numbers.ts'

/** A longer block is not held back: a key of 16384 bits is shorter. */
const longest = 16_384

/** What each begins with, looked for first. */
const beginning = '-----BEGIN '
const header = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const ending = /^-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/
const partialEnding = /^-{1,5}(?:E(?:N(?:D[A-Z0-9 ]{0,80}-{0,4})?)?)?$/
const space = /^(?:\s|\\[nr])/
const field = /^[A-Za-z-]{1,32}: [^\n\\]{0,120}(?:\n|\\n|\r\n)/
const partialField = /^[A-Za-z-]{1,32}(?:: ?[^\n\\]{0,120})?$/
// backtracks: at most 128 characters
const partialHeader = /-{1,5}$|-----B(?:E(?:G(?:I(?:N[A-Z0-9 ]{0,90}-{0,4})?)?)?)?$/

/** The first line of a key has so many characters at least. */
const firstLine = 40
/** A shorter line without an end behind it is a word. */
const shortestLine = 16

/** Finds private keys in PEM form, also those whose end is missing and those in a JSON string. */
const privateKeyDetector: Detector = {
  digits: 0,
  *find(text, from) {
    if (!text.includes(beginning, from)) return
    const own = new RegExp(header.source, header.flags)
    own.lastIndex = from
    for (let found = own.exec(text); found !== null; found = own.exec(text)) {
      const { end } = bodyOf(text, found.index, own.lastIndex)
      if (end === undefined) continue
      yield { start: found.index, end }
      own.lastIndex = end
    }
  },
  open(text, from) {
    if (text.includes(beginning, from)) {
      const own = new RegExp(header.source, header.flags)
      own.lastIndex = from
      for (let found = own.exec(text); found !== null; found = own.exec(text)) {
        const { end, isOpen } = bodyOf(text, found.index, own.lastIndex)
        if (isOpen) return found.index
        if (end !== undefined) own.lastIndex = end
      }
    }
    if (!text.endsWith('-') && !text.includes('-----', from)) return text.length
    const least = Math.max(from, text.length - 128)
    const partial = partialHeader.exec(text.slice(least))
    return partial ? least + partial.index : text.length
  },
}

/** Where the key ends that begins at an offset; open when more text could change that. */
function bodyOf(text: string, start: number, from: number): { readonly end?: number; readonly isOpen: boolean } {
  const limit = start + longest
  let at = from
  let end: number | undefined
  for (let lines = 0; at < limit; ) {
    at = skipSpace(text, at)
    const rest = text.slice(at, at + 160)
    if (rest === '' || rest === '\\') return { ...(end !== undefined && { end }), isOpen: true }
    const last = ending.exec(rest)?.[0]
    if (last !== undefined && end !== undefined) return { end: at + last.length, isOpen: false }
    if (partialEnding.test(rest) || (end === undefined && partialField.test(rest)))
      return { ...(end !== undefined && { end }), isOpen: at + rest.length >= text.length }
    const named = end === undefined ? field.exec(rest)?.[0] : undefined
    if (named !== undefined && lines < 4) {
      at += named.length
      lines++
      continue
    }
    const length = lineLength(text, at, limit)
    if (at + length >= text.length) return { ...finished(end, at, length), isOpen: true }
    const behind = text.slice(skipSpace(text, at + length), at + length + 200)
    if (behind === '' || partialEnding.test(behind)) return { ...finished(end, at, length), isOpen: true }
    const isLast = ending.test(behind)
    if (length === 0 || (end === undefined ? length < firstLine : length < shortestLine && !isLast)) break
    at += length
    end = at
  }
  return { ...(end !== undefined && { end }), isOpen: false }
}

/** What a line that nothing follows adds to a key. */
function finished(end: number | undefined, at: number, length: number): { readonly end?: number } {
  if (length >= (end === undefined ? firstLine : shortestLine)) return { end: at + length }
  return end === undefined ? {} : { end }
}

function skipSpace(text: string, from: number): number {
  let at = from
  // No key has an empty page in it.
  for (let count = 0; count < 64; count++) {
    const found = space.exec(text.slice(at, at + 2))?.[0]
    if (found === undefined) return at
    at += found.length
  }
  return at
}

function lineLength(text: string, from: number, limit: number): number {
  let at = from
  while (at < text.length && at < limit && /[A-Za-z0-9+/=]/.test(text[at] as string)) at++
  return at - from
}

/** The kinds of sensitive text. */
export const sensitiveKinds = ['email', 'phone', 'card', 'iban', 'ssn', 'ip', 'api_key', 'jwt', 'private_key'] as const

/** One of `email`, `phone`, `card`, `iban`, `ssn`, `ip`, `api_key`, `jwt`, `private_key`. */
export type SensitiveKind = (typeof sensitiveKinds)[number]

/** How each kind is found. */
export const detectors: Readonly<Record<SensitiveKind, Detector>> = {
  email: emailDetector,
  phone: phoneDetector,
  card: cardDetector,
  iban: ibanDetector,
  ssn: ssnDetector,
  ip: ipDetector,
  api_key: keyDetector,
  jwt: jwtDetector,
  private_key: privateKeyDetector,
}

/** The placeholder of each kind. */
export const placeholders: Readonly<Record<SensitiveKind, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  card: '[CARD]',
  iban: '[IBAN]',
  ssn: '[SSN]',
  ip: '[IP]',
  api_key: '[API KEY]',
  jwt: '[JWT]',
  private_key: '[PRIVATE KEY]',
}

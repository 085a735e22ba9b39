import { passesLuhn, passesMod97 } from './checksums.ts'
import type { Detector } from './detector.ts'
import { matchesFrom } from './matches-from.ts'

/** No number with its separators is longer. */
const longest = 64

/** Cards: in one piece, or in the groups that are printed on them. */
const cards =
  /(?<![\w#]|\d[.,-])(?:\d{14,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3[47]\d{2}([ -])\d{6}\2\d{5}|3[0689]\d{2}([ -])\d{6}\3\d{4})(?!\w|[.,-]\d)/g

/** Prefix and lengths of the cards of the networks. */
const networks: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|2[2-7])/, [16]],
  [/^3[47]/, [15]],
  [/^(?:36|38|39|30[0-5])/, [14]],
  [/^(?:6011|64[4-9]|65|62|35|50|5[6-9]|67)/, [16, 19]],
]

/** Finds card numbers: of a network's prefix and length, with a right check digit. */
export const cardDetector: Detector = {
  *find(text, from) {
    for (const { 0: found, index } of matchesFrom(cards, text, from)) {
      // Three digits behind a card may be its security code.
      for (const candidate of found.length === 23 ? [found, found.slice(0, 19)] : [found])
        if (isCard(candidate.replace(/\D/g, ''))) {
          yield { start: index, end: index + candidate.length }
          break
        }
    }
  },
  open: openNumber,
}

function isCard(digits: string): boolean {
  return networks.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) && passesLuhn(digits)
}

/** International numbers with `+` or `00`, numbers of North America, and national ones with a zero before their area code. */
const phones =
  // backtracks: from one start it reads at most 48 characters
  /(?<![\w#+]|\d[ .,/:-])(?:\+[1-9](?:[ ()./-]{0,2}\d){7,14}|00[1-9](?:[ ()./-]{0,2}\d){8,14}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|0[1-9]\d{1,4}(?: ?[/-] ?| )\d{3,8}(?:[ -]\d{1,5}){0,3})(?!\w|[.,:/-]\d)/g

/** Finds telephone numbers. */
export const phoneDetector: Detector = {
  *find(text, from) {
    for (const { 0: found, index } of matchesFrom(phones, text, from)) if (isPhone(found)) yield { start: index, end: index + found.length }
  },
  open: openNumber,
}

function isPhone(found: string): boolean {
  const digits = found.replace(/\D/g, '').length
  const hasSeparator = /[ ()./-]/.test(found)
  if (found.startsWith('+')) return hasSeparator || digits >= 10
  if (found.startsWith('00')) return hasSeparator
  // Ten digits of North America have their form already.
  return !found.startsWith('0') || (digits >= 9 && digits <= 13)
}

/** Lengths of account numbers by country (ISO 13616). */
const lengths = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

const ibans = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{1,4}){2,8}/g

/** Finds international bank account numbers: of a country's length, with a right checksum. */
export const ibanDetector: Detector = {
  *find(text, from) {
    for (const { 0: found, index } of matchesFrom(ibans, text, from)) {
      const length = lengths.get(found.slice(0, 2).toUpperCase())
      const end = length === undefined ? undefined : endOf(text, index, length)
      if (end !== undefined && passesMod97(text.slice(index, end).replaceAll(' ', '').toUpperCase())) yield { start: index, end }
    }
  },
  open(text, from) {
    const start = Math.max(from, text.length - longest)
    // backtracks: at most 65 characters
    const found = /(?<![A-Za-z0-9])[A-Za-z]{1,2}(?:$|\d{1,2}(?:$|(?<=\d\d)(?: ?[A-Za-z0-9])* ?$))/.exec(text.slice(Math.max(0, start - 1)))
    return found ? Math.max(from, Math.max(0, start - 1) + found.index) : text.length
  },
}

/** Where so many letters and digits end that may have a space behind every fourth; undefined when they are not there or go on. */
function endOf(text: string, start: number, length: number): number | undefined {
  let count = 0
  let at = start
  for (; at < text.length && count < length; at++) {
    if (/[A-Za-z0-9]/.test(text[at] as string)) count++
    else if (text[at] !== ' ' || count % 4 !== 0) return undefined
  }
  return count < length || /[A-Za-z0-9]/.test(text[at] ?? '') ? undefined : at
}

function openNumber(text: string, from: number): number {
  const start = Math.max(from, text.length - longest)
  // backtracks: at most 64 characters
  const found = /[\d+(#][\d #+().,:/-]*$/.exec(text.slice(start))
  return found ? start + found.index : text.length
}

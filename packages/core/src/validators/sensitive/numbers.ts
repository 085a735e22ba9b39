import { isDigit } from '../../answer/characters.ts'
import { startsFrom } from '../shared/rewritten-text.ts'
import { countDigits, type Detector } from './detector.ts'
import { isPlaceholderNumber } from './placeholders.ts'
import { beforeGroups, isInAddress, isInDump } from './surroundings.ts'

/** No number with its separators is longer. */
const longest = 64

// A number begins behind no letter or digit but that of an escaped line break.

/** Cards: in one piece, also as a number of JSON with a sign, a fraction or an exponent, or in the groups that are printed on them. */
const cards =
  // backtracks: from one start it reads at most 64 characters
  /(?:(?<![A-Za-z0-9#])|(?<=\\[bfnrt]))(?:(?<=[\s:,[])-|(?<!\d[.-]|(?<!\d)0,))(?:(?:\d{14,19}(?:\.0{1,8})?(?:[eE][+-]?0{1,2})?|\d\.\d{1,18}[eE]\+?1[3-8])|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3[47]\d{2}([ -])\d{6}\2\d{5}|3[0689]\d{2}([ -])\d{6}\3\d{4})(?![A-Za-z0-9]|[.-]\d)/g

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
  digits: 4,
  *find(text, from) {
    for (const { 0: found, index } of startsFrom(cards, text, from)) {
      // Three digits behind a card may be its security code.
      for (const candidate of found.length === 23 ? [found, found.slice(0, 19)] : [found])
        if (isCard(digitsOf(candidate)) && !isInAddress(text, index, candidate)) {
          yield { start: index, end: index + candidate.length }
          break
        }
    }
  },
  open: openNumber,
}

/** The digits of a whole number, however it is written. */
function digitsOf(found: string): string {
  const [whole = '', exponent = '0'] = found.toLowerCase().split('e')
  if (Number(exponent) === 0) return whole.replace(/\.0+$/, '').replace(/\D/g, '')
  const [units = '', fraction = ''] = whole.replace('-', '').split('.')
  return fraction.length > Number(exponent) ? '' : units + fraction.padEnd(Number(exponent), '0')
}

function isCard(digits: string): boolean {
  return networks.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) && passesLuhn(digits)
}

/** International numbers with `+` or `00`, numbers of North America, and national ones with a zero before their area code. */
const phones =
  // backtracks: from one start it reads at most 64 characters
  /(?:(?<![A-Za-z0-9#])|(?<=\\[bfnrt]))(?<!\+)(?:\+[1-9](?:[ ()./-]{0,2}\d){7,14}|(?<!\d[ .,/:-])(?:00[1-9](?:[ ()./-]{0,2}\d){8,14}|(?:1[ -])?(?:\([1-9]\d{2}\) ?\d{3}[ .-]|[1-9]\d{2}-\d{3}-)\d{4}|1 [2-9]\d{2} [2-9]\d{2} \d{4}|[2-9]\d{2}\.[2-9]\d{2}\.\d{4}|0[1-9]([ .])\d{2}(?:\1\d{2}){3}|(?:\(0[1-9]\d{0,4}\)(?: ?[/-])? ?|0[1-9]\d{1,4} ?\/ ?)\d{2,8}(?:[ .-]\d{1,5}){0,4}|0[1-9]\d{1,4}(?:(?: ?- ?| )\d{3,8}(?:[ -]\d{1,5}){0,3}| \d{2}(?: \d{2,3}){2,4})))(?![A-Za-z0-9]|[.,:/-]\d)/g

/** Finds telephone numbers. */
export const phoneDetector: Detector = {
  digits: 8,
  *find(text, from) {
    for (const { 0: found, index } of startsFrom(phones, text, from))
      if (isPhone(found) && !isTerm(text, index, found) && !isInAddress(text, index, found) && !isInDump(text, index, found))
        yield { start: index, end: index + found.length, isPlaceholder: isPlaceholderNumber(found) }
  },
  open(text, from) {
    // What follows decides whether it is part of a dump of bytes.
    const end = beforeGroups(text)
    const number = openNumber(text, from, end)
    return end === text.length || end - number > 7 ? number : openNumber(text, from)
  },
}

function isPhone(found: string): boolean {
  const digits = found.replace(/\D/g, '').length
  const hasSeparator = /[ ()./-]/.test(found)
  // An amount with its sign.
  if (/^\+\d{1,3}(?:[ .]\d{3})?(?:[ .]000){2}$/.test(found)) return false
  if (found.startsWith('+')) return hasSeparator || digits >= 10
  // No number of North America goes on with 0 or 1, as the offsets of a dump do, nor do others have groups of bytes behind two spaces.
  if (found.startsWith('00')) return hasSeparator && !/^001[ ()./-]*[01]|^00\d{2} {2}\d{2}(?: \d{2})*$/.test(found)
  // Numbers of North America have their form already.
  return !/^\(?0/.test(found) || (digits >= 9 && digits <= 13 && !isCount(found))
}

/** Whether it is added to something in code, `x = y +1234567890`. */
function isTerm(text: string, start: number, found: string): boolean {
  // backtracks: at most 64 characters
  return /^\+\d+$/.test(found) && /(?: [-+*/]?= |\breturn )[\w.)\]]{1,40} $/.test(text.slice(Math.max(0, start - longest), start))
}

/** Whether the groups count up, by one or in tens, as lists of numbers do. */
function isCount(found: string): boolean {
  const groups = found.split(/[ .]/).map(Number)
  return (
    groups.length > 3 &&
    [1, 5, 10, 100].some((step) => groups.every((group, at) => at === 0 || group === (groups[at - 1] as number) + step))
  )
}

/** Three groups of digits as the United States write them, without those that are never given out. */
const socials =
  // backtracks: from one start it reads at most 64 characters
  /(?:(?<![A-Za-z0-9#])|(?<=\\[bfnrt]))(?<!\d[.,/:-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![A-Za-z0-9]|[.,:/-]\d)/g

/** Finds social security numbers of the United States. */
export const ssnDetector: Detector = {
  digits: 9,
  *find(text, from) {
    for (const { 0: found, index } of startsFrom(socials, text, from))
      if (!isInAddress(text, index, found)) yield { start: index, end: index + found.length }
  },
  open: openNumber,
}

/** Lengths of account numbers by country (ISO 13616). */
const lengths = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

const shortestAccount = Math.min(...lengths.values())

/** Where an account number may begin; more text may complete the beginning. */
const accounts =
  // backtracks: from one start it reads at most 64 characters
  /(?:(?<![A-Za-z0-9#])|(?<=\\[bfnrt]))[A-Za-z](?:$|[A-Za-z](?:$|\d))/g

/** Between two groups there are no more spaces. */
const mostSpaces = 2

/** Finds international bank account numbers: of a country's length, with a right checksum. */
export const ibanDetector: Detector = {
  digits: 2,
  *find(text, from) {
    if (text.length - from < shortestAccount) return
    for (const { index } of startsFrom(accounts, text, from)) {
      const end = accountEnd(text, index)
      if (typeof end === 'number' && passesMod97(text.slice(index, end).replace(/[ -]/g, '').toUpperCase())) yield { start: index, end }
    }
  },
  open(text, from) {
    const least = Math.max(from, text.length - longest)
    // Without digits only the two letters at the end can be those of a country.
    for (const { index } of startsFrom(accounts, text, countDigits(text, least, 1) > 0 ? least : Math.max(from, text.length - 2))) {
      const end = accountEnd(text, index)
      if (end === 'open' || end === text.length) return index
    }
    return text.length
  },
}

/** Where so many letters and digits end as the country has, in one piece or in groups of four; `open` where the text ends before. */
function accountEnd(text: string, start: number): number | 'open' | undefined {
  const length = lengths.get(text.slice(start, start + 2).toUpperCase())
  if (length === undefined) return start + 2 > text.length ? 'open' : undefined
  let count = 0
  let spaces = 0
  let at = start
  for (; at < text.length && count < length; at++) {
    if (isAlphanumeric(text, at)) {
      if ((count === 2 || count === 3) && !/\d/.test(text[at] as string)) return undefined
      count++
      spaces = 0
    } else if ((text[at] !== ' ' && text[at] !== '-') || count % 4 !== 0 || ++spaces > mostSpaces) return undefined
  }
  if (count < length) return 'open'
  return isAlphanumeric(text, at) ? undefined : at
}

function isAlphanumeric(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text[at] ?? '')
}

/** Signs that may be before, between and behind digits. */
const betweenDigits = codesOf(' #+().,:/-')
const beforeDigits = codesOf('+(#')

function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)))
}

/** Where a number may begin with which a text ends, read from its end. */
function openNumber(text: string, from: number, end = text.length): number {
  const least = Math.max(from, end - longest)
  let open = end
  for (let at = end - 1; at >= least; at--) {
    const code = text.charCodeAt(at)
    // An `e` behind a digit is that of an exponent.
    const isPart =
      isDigit(code) || betweenDigits.has(code) || ((code === 101 || code === 69) && at > least && isDigit(text.charCodeAt(at - 1)))
    if (!isPart) break
    if (isDigit(code) || beforeDigits.has(code) || (code === 45 && (at + 1 === end || isDigit(text.charCodeAt(at + 1))))) open = at
  }
  return open
}

/** Whether the last digit fits the others by Luhn's formula. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, doubles = false; at >= 0; at--, doubles = !doubles) {
    const digit = digits.charCodeAt(at) - 48
    sum += doubles ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}

/** Whether an account number without spaces has the remainder that ISO 13616 asks for. */
export function passesMod97(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

import { startsFrom } from '../shared/rewritten-text.ts'
import type { Detector } from './detector.ts'
import { isInAddress } from './surroundings.ts'

/** No address is longer. */
const longest = 45

/** Four numbers up to 255 without zeros before them; further numbers, letters and names beside them make it something else. */
const fours =
  // backtracks: from one start it reads at most 16 characters
  /(?:(?<![\w.#^~$€£%-]|[<>=!~]=|[A-Za-z)]\/)|(?<=\d-)|(?<=\\[bfnrt]))(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]?\d)){3}(?![\w%]|\.\w|-[A-Za-z])/g

/** Groups of hexadecimal digits of which the first is of a range that is in use, and a double colon or all eight groups. */
const eights =
  // backtracks: from one start it reads at most 45 characters
  /(?:(?<![\w.:@#$]|[\w)\]]\[)|(?<=\\[bfnrt]))(?:[23][0-9a-f]{3}|f[cdf][0-9a-f]{2}|fe[89ab][0-9a-f]|64|::ffff)(?::[0-9a-f]{0,4}){1,7}(?:\.\d{1,3}){0,3}(?![\w:]|\.\w)|(?<![\w:.)\]>])::1(?![\w:.])/gi

/** What is before a number of a version or of a part of a document. */
const names =
  // backtracks: at most 40 characters
  /(?:version|\.net(?: framework| core)?|\b(?:assembly|assemblies|java|jdk|jre|chrome|chromium|firefox|edge|safari|opera|versions?|ver|v|release|build|rev(?:ision)?|firmware|sections?|sec|chapters?|clauses?|articles?|paragraphs?|figures?|fig|tables?|appendix|annex|items?|rules?|steps?|oid|abschnitte?|kapitel|absatz|ziffer|punkt|abbildung|tabelle|anhang))\b["'`*.)]*\s*[:=]?\s*(?:is\s+|ist\s+)?["'`*(]*$|§\s*$/i

/** Finds IP addresses, but not numbers of versions, of parts of a document, or times. */
export const ipDetector: Detector = {
  digits: 0,
  *find(text, from) {
    for (const { 0: found, index } of startsFrom(fours, text, from))
      if (!isNumbering(text, index, found) && !isInAddress(text, index, found))
        yield { start: index, end: index + found.length, isPlaceholder: isSpecialFour(found) }
    for (const { 0: found, index } of startsFrom(eights, text, from)) {
      const groups = readGroups(found)
      if (groups) yield { start: index, end: index + found.length, isPlaceholder: isSpecialEight(groups) }
    }
  },
  open(text, from) {
    const start = Math.max(from, text.length - longest - 2)
    // backtracks: at most 47 characters
    const found = /[0-9A-Fa-f:.]+(?:-| \W?)?$/.exec(text.slice(start))
    return found ? start + found.index : text.length
  },
}

/** Whether four numbers are those of a version or of a part of a document: a word says so, or a title follows them at the start of a line. */
function isNumbering(text: string, start: number, found: string): boolean {
  const before = text.slice(Math.max(0, start - 40), start)
  if (names.test(before)) return true
  const parts = found.split('.').map(Number)
  const isAtLineStart = /(?:^|[\r\n])[#*>_ \t-]{0,16}$/.test(before.slice(-24))
  return (
    isAtLineStart &&
    parts.every((part) => part > 0 && part <= 30) &&
    /^\s\W?\p{Lu}/u.test(text.slice(start + found.length, start + found.length + 3))
  )
}

/** Addresses that name no machine of somebody: the machine itself, all machines, masks, and ranges for documents. */
const specialFour = /^(?:0\.|127\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|255\.|1\.2\.3\.4$|2(?:2[4-9]|3\d)\.)/

function isSpecialFour(address: string): boolean {
  return specialFour.test(address)
}

/** The eight groups of an address as it would be without a double colon; undefined for any other text. */
export function readGroups(written: string): readonly number[] | undefined {
  const four = /(?:\d{1,3}\.){3}\d{1,3}$/.exec(written)?.[0]
  const parts = four?.split('.').map(Number) ?? []
  if (parts.some((part) => part > 255) || (four === undefined && written.includes('.'))) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const groups =
    four === undefined ? written : `${written.slice(0, -four.length)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const sides = groups.split('::')
  if (sides.length > 2) return undefined
  const [head = [], tail = []] = sides.map((side) => (side === '' ? [] : side.split(':')))
  const given = head.length + tail.length
  if ([...head, ...tail].includes('') || (sides.length === 2 ? given > 7 : given !== 8)) return undefined
  return [...head, ...Array<string>(8 - given).fill('0'), ...tail].map((group) => Number.parseInt(group, 16))
}

/** The same of the long form: the machine itself, groups of machines, and the range for documents; no more than a prefix is an address of nobody either. */
function isSpecialEight(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  const isLoopback = groups.slice(0, 7).every((group) => group === 0)
  return isLoopback || first >= 0xff00 || (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000) || groups[7] === 0
}

import { isDigit } from '../../answer/characters.ts'
import { lookBehind } from './detector.ts'

/** The path of an address on the web up to an offset: no query, since a value has a name there, and nothing that is set to a value. */
const path =
  // backtracks: at most 128 characters
  /(?:\b[a-z][a-z0-9+.-]{0,15}:\/\/[^\s/?#"'<>()=&]+|(?:^|[^\w@./-])(?:[\w-]+\.)+[a-z]{2,24}(?::\d{1,5})?)\/[^\s?#"'<>=&]*$/

/** The identifier of a document up to an offset. */
const doi =
  // backtracks: at most 128 characters
  /(?:^|[^\w.])10\.\d{4,9}(?:\.\d+)*\/[^\s?#"'<>=&]*$/

/** Whether digits at an offset are part of the path of an address on the web, or of the identifier of a document (DOI): there they count and name things. */
export function isInAddress(text: string, start: number, found: string): boolean {
  // No such name begins with a plus sign or has a space in it.
  if (found.startsWith('+') || /\s/.test(found)) return false
  const before = text.slice(Math.max(0, start - lookBehind), start)
  return before.includes('/') && (path.test(before) || doi.test(before))
}

/** The longest group of a dump that is looked at, and how much behind a number decides whether it is part of one. */
const longestGroup = 8
const mostGroups = 3
const dumpTail = mostGroups * (longestGroup + 1) + 1

/** Where a text ends without the few groups of a dump that may follow its last digit. */
export function beforeGroups(text: string): number {
  let end = text.length
  let found = end
  for (let groups = 0; groups < mostGroups; groups++) {
    let at = end
    while (end - at < longestGroup && isHexadecimal(text.charCodeAt(at - 1))) at--
    if (text.charCodeAt(at - 1) !== 32) break
    end = at - 1
    if (isDigit(text.charCodeAt(end - 1))) found = end
  }
  return found
}

function isHexadecimal(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)
}

/** Whether groups of digits are part of a dump of bytes: groups of the same length beside them have letters in them, `45 00 00 34 09 ef`. */
export function isInDump(text: string, start: number, found: string): boolean {
  const groups = found.split(' ')
  const length = groups[0]?.length ?? 0
  if (groups.length < 3 || length < 2 || length > longestGroup || groups.some((group) => group.length !== length)) return false
  const isGroup = (group: string | undefined): boolean => group?.length === length && /^[0-9A-Fa-f]+$/.test(group)
  // backtracks: at most 28 characters
  const [, further, near] = /(?:([0-9A-Za-z]+) )?([0-9A-Za-z]+) $/.exec(text.slice(Math.max(0, start - dumpTail), start)) ?? []
  const end = start + found.length
  // backtracks: at most 28 characters
  const [, next, second, third] = /^ ([0-9A-Za-z]+)(?: ([0-9A-Za-z]+)(?: ([0-9A-Za-z]+))?)?/.exec(text.slice(end, end + dumpTail)) ?? []
  // Two letters alone may be a word, such as `de`.
  return (
    (isGroup(near) && (isMixed(near) || isGroup(further))) ||
    (isGroup(next) && (isMixed(next) || (isGroup(second) && (isGroup(third) || !/[a-f]/.test(`${next}${second}`)))))
  )
}

function isMixed(group: string | undefined): boolean {
  return group !== undefined && /\d/.test(group) && /\D/.test(group)
}

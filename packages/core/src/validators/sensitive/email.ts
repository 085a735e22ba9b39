import type { TextSpan } from '../../answer/span.ts'
import type { Detector } from './detector.ts'
import { escapeLength } from './escape-length.ts'

/** What RFC 5321 allows before and behind the sign. */
const longestLocal = 64
const longestDomain = 255

const nonAscii = /[\p{L}\p{N}\p{M}]/u

const topLevel = /^(?:\p{L}{2,24}|xn--[a-z0-9-]{2,59})$/u

/** Names that no mailbox can have: they are set aside for examples and tests. */
const reserved = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$/

/** Finds e-mail addresses, but for those of domains that are set aside for examples. */
export const emailDetector: Detector = {
  *find(text, from) {
    for (let sign = text.indexOf('@', from); sign >= 0; sign = text.indexOf('@', sign + 1)) {
      const found = addressAt(text, from, sign)
      if (found) yield found
    }
  },
  open(text, from) {
    const start = runBefore(text, text.length, from, longestDomain)
    if (start > from && text[start - 1] === '@') {
      const local = localStart(text, start - 1, from)
      if (local !== undefined && text.length - start <= longestDomain) return local
    }
    return localStart(text, text.length, from) ?? text.length
  },
}

/** Where the part before a sign starts; undefined when it is too long. A line of dots or dashes before it is not part of it. */
function localStart(text: string, sign: number, from: number): number | undefined {
  const start = runBefore(text, sign, from, longestLocal)
  if (sign - start <= longestLocal) return start
  // backtracks: at most 64 characters
  const leader = /.*[._+%-]{2}/s.exec(text.slice(start + 1, sign))?.[0].length
  return leader === undefined ? undefined : start + 1 + leader
}

function addressAt(text: string, from: number, sign: number): TextSpan | undefined {
  let start = localStart(text, sign, 0)
  if (start === undefined) return undefined
  start += escapeLength(text, start)
  // A class of a regular expression, `\w+@acme.com`.
  if (text[start - 1] === '\\' && /^[dDsSwW]\+/.test(text.slice(start, start + 2))) start += 2
  while (start < sign && text[start] === '.') start++
  // A handle of a network, or the user of an address on the web.
  if (start === sign || start < from || text[sign - 1] === '.' || text[start - 1] === '@' || isUser(text, start)) return undefined
  if (!/[\p{L}\p{N}]/u.test(text.slice(start, sign))) return undefined
  let end = sign + 1
  while (end < text.length && end - sign <= longestDomain + 1 && isDomain(text, end)) end++
  if (end - sign > longestDomain + 1) return undefined
  const labels = text
    .slice(sign + 1, end)
    .toLowerCase()
    .split('.')
  const odd = labels.findIndex((label) => !/^[^-](?:.*[^-])?$/u.test(label))
  if (odd >= 0) labels.length = odd
  // The end of a sentence may follow without a space.
  while (labels.length > 1 && !topLevel.test(labels.at(-1) ?? '')) labels.pop()
  const domain = labels.join('.')
  if (labels.length < 2 || reserved.test(domain)) return undefined
  end = sign + 1 + domain.length
  // Signs of emphasis around it.
  while (start < sign - 1 && text[start] === '_' && text[end] === '_') start++
  // An address of a repository, `git@host:path`.
  if (text[end] === ':' && text.slice(start, sign) === 'git') return undefined
  return { start, end }
}

/** Whether it is the user of an address on the web or of another service, but for those of mail and messages. */
function isUser(text: string, start: number): boolean {
  if (text[start - 1] !== '/' || text[start - 2] !== '/') return false
  // backtracks: at most 41 characters
  const scheme = /(?:\\[bfnrt])?([a-z][a-z0-9+.-]{0,31}):\/{2,8}$/i.exec(text.slice(Math.max(0, start - 41), start))?.[1]
  return scheme !== undefined && !/^(?:mailto|xmpp|sips?|im|e-?mail)$/i.test(scheme)
}

/** Where the run of characters starts that ends at an offset; no more than one more than `most` are looked at. */
function runBefore(text: string, end: number, from: number, most: number): number {
  let start = end
  while (start > from && end - start <= most && isLocal(text, start - 1)) start--
  return start
}

function isLocal(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  // . - + % _
  return isAlphanumeric(code) || code === 46 || code === 45 || code === 43 || code === 37 || code === 95 || isOtherLetter(text, code, at)
}

function isDomain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isAlphanumeric(code) || code === 46 || code === 45 || isOtherLetter(text, code, at)
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

function isOtherLetter(text: string, code: number, at: number): boolean {
  return code > 127 && nonAscii.test(text[at] as string)
}

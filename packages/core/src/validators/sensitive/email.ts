import type { TextSpan } from '../../answer/span.ts'
import type { Detector } from './detector.ts'
import { isPlaceholderAddress } from './placeholders.ts'

/** What RFC 5321 allows before and behind the sign. */
const longestLocal = 64
const longestDomain = 255

const nonAscii = /[\p{L}\p{N}\p{M}]/u

const topLevel = /^(?:\p{L}{2,24}|xn--[a-z0-9-]{2,59})$/u

/** Finds e-mail addresses. */
export const emailDetector: Detector = {
  digits: 0,
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

/** Where the part before a sign starts; undefined when it is too long. A line of dots or dashes before it is not part of it, nor is what makes it too long before one. */
function localStart(text: string, sign: number, from: number): number | undefined {
  const start = runBefore(text, sign, from, longestLocal)
  if (sign - start <= longestLocal) return start
  // backtracks: at most 64 characters
  const leader = /.*[._+%-]{2}|[^._+%-]*[._+%-]/s.exec(text.slice(start + 1, sign))?.[0].length
  return leader === undefined ? undefined : start + 1 + leader
}

function addressAt(text: string, from: number, sign: number): (TextSpan & { readonly isPlaceholder: boolean }) | undefined {
  let start = localStart(text, sign, 0)
  if (start === undefined) return undefined
  start += escapeLength(text, start)
  // A class of a regular expression, `\w+@acme.com`.
  if (text[start - 1] === '\\' && /^[dDsSwW]\+/.test(text.slice(start, start + 2))) start += 2
  while (start < sign && text[start] === '.') start++
  // A handle of a network, or the user of an address on the web.
  if (start === sign || text[sign - 1] === '.' || text[start - 1] === '@' || isUser(text, start)) return undefined
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
  if (labels.length < 2) return undefined
  end = sign + 1 + domain.length
  if (isCode(text.slice(start, sign), labels, text[end])) return undefined
  // Signs of emphasis around it.
  while (start < sign - 1 && text[start] === '_' && text[end] === '_') start++
  if (start < from) return undefined
  // An address of a repository, `git@host:path`.
  if (text[end] === ':' && text.slice(start, sign) === 'git') return undefined
  return { start, end, isPlaceholder: isPlaceholderAddress(text.slice(start, sign), labels) }
}

/** Endings of files and of units of a system and names of members that are no top-level domains. */
const endings = new Set(
  'png jpg jpeg gif svg webp ico bmp tif tiff pdf tar tgz gz bz xz rar whl deb rpm jar war exe dll msi apk ipa iso img bin js mjs cjs ts tsx jsx json jsonl yaml yml toml xml html htm css scss sass less rst txt csv tsv log lock conf cfg ini env sql sqlite diff patch tmp bak pem crt key service socket timer mount automount slice scope path device swap shape dtype length size weight bias values grad'.split(
    ' ',
  ),
)

/** Domains that are more usual than a method of that name. */
const common = /^(?:com|org|net|edu|gov|mil|int|biz|io|de|uk|fr|eu|us|ch|nl|pl|jp|cn|ru|br|au|ca|se|dk|fi)$/

/** Whether it is code or the name of a file or package: `this@Main.finish()`, `icon@2x.png`, `pkg@1.2.3.zip`. */
function isCode(local: string, labels: readonly string[], behind: string | undefined): boolean {
  const last = labels.at(-1) ?? ''
  if (endings.has(last) || /^(?:this|super|return)$/.test(local) || /^(?:self|this)$/.test(labels[0] ?? '')) return true
  return (behind === '(' && !common.test(last)) || (labels.length > 2 && /^\d+$/.test(labels[0] ?? '') && /^\d+$/.test(labels[1] ?? ''))
}

/** Whether it is the user or the password of an address on the web or of another service, but for those of mail and messages. */
function isUser(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start)
  if (!before.includes('://')) return false
  // backtracks: at most 80 characters
  const user = /(?:\\[bfnrt])?([a-z][a-z0-9+.-]{0,31}):\/{2,8}(?:[^\s/@"'<>?=&#,;|()[\]{}]{0,40}:[^\s/@"'<>?=&#,;|()[\]{}]{0,40})?$/i
  const scheme = user.exec(before)?.[1]
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

/** The letter at an offset that belongs to an escaped line break, tab or other control, such as the `n` of `\\n` in a JSON string: 1, or 0 where there is none. */
export function escapeLength(text: string, at: number): number {
  return text[at - 1] === '\\' && /[bfnrt]/.test(text[at] ?? '') ? 1 : 0
}

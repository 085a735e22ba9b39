import type { Edit } from './edits.ts'

const double = /[\u201c\u201d\u201e\u201f]/
const single = /[\u2018\u2019\u201a\u201b]/
const space = /[\u00a0\u2007\u202f\u3000]/
const invisible = /[\u200b\u2060\ufeff]/

/** Characters that word processors and web pages put in place of those that code is written with. */
export type Foreign = 'double' | 'single' | 'space'

/** The changes that would write foreign characters as code has them, outside of strings in straight quotes, in text order. */
export function foreignCharacters(source: string): readonly (Edit & { readonly kind: Foreign })[] {
  const edits: (Edit & { kind: Foreign })[] = []
  let at = 0
  // After the last straight quote of a kind on a line no string of its kind is closed.
  const last = { '"': -1, "'": -1, line: -1 }
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '"' || char === "'") {
      at = endOfString(source, at, char, last)
      continue
    }
    if (char > '\u007f' && !isApostrophe(source, at)) {
      const replaced = replacementOf(char)
      if (replaced) edits.push({ at, length: 1, ...replaced })
    }
    at++
  }
  return edits
}

/** The apostrophe in `it’s`, which closes no string. */
function isApostrophe(source: string, at: number): boolean {
  return source.charAt(at) === '\u2019' && /^\p{L}.\p{L}$/u.test(source.slice(at - 1, at + 2))
}

function replacementOf(char: string): { readonly kind: Foreign; readonly text: string } | undefined {
  if (double.test(char)) return { kind: 'double', text: '"' }
  if (single.test(char)) return { kind: 'single', text: "'" }
  if (space.test(char)) return { kind: 'space', text: ' ' }
  return invisible.test(char) ? { kind: 'space', text: '' } : undefined
}

/** Where a string on one line ends; after its quote when it is not closed there. */
function endOfString(source: string, start: number, quote: '"' | "'", last: { '"': number; "'": number; line: number }): number {
  if (start > last.line) {
    const end = source.indexOf('\n', start)
    last.line = end < 0 ? source.length : end
    const line = source.slice(start, last.line)
    last['"'] = start + line.lastIndexOf('"')
    last["'"] = start + line.lastIndexOf("'")
  }
  if (last[quote] <= start) return start + 1
  for (let at = start + 1; at <= last[quote]; at++) {
    if (source.charAt(at) === '\\') at++
    else if (source.charAt(at) === quote) return at + 1
  }
  last[quote] = start
  return start + 1
}

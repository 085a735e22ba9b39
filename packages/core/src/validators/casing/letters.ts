import type { TextSpan } from '../../answer/span.ts'
import { isSpace } from '../../answer/words.ts'

/** The cases that an answer may have to be in. */
export const casings = ['lower', 'upper'] as const

/** The case that an answer must be in. */
export type Casing = (typeof casings)[number]

/** The most characters of a word in a message. */
const longestWord = 40

/** Where the first letter in the wrong case is; one that has no counterpart cannot be written otherwise. */
export function findWrongCase(text: string, from: number, is: Casing): TextSpan | undefined {
  const pattern = candidates(is)
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [letter] = found
    if (inCase(letter, is) !== letter) return { start: found.index, end: found.index + letter.length }
  }
  return undefined
}

/** How many letters are in the wrong case. */
export function wrongLetters(text: string, is: Casing): number {
  let count = 0
  for (const [letter] of text.matchAll(candidates(is))) if (inCase(letter, is) !== letter) count++
  return count
}

/** A text in the case that is asked for. */
export function inCase(text: string, is: Casing): string {
  return is === 'lower' ? text.toLowerCase() : text.toUpperCase()
}

/** The word that ends before an offset, as far as it has been read. */
export function wordUpTo(text: string, from: number, end: number): string {
  let start = end
  while (start > from && end - start < longestWord && !isSpace(text.charCodeAt(start - 1))) start--
  return text.slice(start, end)
}

function candidates(is: Casing): RegExp {
  return is === 'lower' ? /[\p{Lu}\p{Lt}]/gu : /[\p{Ll}\p{Lt}]/gu
}

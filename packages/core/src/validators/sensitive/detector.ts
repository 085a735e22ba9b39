import { isDigit } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'

/** Finds one kind of sensitive text. */
export interface Detector {
  /** What it finds in the text from an offset on, and whether that is in place of a real value, such as `your_email@gmail.com`; the text before it, of which `lookBehind` characters count, is only context. */
  find(text: string, from: number): Iterable<TextSpan & { readonly isPlaceholder?: boolean }>
  /** So many digits has everything that it finds: text with fewer need not be searched. */
  readonly digits: number
  /** From where on the end of the text may be the start of something, or part of something that more text would change; the length when nothing is open. */
  readonly open: (text: string, from: number) => number
}

/** How many digits a text has from an offset on; no more than `most` are counted. */
export function countDigits(text: string, from: number, most: number): number {
  let count = 0
  for (let at = from; at < text.length && count < most; at++) if (isDigit(text.charCodeAt(at))) count++
  return count
}

/** So many characters before a value decide whether it is one. */
export const lookBehind = 128

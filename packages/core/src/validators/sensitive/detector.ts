import type { TextSpan } from '../../answer/span.ts'

/** Finds one kind of sensitive text. */
export interface Detector {
  /** What it finds in the text from an offset on, and whether that is in place of a real value, such as `your_email@gmail.com`; the text before it, of which `lookBehind` characters count, is only context. */
  find(text: string, from: number): Iterable<TextSpan & { readonly isPlaceholder?: boolean }>
  /** From where on the end of the text may be the start of something, or part of something that more text would change; the length when nothing is open. */
  readonly open: (text: string, from: number) => number
}

/** So many characters before a value decide whether it is one. */
export const lookBehind = 128

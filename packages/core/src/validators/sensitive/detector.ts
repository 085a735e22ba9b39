import type { TextSpan } from '../../answer/span.ts'

/** What a detector has found. */
export interface Found extends TextSpan {
  /** Whether it is a value that stands for a real one: of a domain, range or numbers that are set aside for examples, or such as `your_email@gmail.com`. */
  readonly isPlaceholder?: boolean
}

/** Finds one kind of sensitive text. */
export interface Detector {
  /** What it finds in the text from an offset on; the text before it, of which `lookBehind` characters count, is only context. */
  find(text: string, from: number): Iterable<Found>
  /** From where on the end of the text may be the start of something, or part of something that more text would change; the length when nothing is open. */
  readonly open: (text: string, from: number) => number
}

/** So many characters before a value decide whether it is one. */
export const lookBehind = 128

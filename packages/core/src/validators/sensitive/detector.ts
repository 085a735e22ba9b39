import type { TextSpan } from '../../answer/span.ts'

/** Finds one kind of sensitive text. */
export interface Detector {
  /** What it finds in the text from an offset on; the text before it is only context. */
  find(text: string, from: number): Iterable<TextSpan>
  /** From where on the end of the text may be the start of something, or part of something that more text would change; the length when nothing is open. */
  open(text: string, from: number): number
}

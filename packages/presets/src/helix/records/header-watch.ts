import type { AnswerOutline } from '@stickler/core'
import { languageOf } from '@stickler/core/internal'
import { mayHoldDocument } from './metadata-headers.ts'

/** Lines that begin so may be rules or fences: they are held until they are complete. */
const structural = new Set(['', '-', '`', '~'])

/** How far a stream of this length can hold no header that is still to be judged, and no heading where those matter too. */
export function clearOfHeaders(reader: AnswerOutline, length: number, headings: boolean): number {
  const open = reader.openFence
  if (open && mayHoldDocument(languageOf(open.info))) return open.start
  const { lineHead } = reader
  return reader.undecided || structural.has(lineHead) || (headings && lineHead === '#') ? reader.decided : length
}

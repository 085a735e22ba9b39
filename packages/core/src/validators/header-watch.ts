import { languageOf } from '../answer/fence.ts'
import { holdsDocument } from '../answer/headers.ts'
import type { AnswerReader } from '../answer/reader.ts'

/** Lines that begin so may be headings, rules or fences: they are held until they are complete. */
const structural = new Set(['', '#', '-', '`', '~'])

/** How far a stream of this length can hold neither a heading nor a header that is still to be judged. */
export function clearOfHeaders(reader: AnswerReader, length: number): number {
  const open = reader.openFence
  if (open && holdsDocument(languageOf(open.info))) return open.start
  return reader.undecided || structural.has(reader.lineHead) ? reader.decided : length
}

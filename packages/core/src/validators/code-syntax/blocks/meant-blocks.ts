import type { FenceReading } from '../../../answer/markdown/block-scanner.ts'
import type { CodeBlock } from '../../../answer/outline.ts'
import { AnswerReader } from '../../../answer/reader.ts'

/** The code blocks of a text as they were meant, also where a list, a quote or HTML ends or hides them for CommonMark. */
export function meantBlocks(text: string, fences: FenceReading = 'meant'): readonly CodeBlock[] {
  const reader = new AnswerReader(fences)
  reader.push(text)
  reader.end()
  return reader.codeBlocks
}

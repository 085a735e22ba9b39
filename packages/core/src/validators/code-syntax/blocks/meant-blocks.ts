import type { CodeBlock } from '../../../answer/outline.ts'
import { AnswerReader } from '../../../answer/reader.ts'

/** The code blocks of a text as they were meant, also where a list, a quote or HTML ends or hides them for CommonMark. */
export function meantBlocks(text: string): readonly CodeBlock[] {
  const reader = new AnswerReader('meant')
  reader.push(text)
  reader.end()
  return reader.codeBlocks
}

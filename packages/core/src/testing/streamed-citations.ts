import { AnswerReader } from '../answer/reader.ts'
import type { IncrementalCheck, Progress } from '../contract/validator.ts'

/** Pieces of answers with citations, right and wrong, and of the Markdown around them. */
export const citationPieces: readonly string[] = [
  '[^',
  '[',
  '1',
  '2',
  ']',
  '[^1]',
  '[^2]',
  '[^9]',
  '[^0]',
  '[^x]',
  '[^1',
  '[1]',
  '[9, 1]',
  '【1】',
  '【9†src】',
  '`',
  '``',
  '```',
  '```\n',
  '~~~\n',
  '~~~',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\\',
  ' ',
  '    ',
  '\t',
  '> ',
  '- ',
  '1. ',
  '# ',
  '---\n',
  'key: v\n',
  '<!--',
  '-->',
  '<div>',
  '<think>',
  '</think>',
  'text',
  'Text: ',
  '.',
  '|',
  '=',
  '👍',
  '\ud83d',
  '\u200b',
  '\ufeff',
]

/** What a machine says after every chunk, up to its failure. */
export function feed<Code extends string>(machine: IncrementalCheck<Code> | undefined, chunks: readonly string[]): Progress<Code>[] {
  const reader = new AnswerReader()
  const steps: Progress<Code>[] = []
  for (const chunk of chunks) {
    reader.push(chunk)
    const step = machine?.push(chunk, reader)
    if (step) steps.push({ ...step })
    if (step?.failure) break
  }
  return steps
}

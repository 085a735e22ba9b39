import type { Answer } from '../../../answer/answer.ts'
import type { CodeBlock } from '../../../answer/outline.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { meantBlocks } from '../blocks/meant-blocks.ts'
import { type Snippet, textAt } from '../snippet.ts'
import type { Verdicts } from '../verdicts.ts'
import { findRepair } from './find-repair.ts'

/** Yields the changes that make the code of an answer parse, where they are unambiguous; code that parses is left alone. */
export async function* repairCode(
  answer: Answer,
  snippets: readonly Snippet[],
  verdicts: Verdicts,
  signal: AbortSignal,
): AsyncGenerator<Certificate> {
  const { text } = answer
  const blocks = meantBlocks(text)
  for (const snippet of snippets) {
    const verdict = await verdicts.of(snippet, signal)
    if (verdict instanceof Error || verdict.verdict !== 'invalid') continue
    const edits = (await findRepair(snippet, verdicts, signal)) ?? []
    for (const { at, length, text: after, rule } of edits) {
      const span = { start: snippet.place(at), end: snippet.place(at + length) }
      const before = textAt(text, span)
      const closing = rule === 'correct-fence' && at > 0 ? closingFence(blocks, snippet) : undefined
      // A fence of the wrong length was meant to close the block.
      yield { rule, class: 'lossless', span, before, after: closing === undefined ? after : withoutFence(before) + closing }
    }
    const doubled = edits.some(({ rule, at }) => rule === 'correct-fence' && at === 0) ? closedTwice(text, blocks, snippet) : undefined
    if (doubled) yield { rule: 'correct-fence', class: 'lossless', span: doubled, before: textAt(text, doubled), after: '' }
  }
}

/** A text without the fence at its end. */
function withoutFence(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (end > 0 && '`~'.includes(trimmed.charAt(end - 1))) end--
  return trimmed.slice(0, end)
}

/** The fence that closes a block that is not closed. */
function closingFence(codeBlocks: readonly CodeBlock[], { span, closed, number }: Snippet): string | undefined {
  const block = closed || number === undefined ? undefined : codeBlocks.find(({ span: { start } }) => start === span.start)
  return block?.char.repeat(block.length)
}

/** The second of two closing fences, which opens a block without anything in it. */
function closedTwice(text: string, codeBlocks: readonly CodeBlock[], { span, closed }: Snippet): TextSpan | undefined {
  const next = codeBlocks.find(({ span: { start } }) => start >= span.end)
  if (!closed || next === undefined || next.info !== '' || next.content.trim() !== '') return undefined
  return text.slice(span.end, next.span.start).trim() === '' ? { start: span.end, end: next.span.start + next.length } : undefined
}

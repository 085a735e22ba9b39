import { definitionsLength } from '../markdown/link-definition.ts'
import type { InlineBlock } from '../outline.ts'
import type { TextSpan } from '../span.ts'
import { InlineScanner } from './inline-scanner.ts'

/** Finds the inline code of one paragraph or heading, as CommonMark does; `base` is the offset at which `text` starts. */
export function findInlineCode(text: string, block: InlineBlock, base = 0): TextSpan[] {
  const whole = text.slice(block.start - base, block.end - base)
  if (!whole.includes('`')) return []
  const lines = block.lines ?? [block]
  const joined = block.lines ? lines.map(({ start, end }) => text.slice(start - base, end - base)).join('\n') : whole
  // CommonMark reads NUL as the replacement character.
  const content = joined.replaceAll('\0', '\ufffd')
  const definitions = definitionsLength(content)
  // Where definitions cannot be found in linear time, nothing is certain to be code.
  if (definitions === undefined) return []
  return placeSpans(new InlineScanner(content, definitions).findCode(), lines)
}

/** Converts spans of the joined lines, in text order, to spans of the text. */
function placeSpans(spans: readonly TextSpan[], lines: readonly TextSpan[]): TextSpan[] {
  let next = 0
  let joined = 0
  const place = (offset: number): number => {
    for (let line = lines[next]; line !== undefined; line = lines[next]) {
      const length = line.end - line.start
      if (offset <= joined + length) return line.start + offset - joined
      joined += length + 1
      next++
    }
    return lines.at(-1)?.end ?? offset
  }
  return spans.map(({ start, end }) => ({ start: place(start), end: place(end) }))
}

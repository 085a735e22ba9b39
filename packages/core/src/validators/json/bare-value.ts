import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'

/** Whether the text outside of a value is only white space that JSON itself allows around it. */
export function isBare({ text }: Answer, { start, end }: TextSpan): boolean {
  return isJsonSpace(text, 0, start) && isJsonSpace(text, end, text.length)
}

/** repair: everything around the value, where the value alone is wanted */
export function* dropAround(answer: Answer, { start, end }: TextSpan): Generator<Certificate> {
  const { text, bodyStart } = answer
  if (isBare(answer, { start, end })) return
  const fence = answer.inFence(start) ? answer.codeBlocks.find(({ span }) => span.start <= start && end <= span.end)?.span : undefined
  const opens = Math.max(bodyStart, fence?.start ?? start)
  // A line break after the fence goes with it.
  const closes = fence && text.slice(fence.end).trim() === '' ? text.length : (fence?.end ?? end)
  const spans: readonly (readonly [rule: string, from: number, to: number])[] = [
    ['drop-reasoning', 0, bodyStart],
    ['drop-prose', bodyStart, opens],
    ['drop-fence', opens, start],
    ['drop-fence', end, closes],
    ['drop-prose', closes, text.length],
  ]
  for (const [rule, from, to] of spans)
    if (to > from) yield { rule, class: 'lossless', span: { start: from, end: to }, before: text.slice(from, to), after: '' }
}

function isJsonSpace(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!' \t\r\n'.includes(text.charAt(at))) return false
  return true
}

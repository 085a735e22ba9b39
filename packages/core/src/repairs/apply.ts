import type { Certificate } from '../contract/certificate.ts'

/** Applies the changes that certificates record; undefined when they overlap or do not fit the text. */
export function applyCertificates(text: string, certificates: readonly Certificate[]): string | undefined {
  const ordered = [...certificates].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
  const pieces: string[] = []
  let at = 0
  for (const { span, before, after } of ordered) {
    if (span.start < at || text.slice(span.start, span.end) !== before) return undefined
    pieces.push(text.slice(at, span.start), after)
    at = span.end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

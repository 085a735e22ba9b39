import type { Certificate } from '@stickler/core'
import type { FileResult } from './file-result.ts'
import type { LineIndex } from './line-index.ts'
import { placeOf, region } from './place.ts'

type Data = Readonly<Record<string, unknown>>
type Edit = Pick<Certificate, 'span' | 'after'>

/** The repairs of a file as one fix, because they were verified together; undefined when the text did not change. */
export function sarifFix({ answer, settled, secrets, isFixable }: FileResult, lines: LineIndex, location: Data): Data | undefined {
  const { text } = answer
  const repaired = settled.text
  if (!isFixable) return undefined
  const own = [...settled.repairs].sort((a, b) => a.span.start - b.span.start)
  // Certificates of later rounds refer to an intermediate text, not to the file.
  const edits: readonly Edit[] = applied(text, own) === repaired ? own : [wholeChange(text, repaired)]
  if (!edits.every(({ after }) => secrets.areAbsentIn(after))) return undefined
  const rules = [...new Set(settled.repairs.map(({ rule }) => rule))].join(', ')
  const replacements = edits.map(({ span, after }) => ({
    deletedRegion: region(placeOf(span, lines)),
    ...(after === '' ? {} : { insertedContent: { text: after } }),
  }))
  return { description: { text: `Repair by ${rules}` }, artifactChanges: [{ artifactLocation: location, replacements }] }
}

function applied(text: string, edits: readonly Edit[]): string | undefined {
  const pieces: string[] = []
  let at = 0
  for (const { span, after } of edits) {
    if (span.start < at) return undefined
    pieces.push(text.slice(at, span.start), after)
    at = span.end
  }
  return pieces.join('') + text.slice(at)
}

/** The single range of whole lines in which two texts differ, so that no surrogate pair is split. */
function wholeChange(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1
  let same = 0
  while (same < shorter - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++
  const lineEnd = before.indexOf('\n', before.length - same)
  const kept = lineEnd < 0 ? 0 : Math.min(same, before.length - lineEnd)
  return { span: { start, end: before.length - kept }, after: after.slice(start, after.length - kept) }
}

import type { ToolCall } from '../answer/tool-calls.ts'
import type { Certificate } from '../contract/certificate.ts'

/** What certificates change. */
export interface Repairable {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
}

/** One replacement in a text. */
type TextEdit = Pick<Certificate, 'span' | 'before' | 'after'>

/** Applies the changes that certificates record; undefined when they overlap or do not fit. */
export function applyCertificates({ text, toolCalls }: Repairable, certificates: readonly Certificate[]): Repairable | undefined {
  const changed = (written: string, call?: number, part?: 'name' | 'arguments'): string | undefined =>
    applyEdits(
      written,
      certificates.filter(({ in: place }) => place?.call === call && place?.part === part),
    )
  const repaired = changed(text)
  const calls: ToolCall[] = []
  for (const [index, call] of toolCalls.entries()) {
    const name = changed(call.name, index, 'name')
    const given = changed(call.arguments, index, 'arguments')
    if (name === undefined || given === undefined) return undefined
    calls.push(name === call.name && given === call.arguments ? call : { ...call, name, arguments: given })
  }
  if (repaired === undefined || certificates.some(({ in: place }) => place && !(place.call in toolCalls))) return undefined
  return { text: repaired, toolCalls: [...calls, ...certificates.flatMap((certificate) => certificate.calls ?? [])] }
}

/** Applies replacements to a text; undefined when they overlap or do not fit it. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  if (edits.some(({ span, before }) => span.end - span.start !== before.length)) return undefined
  return changedText(
    text,
    edits.map(({ span, before, after }) => ({ start: span.start, before, after })),
  )
}

/** Replaces `before`, which is at an offset in a text, with `after`. */
export interface TextChange {
  readonly start: number
  readonly before: string
  readonly after: string
}

/** Changes in text order; of two at one place, the one that only inserts comes first. */
export function inOrder<Change extends TextChange>(changes: readonly Change[]): Change[] {
  return [...changes].sort((a, b) => a.start - b.start || a.before.length - b.before.length)
}

/** The part of a text between two offsets with its changes made; undefined when they overlap or do not fit it. */
export function changedText(text: string, changes: readonly TextChange[], start = 0, end = text.length): string | undefined {
  const pieces: string[] = []
  let at = start
  for (const change of inOrder(changes)) {
    const next = change.start + change.before.length
    if (change.start < at || next > end || !text.startsWith(change.before, change.start)) return undefined
    pieces.push(text.slice(at, change.start), change.after)
    at = next
  }
  return pieces.join('') + text.slice(at, end)
}

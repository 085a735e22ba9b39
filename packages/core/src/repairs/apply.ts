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
  const repaired = applyEdits(
    text,
    certificates.filter((certificate) => certificate.in === undefined),
  )
  const calls = toolCalls.map((call, index) =>
    applyToCall(
      call,
      certificates.filter((certificate) => certificate.in?.call === index),
    ),
  )
  const fits = certificates.every((certificate) => certificate.in === undefined || certificate.in.call in toolCalls)
  if (repaired === undefined || !fits || !calls.every((call) => call !== undefined)) return undefined
  return { text: repaired, toolCalls: [...calls, ...certificates.flatMap((certificate) => certificate.calls ?? [])] }
}

/** Applies replacements to a text; undefined when they overlap or do not fit it. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
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

function applyToCall(call: ToolCall, certificates: readonly Certificate[]): ToolCall | undefined {
  if (certificates.length === 0) return call
  const name = applyEdits(
    call.name,
    certificates.filter((certificate) => certificate.in?.part === 'name'),
  )
  const args = applyEdits(
    call.arguments,
    certificates.filter((certificate) => certificate.in?.part === 'arguments'),
  )
  return name === undefined || args === undefined ? undefined : { ...call, name, arguments: args }
}

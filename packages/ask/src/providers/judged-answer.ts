import { Answer, errorsOf, type Issue, type Outcome } from '@stickler/core'
import type { AskError, AskMode, AskResult, AskValidation, AskWarning, ByteSpan } from '@stickler/presets/internal'
import { byteSpans, readCitations } from '@stickler/presets/internal'

/** The citations of an answer, with byte spans. */
export function citationsOf(text: string, sourcesCount: number): AskResult['citations'] {
  const { citations } = readCitations(text, sourcesCount, new Answer(text).bodyStart)
  const spans = byteSpans(
    text,
    citations.map(({ span }) => span),
  )
  return citations.map(({ marker }, index) => ({ marker, span: asPair(spans[index]) }))
}

/**
 * The result of checking: all issues in text order, what could not be checked, and the errors when
 * the answer is rejected.
 */
export function validationOf(
  { text, issues, unchecked }: Pick<Outcome, 'text' | 'issues' | 'unchecked'>,
  mode: AskMode,
  further: readonly AskWarning[] = [],
): AskValidation {
  const errors = errorsOf({ issues })
  const placed = issues.flatMap(({ span }) => (span === undefined ? [] : [span]))
  const spans = byteSpans(text, placed)
  let next = 0
  const warnings: AskWarning[] = issues.map((issue) =>
    issue.span === undefined ? errorOf(issue) : { ...errorOf(issue), span: asPair(spans[next++]) },
  )
  // Not its message, which may quote anything.
  for (const { validator, cause } of unchecked) warnings.push({ kind: 'unchecked', detail: `${validator} could not run (${cause})` })
  const ok = mode === 'lenient' || errors.length === 0
  return { ok, warnings: [...warnings, ...further], errors: ok ? [] : errors.map(errorOf) }
}

function errorOf({ code, message }: Issue): AskError {
  return { kind: code.replace(/^CITATION_/, '').toLowerCase(), detail: message }
}

function asPair(span: { readonly start: number; readonly end: number } | undefined): ByteSpan {
  return [span?.start ?? 0, span?.end ?? 0]
}

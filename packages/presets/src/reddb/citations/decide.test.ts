import { describe, expect, test } from 'vitest'
import { decideCitations, retryPrompt } from './decide.ts'
import type { CitationWarning, ParsedCitations } from './parse.ts'

const citation = (marker: number, start: number) => ({ marker, span: { start, end: start + 4 }, sourceIndex: marker - 1 })
const warning = (kind: CitationWarning['kind'], start: number, detail: string): CitationWarning => ({
  kind,
  span: { start, end: start + 4 },
  detail,
})

const empty: ParsedCitations = { citations: [], warnings: [] }
const clean: ParsedCitations = { citations: [citation(1, 0)], warnings: [] }
const several: ParsedCitations = { citations: [citation(1, 0), citation(2, 5), citation(3, 10)], warnings: [] }
const malformed: ParsedCitations = { citations: [], warnings: [warning('malformed', 0, 'empty marker body')] }
const outOfRange: ParsedCitations = {
  citations: [citation(9, 0)],
  warnings: [warning('out_of_range', 0, 'marker [^9] references source #9 but only 2 sources available')],
}
const mixed: ParsedCitations = {
  citations: [],
  warnings: [warning('malformed', 0, 'empty'), warning('out_of_range', 4, 'marker [^7] references source #7 but only 1 sources available')],
}

function promptOf(parsed: ParsedCitations): string {
  const decision = decideCitations(parsed, 'strict', 'first')
  return decision.kind === 'retry' ? decision.prompt : `not a retry: ${decision.kind}`
}

describe('strict', () => {
  test.each([
    ['clean, first', clean, 'first'],
    ['clean, retry', clean, 'retry'],
    ['nothing cited, first', empty, 'first'],
    ['nothing cited, retry', empty, 'retry'],
    ['several citations', several, 'first'],
  ] as const)('%s is ok', (_name, parsed, attempt) => {
    expect(decideCitations(parsed, 'strict', attempt)).toEqual({ kind: 'ok' })
  })

  test.each([
    ['malformed', malformed, ['Reissue the answer', 'malformed', 'empty marker body']],
    ['out of range', outOfRange, ['out_of_range', 'source #9', 'Do not invent']],
    ['both', mixed, mixed.warnings.map(({ detail }) => detail)],
  ])('the first attempt asks again: %s', (_name, parsed, parts) => {
    for (const part of parts) expect(promptOf(parsed)).toContain(part)
  })

  test.each([
    ['malformed', malformed],
    ['out of range', outOfRange],
    ['both, in order', mixed],
  ])('the retry gives up: %s', (_name, parsed) => {
    const errors = parsed.warnings.map(({ kind, detail }) => ({ kind, detail }))
    expect(decideCitations(parsed, 'strict', 'retry')).toEqual({ kind: 'give-up', errors })
  })
})

test.each([clean, malformed, outOfRange, mixed, empty])('lenient is always ok', (parsed) => {
  for (const attempt of ['first', 'retry'] as const) expect(decideCitations(parsed, 'lenient', attempt)).toEqual({ kind: 'ok' })
})

describe('the retry prompt', () => {
  test('is pinned byte for byte', () => {
    expect(retryPrompt(mixed.warnings)).toBe(
      'Your previous answer contained citation markers that do not match the available sources. Reissue the answer in full, with every `[^N]` marker referring to a real source by its 1-indexed position in the provided context. Do not invent or renumber sources; if a claim is not supported by a real source, drop the marker rather than fabricate one. Problems detected:\n- [malformed] empty\n- [out_of_range] marker [^7] references source #7 but only 1 sources available\n',
    )
  })

  test('is the same for the same warnings, and forbids fabrication', () => {
    expect(promptOf(mixed)).toBe(promptOf(structuredClone(mixed)))
    expect(promptOf(outOfRange)).toContain('Do not invent')
  })
})

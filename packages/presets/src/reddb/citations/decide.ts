import type { CitationWarning, ParsedCitations } from './parse.ts'

/** Whether warnings block an answer, or are only reported. */
export type CitationMode = 'strict' | 'lenient'

/** Which call of the model this is; there is one retry, so there is no third. */
export type CitationAttempt = 'first' | 'retry'

/** Why an answer is given up. */
export type CitationError = Pick<CitationWarning, 'kind' | 'detail'>

/** What to do with an answer and its citations. */
export type CitationDecision =
  | { readonly kind: 'ok' }
  | { readonly kind: 'retry'; readonly prompt: string }
  | { readonly kind: 'give-up'; readonly errors: readonly CitationError[] }

/** Decides what to do with parsed citations; a pure function. */
export function decideCitations(
  { warnings }: Pick<ParsedCitations, 'warnings'>,
  mode: CitationMode,
  attempt: CitationAttempt,
): CitationDecision {
  if (mode === 'lenient' || warnings.length === 0) return { kind: 'ok' }
  if (attempt === 'first') return { kind: 'retry', prompt: retryPrompt(warnings) }
  return { kind: 'give-up', errors: warnings.map(({ kind, detail }) => ({ kind, detail })) }
}

const opening = [
  'Your previous answer contained citation markers that do not match the available sources.',
  'Reissue the answer in full, with every `[^N]` marker referring to a real source by its 1-indexed position in the provided context.',
  'Do not invent or renumber sources; if a claim is not supported by a real source, drop the marker rather than fabricate one.',
  'Problems detected:',
].join(' ')

/** The prompt that asks again; equal warnings give equal bytes. */
export function retryPrompt(warnings: readonly CitationError[]): string {
  return [opening, ...warnings.map(({ kind, detail }) => `- [${kind}] ${detail}`), ''].join('\n')
}

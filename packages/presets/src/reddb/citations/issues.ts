import { type Answer, type Finding, fact, type Issue, type IssueDraft, issue } from '@stickler/core'
import { sourcesUnknown } from '@stickler/core/internal/validators'
import { retryPrompt } from './decide.ts'
import { type CitationWarning, parseCitations } from './parse.ts'

/** The codes of RedDB's warnings. */
const warningCodes = { malformed: 'CITATION_MALFORMED', out_of_range: 'CITATION_OUT_OF_RANGE' } as const

/** One of the codes that RedDB's warnings have. */
export type WarningCode = (typeof warningCodes)[CitationWarning['kind']]

/** Drafts the issue of a warning, in RedDB's own words. */
export function warningIssue({ kind, span, detail }: CitationWarning): IssueDraft<WarningCode> {
  return issue(warningCodes[kind], detail, { span })
}

/** Yields every warning of RedDB's parser as an issue, and both of its lists as facts. */
export function* reddbFindings(
  { text, bodyStart }: Answer,
  sources: number | undefined,
  context: Readonly<Record<string, unknown>>,
): Generator<Finding<WarningCode>, undefined> {
  const { citations, warnings } = parseCitations(text, sources ?? Number.POSITIVE_INFINITY, bodyStart)
  // What is malformed is wrong however many sources there are.
  if (sources === undefined && citations.length > 0 && warnings.length === 0) throw sourcesUnknown(context)
  yield fact('citations', citations)
  yield fact('warnings', warnings)
  for (const warning of warnings) yield warningIssue(warning)
}

/** Asks again in the words of RedDB. */
export function reddbFeedback(issues: readonly Issue[]): string {
  return retryPrompt(
    issues.map(({ code, message }) => ({ kind: code === warningCodes.out_of_range ? 'out_of_range' : 'malformed', detail: message })),
  )
}

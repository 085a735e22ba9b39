import type { Answer } from '../../../answer/answer.ts'
import { type Finding, fact, type Issue } from '../../../contract/issue.ts'
import { sourcesUnknown } from '../findings.ts'
import type { CitationCode } from '../messages.ts'
import { retryPrompt } from './decide.ts'
import { warningCodes, warningIssue } from './issue.ts'
import { parseCitations } from './parse.ts'

/** Yields every warning of RedDB's parser as an issue, and both of its lists as facts. */
export function* reddbFindings(
  { text, bodyStart }: Answer,
  sources: number | undefined,
  context: Readonly<Record<string, unknown>>,
): Generator<Finding<CitationCode>, undefined> {
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

import { type IssueDraft, issue } from '../../../contract/issue.ts'
import type { CitationWarning } from './parse.ts'

/** The codes of what RedDB's parser warns of. */
export const warningCodes = { malformed: 'CITATION_MALFORMED', out_of_range: 'CITATION_OUT_OF_RANGE' } as const

/** One of the codes that RedDB's warnings have. */
export type WarningCode = (typeof warningCodes)[CitationWarning['kind']]

/** Drafts the issue of a warning, in RedDB's own words. */
export function warningIssue({ kind, span, detail }: CitationWarning): IssueDraft<WarningCode> {
  return issue(warningCodes[kind], detail, { span })
}

export { byteSpans } from './validators/citations/reddb/byte-offsets.ts'
export {
  type CitationAttempt,
  type CitationDecision,
  type CitationError,
  type CitationMode,
  decideCitations,
  retryPrompt,
} from './validators/citations/reddb/decide.ts'
export { type Citation, type CitationWarning, type ParsedCitations, parseCitations } from './validators/citations/reddb/parse.ts'

export {
  type CitationAttempt,
  type CitationDecision,
  type CitationError,
  type CitationMode,
  decideCitations,
  retryPrompt,
} from './citations/decide.ts'
export { type CitationWarning, type ParsedCitations, parseCitations } from './citations/parse.ts'
export { reddb } from './preset.ts'

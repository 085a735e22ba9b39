export { type Breaker, type BreakerSettings, type BreakerState, createBreaker } from './adapters/breaker.ts'
export { type GuardedCall, guarded, ServiceUnavailable } from './adapters/guarded.ts'
export { type RemoteRules, type RemoteRulesSettings, remoteRules } from './adapters/rules/remote-rules.ts'
export type { RuleEvent, RuleListener } from './adapters/rules/rule-event.ts'
export { readToolCalls, writeToolCalls } from './answer/tool-calls.ts'
export type { AskModel, Embedder, EmbedOptions } from './contract/embedder.ts'
export { quote } from './contract/quote.ts'
export {
  type Language,
  ParserUnavailable,
  type SourceParser,
  type SyntaxFault,
  type SyntaxParser,
  type SyntaxVerdict,
  traceLine,
} from './contract/syntax.ts'
export { TooComplex } from './contract/too-complex.ts'
export { judgeRelevance, type RelevanceCase, type RelevanceStrategy, type RelevanceVerdict } from './relevance/judge.ts'
export { lexicalRelevance } from './relevance/lexical/index.ts'
export { affixes } from './validators/affixes/index.ts'
export { boilerplate } from './validators/boilerplate/index.ts'
export { casing } from './validators/casing/index.ts'
export { citations } from './validators/citations/index.ts'
export {
  type CitationDecision,
  type CitationError,
  type CitationMode,
  decideCitations,
  retryPrompt,
} from './validators/citations/reddb/decide.ts'
export { type Citation, type ParsedCitations, parseCitations } from './validators/citations/reddb/parse.ts'
export { codeSyntax } from './validators/code-syntax/index.ts'
export { command } from './validators/command/index.ts'
export { complete } from './validators/complete/index.ts'
export { contains } from './validators/contains/index.ts'
export { contextRelevance } from './validators/context-relevance/index.ts'
export { type JsonOptions, json } from './validators/json/index.ts'
export { language } from './validators/language/index.ts'
export { leaks } from './validators/leaks/index.ts'
export { length } from './validators/length/index.ts'
export { links } from './validators/links/index.ts'
export { markdown } from './validators/markdown/index.ts'
export { maxWords } from './validators/max-words.ts'
export { type OneOfOptions, oneOf } from './validators/one-of/index.ts'
export { pattern } from './validators/pattern/index.ts'
export { placeholders } from './validators/placeholders/index.ts'
export { remote } from './validators/remote/index.ts'
export { repetition } from './validators/repetition/index.ts'
export { sensitive } from './validators/sensitive/index.ts'
export { toolCalls } from './validators/tool-calls/index.ts'
export { type Suggestion, type SuggestionRules, suggestTool, validateToolCall } from './validators/tool-calls/validate-tool-call.ts'
export { legalNext, toolSequence } from './validators/tool-sequence/index.ts'

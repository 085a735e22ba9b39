export {
  type GuardedParser,
  guardedParser,
  type ParserEvent,
  type ParserGuard,
  type ParserResult,
  type ParserState,
  parserResults,
  parserStates,
} from './adapters/guarded-parser.ts'
export { languageOf } from './answer/markdown/code-language.ts'
export { positionAt } from './answer/span.ts'
export { yamlDepth } from './answer/yaml.ts'
export { closest } from './contract/closest.ts'
export { usesParser } from './contract/contract.ts'
export { clamp, quote } from './contract/quote.ts'
export { ParserUnavailable, type SyntaxFault, type SyntaxParser, type SyntaxVerdict, traceLine } from './contract/syntax.ts'
export type { FaultKind, NoVerdict } from './contract/validator-unavailable.ts'
export { codeIn } from './validators/code-syntax/code-in.ts'
export { codeSyntax } from './validators/code-syntax/index.ts'

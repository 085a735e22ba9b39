export { languageOf } from './answer/code-language.ts'
export { closest } from './contract/closest.ts'
export { type NoVerdict, ParserUnavailable, type SyntaxFault, type SyntaxParser, type SyntaxVerdict, traceLine } from './contract/syntax.ts'

export { languageOf } from './answer/code-language.ts'
export { type NoVerdict, ParserUnavailable, type SyntaxFault, type SyntaxParser, type SyntaxVerdict } from './contract/syntax.ts'

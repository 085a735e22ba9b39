export type { Language, SourceParser } from './languages/language.ts'
export { type LocalParser, type LocalParserSettings, localParser } from './local/local-parser.ts'

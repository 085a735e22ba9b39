export { type LocalParser, type LocalParserSettings, localParser } from './local/local-parser.ts'
export { type OpenParser, openParser } from './open-parser.ts'
export { type ParserSettings, parserSettings } from './settings/parser-settings.ts'

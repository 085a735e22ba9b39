export { parserSchema, type WrittenParser } from './settings/parser-schema.ts'
export { type ParserSettings, parserSettings } from './settings/parser-settings.ts'

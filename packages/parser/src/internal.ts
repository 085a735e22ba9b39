export type { Catalogues } from './languages/with-catalogues.ts'
export { readCatalogues } from './read-catalogues.ts'
export type { ParserServiceSettings, ParserSettingsContext } from './settings/parser-settings.ts'

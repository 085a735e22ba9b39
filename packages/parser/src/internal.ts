export type { Catalogues } from './languages/with-catalogues.ts'
export { readCatalogues } from './read-catalogues.ts'
export type { Environment } from './settings/parser-environment.ts'
export type { ParserServiceSettings, ParserSettingsContext } from './settings/parser-settings.ts'

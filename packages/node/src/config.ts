export { type BuiltContracts, buildContracts } from './config/build-contracts.ts'
export { notSet } from './config/expand-variables.ts'
export { placeOf as pluginPlace, withPlugins } from './config/load-plugins.ts'
export { memberOf, recordsOf, rulesIn, textsOf } from './config/plain-data.ts'
export { type LoadedPlugin, type OpenPluginHost, type PluginHost, PluginSet } from './config/plugin-set.ts'
export { PreparedData } from './config/prepared-data.ts'
export {
  type FileSurroundings,
  type OutsideRuleName,
  pluginsSchema,
  readContractFile,
  readPlugins,
  readRuleNames,
} from './config/read-files.ts'
export { type ReadFile, readSchemaFiles, takesSchemaFile, type WithSchemas } from './config/schema-files.ts'
export { type ProgramVariables, secretsIn, usualEnvironment } from './workers/usual-environment.ts'

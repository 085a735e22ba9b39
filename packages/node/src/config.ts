export { nearestConfig } from './cases/case-contracts.ts'
export { type Expectation, readCaseFile, type WrittenCase } from './cases/case-file.ts'
export { type CaseResult, type Difference, describeDifferences, runCase } from './cases/run-case.ts'
export { type BuiltContracts, buildContracts } from './config/build-contracts.ts'
export { notSet } from './config/expand-variables.ts'
export { placeOf as pluginPlace, withPlugins } from './config/load-plugins.ts'
export { recordsOf, rulesIn } from './config/plain-data.ts'
export { type LoadedPlugin, type OpenPluginHost, type PluginHost, PluginSet } from './config/plugin-set.ts'
export { prepareFile } from './config/prepare-file.ts'
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

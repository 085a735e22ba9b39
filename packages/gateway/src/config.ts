export { restartKeys } from './config/live/restart-keys.ts'
export { placeOf as pluginPlace } from './config/plugins/load-plugins.ts'
export type { OpenPluginHost, PluginHost } from './config/plugins/plugin-host.ts'
export { type LoadedPlugin, PluginSet } from './config/plugins/plugin-set.ts'
export {
  type ConfigFile,
  type ConfigSurroundings,
  type OutsideRuleName,
  readConfigFile,
  readContractFile,
  readPlugins,
  readRuleNames,
} from './config/reading/read-config-file.ts'
export { readSchemaFiles } from './config/reading/schema-files.ts'
export { configJsonSchema } from './config/schema/config-json-schema.ts'
export { type ConfigValue, configSchema } from './config/schema/config-schema.ts'

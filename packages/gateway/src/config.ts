export { restartKeys } from './config/live/restart-keys.ts'
export { type ConfigFile, type ConfigSurroundings, readConfigFile } from './config/reading/read-config-file.ts'
export { configJsonSchema } from './config/schema/config-json-schema.ts'
export { type ConfigValue, configSchema } from './config/schema/config-schema.ts'

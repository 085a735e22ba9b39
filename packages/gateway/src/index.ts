export { configJsonSchema } from './config/config-json-schema.ts'
export { type ConfigValue, configSchema } from './config/config-schema.ts'
export { demoConfig, demoSource } from './config/demo-config.ts'
export type { Environment } from './config/expand-environment.ts'
export { finishReasonsOf } from './config/finish-reasons-of.ts'
export type {
  AskConfig,
  ClaudeCliUpstreamConfig,
  GatewayConfig,
  HttpUpstreamConfig,
  RouteConfig,
  RouteTarget,
  ScriptedUpstreamConfig,
  ServerConfig,
  StoreConfig,
  UpstreamConfig,
} from './config/gateway-config.ts'
export { gatewayVariables } from './config/gateway-variables.ts'
export { type ConfigFile, type ConfigSurroundings, readConfigFile, readContractFile } from './config/read-config-file.ts'
export { type ConfigOverrides, overrideConfig, readGatewayConfig } from './config/read-gateway-config.ts'
export { type ConfigHolder, type ReloadListener, reloadable, watchReload } from './config/reloadable.ts'
export { resolveUpstream } from './config/resolve-upstream.ts'
export { commandRetrieval } from './config/retrieval/command-retrieval.ts'
export { resolveRetrieval } from './config/retrieval/resolve-retrieval.ts'
export type { RetrievalConfig } from './config/retrieval/retrieval-config.ts'
export { retrievalSchema } from './config/retrieval/retrieval-schema.ts'
export { targetPrices } from './config/route-prices.ts'
export { readSchemaFiles } from './config/schema-files.ts'
export { upstreamSchema, type WrittenUpstream } from './config/upstream-schema.ts'
export { type SmallBudget, smallBudgets } from './enforcement/budgets/small-budgets.ts'
export { usesParser } from './enforcement/parsing/parser-checks.ts'
export { indexDemo } from './enforcement/retrieving/index-demo.ts'
export { createRetrieving, type Retrieving } from './enforcement/retrieving/retrieving.ts'
export { isLoopback } from './front/access/hosts.ts'
export { expiredKeys } from './front/access/keys.ts'
export type { Gateway, GatewayOptions } from './gateway.ts'
export { mergeCounters } from './observe/merge-metrics.ts'
export type { MetricsSnapshot } from './observe/metrics.ts'
export { startGateway } from './start-gateway.ts'
export {
  checkGrpcFiles,
  checkParserFiles,
  type IndexProbe,
  probeIndex,
  probeParser,
  probeStore,
  probeUpstreams,
  type UpstreamProbe,
} from './upstreams/probes.ts'

export { type ConfigHolder, type ReloadListener, reloadable, watchReload } from './config/live/reloadable.ts'
export { gatewayVariables } from './config/reading/gateway-variables.ts'
export { type ConfigOverrides, overrideConfig, readGatewayConfig } from './config/reading/read-gateway-config.ts'
export { checkGrpcFiles } from './config/resolved/check-grpc-files.ts'
export { commandRetrieval } from './config/resolved/command-retrieval.ts'
export { demoConfig, demoSource } from './config/resolved/demo-config.ts'
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
} from './config/resolved/gateway-config.ts'
export { resolveRetrieval } from './config/resolved/resolve-retrieval.ts'
export { resolveUpstream } from './config/resolved/resolve-upstream.ts'
export type { RetrievalConfig } from './config/resolved/retrieval-config.ts'
export { targetPrices } from './config/resolved/route-prices.ts'
export { retrievalSchema } from './config/schema/retrieval-schema.ts'
export { upstreamSchema, type WrittenUpstream } from './config/schema/upstream-schema.ts'
export { type SmallBudget, smallBudgets } from './enforcement/budgets/small-budgets.ts'
export { checkParserFiles, probeParser } from './enforcement/parsing/probe-parser.ts'
export { indexDemo } from './enforcement/retrieving/index-demo.ts'
export { type IndexProbe, probeIndex } from './enforcement/retrieving/probe-index.ts'
export { createRetrieving, type Retrieving } from './enforcement/retrieving/retrieving.ts'
export { isLoopback } from './front/access/hosts.ts'
export { expiredKeys } from './front/access/keys.ts'
export type { Gateway } from './gateway.ts'
export type { GatewayOptions } from './house.ts'
export { mergeCounters } from './observe/metrics/merge-metrics.ts'
export type { MetricsSnapshot } from './observe/metrics/metrics.ts'
export { probeUpstreams, type UpstreamProbe } from './probe-upstreams.ts'
export { probeStore } from './records/store/probe-store.ts'
export { startGateway } from './start-gateway.ts'
export type { Environment } from './upstreams/settings/environment.ts'
export { finishReasonsOf } from './upstreams/settings/finish-reasons-of.ts'

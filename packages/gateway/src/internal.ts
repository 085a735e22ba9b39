export { type EvaluationProgress, progressFiles } from './admin/api/progress-format.ts'
export { readTime } from './admin/api/read-time.ts'
export { listRunning } from './admin/api/running-evaluations.ts'
export { type ConfigHolder, type ReloadListener, reloadable } from './config/live/reloadable.ts'
export type { RestartKey } from './config/live/restart-keys.ts'
export { gatewayVariables } from './config/reading/gateway-variables.ts'
export type {
  AskConfig,
  EmbeddingsConfig,
  EmbeddingsService,
  GrpcConfig,
  IndexConfig,
  JudgingConfig,
  KeyLimits,
  ModelChoice,
  RetrievalConfig,
  RouteConfig,
  RouteTarget,
  ServerConfig,
  StoreConfig,
  UnsetKey,
} from './config/resolved/gateway-config.ts'
export { checkGrpcFiles } from './config/resolved/grpc-config.ts'
export type { RulesConfig } from './config/resolved/outside-rules.ts'
export { commandRetrieval, type RetrievalSurroundings } from './config/resolved/resolve-retrieval.ts'
export { type CommandStoreOptions, commandStore } from './config/resolved/resolve-store.ts'
export { resolveUpstream } from './config/resolved/resolve-upstream.ts'
export { targetPrices } from './config/resolved/targets.ts'
export { upstreamSchema } from './config/schema/config-schema.ts'
export type { WrittenRetrieval } from './config/schema/retrieval-schema.ts'
export { demoEvaluation } from './demo/demo-models.ts'
export { type PlayOptions, playDemo } from './demo/play-demo.ts'
export { isLoopback } from './front/access/hosts.ts'
export { expiredKeys } from './front/access/keys.ts'
export type { LogDestination } from './front/log.ts'
export type { ReplyDescription, RouteDescription } from './front/route-description.ts'
export type { MetricsSnapshot } from './observe/metrics/metrics.ts'
export { mergeCounters, type OtherMetrics } from './observe/metrics/metrics-page.ts'
export { openSpanExport, type SpanExport } from './observe/tracing/otlp-export.ts'
export { probeUpstreams, type UpstreamProbe } from './probe-upstreams.ts'
export { firstStatus } from './records/run/first-status.ts'
export type { KeptCall } from './records/run/kept-calls.ts'
export type { ApiName, AttemptRecord, AuditRow, RunRecord, RunSummary } from './records/run/run-record.ts'
export type { KeptRun, RunCounts } from './records/run/stored-record.ts'
export type { NameTest } from './records/run/text-removal.ts'
export type { WrittenAnswer } from './records/run/written-answer.ts'
export type { LabelledRun, StoredLabel } from './records/store/labels.ts'
export { probeStore } from './records/store/probe-store.ts'
export type { CodeCount, CodeCounts } from './records/store/queries/code-tally.ts'
export type { AuditPage, StoredAudit } from './records/store/queries/list-audit.ts'
export type { ListedRun, RunPage } from './records/store/queries/listed-run.ts'
export type { ValidatorCost } from './records/store/queries/retry-costs.ts'
export type { RunFilter, RunLabel, RunMatch } from './records/store/queries/run-filter.ts'
export type { RunTexts } from './records/store/queries/run-texts.ts'
export type { RunFeed } from './records/store/queries/runs-since.ts'
export type {
  SessionDetail,
  SessionFilter,
  SessionPage,
  SessionStep,
  SessionSummary,
  StepTest,
} from './records/store/queries/session-queries.ts'
export type { Stats, StatsQuery } from './records/store/queries/stats.ts'
export type { Bucket } from './records/store/queries/stats-bucket.ts'
export type { Summary, SummaryQuery, Totals } from './records/store/queries/summary.ts'
export { openReader, type ReadStore, type RunReader } from './records/store/reader.ts'
export type { ContractStats, ContractSums } from './records/store/rollups/contract-stats.ts'
export type { FailureCount, Overview, OverviewQuery, RepairCount, RuleCount } from './records/store/rollups/overview.ts'
export type { SumsMatch } from './records/store/rollups/read-periods.ts'
export type { Dimension, Summed } from './records/store/rollups/run-facts.ts'
export type { RunTotals } from './records/store/rollups/totals.ts'
export type { FoundRun, StoreQueries } from './records/store/store.ts'
export type { AlertListener, StoreAlert } from './records/store/store-alert.ts'
export type { StoreOptions } from './records/store/store-options.ts'
export { StoreUnavailable, type UnavailableReason } from './records/store/store-unavailable.ts'
export { type SmallBudget, smallBudgets } from './requests/budgets/small-budgets.ts'
export type { JobSurroundings } from './services/judging/judge.ts'
export type { RulePorts } from './services/judging/message-ports.ts'
export { checkParserFiles, probeParser } from './services/parsing/parsing.ts'
export { indexDemo } from './services/retrieving/index-demo.ts'
export { type IndexProbe, probeIndex } from './services/retrieving/probe-index.ts'
export { createRetrieving, type OpenRetrieval, type Retrieving, type RetrievingPorts } from './services/retrieving/retrieving.ts'
export { probeRules, type RuleProbe } from './services/rules/rule-client.ts'
export { createConfigured } from './upstreams/create-upstream.ts'
export type {
  Resilience,
  ResolvedKeys,
  RunChoices,
  Surroundings,
  UpstreamConfig,
  UpstreamKind,
  UpstreamMaker,
  UpstreamPorts,
  UpstreamSettings,
  UpstreamTraits,
} from './upstreams/kinds/upstream-kind.ts'
export { listedPrice, type PriceList } from './upstreams/list-prices.ts'
export { type RunnerSettings, runUpstream } from './upstreams/run-upstream.ts'
export type { Environment } from './upstreams/settings/environment.ts'
export type { WrittenUpstream } from './upstreams/settings/written-upstream.ts'
export type { TransportPorts } from './upstreams/transport/transport.ts'
export type { PassedReply, ProbeResult, Upstream } from './upstreams/upstream.ts'

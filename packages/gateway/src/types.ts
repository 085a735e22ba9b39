export type {
  Api,
  ChatRequest,
  ClientError,
  ClientRequest,
  FinalChoice,
  FinalReply,
  HttpError,
  HttpErrorDetails,
  PipelineVerdict,
  ProviderError,
  ReplyFrame,
  StreamEncoder,
  Verdict,
} from '@stickler/core/internal/apis'
export type { LoadedPlugin, OpenPluginHost, PluginHost, ReadFile, WithSchemas } from '@stickler/node/config'
export type { RestartKey } from './config/live/restart-keys.ts'
export type { ConfigSurroundings } from './config/reading/read-config-file.ts'
export type {
  EmbeddingsConfig,
  EmbeddingsService,
  GrpcConfig,
  IndexConfig,
  JudgingConfig,
  KeyLimits,
  ModelChoice,
} from './config/resolved/gateway-config.ts'
export type { RulesConfig } from './config/resolved/outside-rules.ts'
export type { RetrievalSurroundings } from './config/resolved/resolve-retrieval.ts'
export type { CommandStoreOptions } from './config/resolved/resolve-store.ts'
export type { ConfigValue } from './config/schema/config-schema.ts'
export type { WrittenRetrieval } from './config/schema/retrieval-schema.ts'
export type { LogDestination } from './front/log.ts'
export type { ReplyDescription, RouteDescription } from './front/route-description.ts'
export type { OtherMetrics } from './observe/metrics/metrics-page.ts'
export type { ApiName, AttemptRecord, AuditRow, RunRecord } from './records/run/run-record.ts'
export type { RunCounts } from './records/run/stored-record.ts'
export type { NameTest } from './records/run/text-removal.ts'
export type { CodeCount, CodeCounts } from './records/store/queries/code-tally.ts'
export type { AuditPage, StoredAudit } from './records/store/queries/list-audit.ts'
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
export type { StoreQueries } from './records/store/store.ts'
export type { AlertListener, StoreAlert } from './records/store/store-alert.ts'
export type { StoreOptions } from './records/store/store-options.ts'
export type { UnavailableReason } from './records/store/store-unavailable.ts'
export type { JobSurroundings } from './services/judging/judge.ts'
export type { RulePorts } from './services/judging/message-rules.ts'
export type { OpenRetrieval, RetrievingPorts } from './services/retrieving/retrieving.ts'
export type { Resilience, ResolvedKeys, RunChoices, Surroundings, UpstreamMaker, UpstreamPorts } from './upstreams/kinds/upstream-kind.ts'
export type { RunnerSettings } from './upstreams/run-upstream.ts'
export type { TransportPorts } from './upstreams/transport/transport.ts'
export type {
  BrokenEvent,
  CallRelay,
  CallWatcher,
  ChoiceEvents,
  Continuation,
  NativeRequest,
  OpenSession,
  PassedReply,
  ProbeResult,
  ProcessNotes,
  ReplyHead,
  UpstreamCall,
  UpstreamCallOptions,
} from './upstreams/upstream.ts'

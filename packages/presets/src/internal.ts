export { assistanceService, type WireAnswer, type WireQuestion } from './avap/assistance-service.ts'
export type { Arity, AvapAlias, AvapCommand, AvapConstruct } from './avap/language/catalogue.ts'
export { circuitLines, pipelineLogLines, unvalidatedLine } from './avap/log-lines.ts'
export { parserVariables } from './avap/parser-variables.ts'
export { languages, type PipelineDefinition, pipelines } from './for-hosts.ts'
export { answerCacheKey, type CacheInputs } from './reddb/answer-cache/cache-key.ts'
export {
  type CacheDecision,
  type CacheRequest,
  type CacheSettings,
  decideCache,
  readCacheRequest,
} from './reddb/answer-cache/cache-policy.ts'
export { parseTtl } from './reddb/answer-cache/ttl.ts'
export {
  type AskFailure,
  type AskStatus,
  type AuditCut,
  type AuditPipeline,
  type AuditRow,
  type AuditState,
  auditRow,
} from './reddb/audit/audit-row.ts'
export { parseCitations as readCitations } from './reddb/citations/parse.ts'
export { type Capabilities, capabilitiesOf, resolveMode } from './reddb/citing-mode.ts'
export {
  type Breach,
  type CostLimitName,
  type CostLimits,
  type CostUsage,
  capBreach,
  defaultCostLimits,
  guardCost,
  lateBreach,
  readCostLimits,
} from './reddb/cost-guard.ts'
export { reddb as citedAnswers } from './reddb/preset.ts'
export { sha256, sha256Hex } from './reddb/sha256.ts'
export { deriveSeed, sourcesFingerprint, versionedSources } from './reddb/sources-fingerprint.ts'
export { byteSpans } from './reddb/wire/byte-spans.ts'
export { canonicalJson } from './reddb/wire/canonical-json.ts'
export {
  type AskEnvelope,
  type AskError,
  type AskMode,
  type AskResult,
  type AskSource,
  type AskValidation,
  type AskWarning,
  askEnvelope,
  type ByteSpan,
  envelopeBytes,
  type FailedCode,
  type FailedProvider,
  giveUpBody,
} from './reddb/wire/envelope.ts'
export { answerTokenFrame, errorFrame, sourcesFrame, validationFrame } from './reddb/wire/frames.ts'

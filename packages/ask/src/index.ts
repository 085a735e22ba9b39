export { type AskService, type AskStream, ask, openAsk } from './ask.ts'
export { type AskStatus, type AuditCut, type AuditPipeline, type AuditRow, auditRow } from './audit/audit-row.ts'
export { memoryAudit } from './audit/memory-audit.ts'
export { type RefusedQuestion, refusalRow } from './audit/refusal-row.ts'
export { answerCacheKey, type CacheInputs, type CacheScope } from './cache/cache-key.ts'
export { type CacheRequest, type CacheSettings, decideCache, readCacheRequest } from './cache/cache-policy.ts'
export { memoryCache } from './cache/memory-cache.ts'
export { parseTtl } from './cache/ttl.ts'
export { extractiveRunner } from './extractive/extractive-runner.ts'
export {
  type AnswerCache,
  type AskKnobs,
  type AskProvider,
  type AuditLog,
  type CachedAnswer,
  type CallCost,
  PortUnavailable,
  type SharedLedger,
  type SpendHold,
  type SpendLedger,
} from './ports.ts'
export { askContract } from './providers/ask-contract.ts'
export type { AskPipeline, ModelOf } from './providers/ask-pipeline.ts'
export type { AskStep } from './providers/ask-step.ts'
export { type Capabilities, capabilitiesOf, resolveMode } from './providers/capabilities.ts'
export { validationOf } from './providers/judged-answer.ts'
export { leftReply } from './providers/left.ts'
export { isPiped } from './providers/prepare-by-pipeline.ts'
export { type Determinism, decideDeterminism } from './question/determinism.ts'
export { askPrompt } from './question/prompt.ts'
export { deriveSeed } from './question/question.ts'
export { type AskRequest, readAskRequest } from './question/request.ts'
export { fenceSource, fenceSources } from './question/source-fence.ts'
export { contentVersion, sourcesFingerprint } from './question/sources-fingerprint.ts'
export { canonicalJson } from './reply/canonical-json.ts'
export {
  type AskEnvelope,
  type AskError,
  type AskMode,
  type AskSource,
  type AskValidation,
  type AskWarning,
  askEnvelope,
  envelopeBytes,
  giveUpBody,
} from './reply/envelope.ts'
export { answerTokenFrame, errorFrame, lastFrame, sourcesFrame, stepFrame, validationFrame } from './reply/frames.ts'
export { type AskAnswered, type AskRefused, type AskReply, type FailedCode, type FailedProvider, refusalBody } from './reply/reply.ts'
export type { AskSettings } from './settings.ts'
export {
  addSpend,
  type CostLimitName,
  type CostLimits,
  type DaySpend,
  defaultCostLimits,
  freshDay,
  guardCost,
  readCostLimits,
} from './spending/cost-guard.ts'
export { memoryLedger } from './spending/memory-ledger.ts'

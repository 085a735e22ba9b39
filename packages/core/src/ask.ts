export { estimateTokens, estimateTokensOfBytes } from './engine/estimate-tokens.ts'
export { type AskStatus, type AuditCut, type AuditRow, auditRow } from './pipeline/ask/audit-row.ts'
export { answerCacheKey, type CacheInputs, type CacheScope } from './pipeline/ask/cache-key.ts'
export { type CacheRequest, type CacheSettings, decideCache, readCacheRequest } from './pipeline/ask/cache-policy.ts'
export { canonicalJson } from './pipeline/ask/canonical-json.ts'
export { type Capabilities, capabilitiesOf, resolveMode } from './pipeline/ask/capabilities.ts'
export {
  addSpend,
  type CostLimitName,
  type CostLimits,
  type DaySpend,
  defaultCostLimits,
  freshDay,
  guardCost,
  readCostLimits,
} from './pipeline/ask/cost-guard.ts'
export { type Determinism, decideDeterminism } from './pipeline/ask/determinism.ts'
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
} from './pipeline/ask/envelope.ts'
export { answerTokenFrame, errorFrame, sourcesFrame, validationFrame } from './pipeline/ask/frames.ts'
export { validationOf } from './pipeline/ask/judged-answer.ts'
export { memoryAudit } from './pipeline/ask/memory-audit.ts'
export { memoryCache } from './pipeline/ask/memory-cache.ts'
export { memoryLedger } from './pipeline/ask/memory-ledger.ts'
export type { AnswerCache, AskKnobs, AskPrice, AskProvider, AuditLog, CachedAnswer, SpendLedger } from './pipeline/ask/ports.ts'
export { askPrompt } from './pipeline/ask/prompt.ts'
export { askContract } from './pipeline/ask/put-to-provider.ts'
export { type RefusedQuestion, refusalRow } from './pipeline/ask/refusal-row.ts'
export { type AskAnswered, type AskRefused, type AskReply, refusalBody } from './pipeline/ask/reply.ts'
export { type AskRequest, readAskRequest, requestFault } from './pipeline/ask/request.ts'
export { deriveSeed } from './pipeline/ask/seed.ts'
export type { AskSettings } from './pipeline/ask/settings.ts'
export { fenceSource, fenceSources } from './pipeline/ask/source-fence.ts'
export { contentVersion, sourcesFingerprint } from './pipeline/ask/sources-fingerprint.ts'
export { parseTtl } from './pipeline/ask/ttl.ts'
export { type AskService, type AskStream, ask, openAsk } from './pipeline/ask.ts'

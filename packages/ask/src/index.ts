export { type AskService, type AskStream, ask, openAsk } from './ask.ts'
export type { AuditRow } from './audit/audit-row.ts'
export { memoryAudit } from './audit/memory-audit.ts'
export type { CacheSettings } from './cache/cache-policy.ts'
export { memoryCache } from './cache/memory-cache.ts'
export {
  type AnswerCache,
  type AskKnobs,
  type AskProvider,
  type AuditLog,
  type CachedAnswer,
  type CallCost,
  PortUnavailable,
  type SharedLedger,
  type SpendLedger,
} from './ports.ts'
export type { AskStep } from './providers/ask-step.ts'
export type { AskRequest } from './question/request.ts'
export type { AskEnvelope, AskError, AskMode, AskSource, AskValidation, AskWarning } from './reply/envelope.ts'
export { type AskAnswered, type AskRefused, type AskReply, refusalBody } from './reply/reply.ts'
export type { AskSettings } from './settings.ts'
export type { CostLimits } from './spending/cost-guard.ts'
export { memoryLedger } from './spending/memory-ledger.ts'

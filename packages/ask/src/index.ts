export type {
  AskEnvelope,
  AskError,
  AskMode,
  AskSource,
  AskValidation,
  AskWarning,
  AuditRow,
  CacheSettings,
  CostLimits,
} from '@stickler/presets/internal'
export { type AskService, type AskStream, ask, openAsk } from './ask.ts'
export { memoryAudit } from './audit/memory-audit.ts'
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
export { type AskAnswered, type AskRefused, type AskReply, refusalBody } from './reply/reply.ts'
export type { AskSettings } from './settings.ts'
export { memoryLedger } from './spending/memory-ledger.ts'

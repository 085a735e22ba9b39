export { contentText, refusalText, unreadOf } from './answer/content.ts'
export {
  alwaysTellsFinish,
  type FinishMissing,
  finishKindOf,
  finishReasonIn,
  readFinishReason,
  worseFinish,
} from './answer/finish-reason.ts'
export { type FinishKind, finishWords } from './answer/finish-words.ts'
export { addUsage, noUsage } from './engine/decide/budget.ts'
export { Tally } from './engine/decide/tally.ts'
export { mostFeedbackBytesOf } from './engine/feedback/own-feedback.ts'
export { describeFailure } from './engine/outcome-of.ts'
export { asRunnerFailure, type FailureDetails } from './engine/runner-failure.ts'
export { abortSignalOf, Stop, type StopSignal } from './engine/stop.ts'
export { estimateTokens, estimateTokensOfBytes, promptTokens } from './engine/tokens/estimate-tokens.ts'
export { utf8Length } from './engine/tokens/utf8-length.ts'
export { asMessages, defaultEchoLimit, retryMessages } from './runners/conversation.ts'
export { endOf } from './runners/openai/openai-content.ts'
export { type Price, readUsage } from './runners/openai/openai-usage.ts'
export { type SseEvent, SseParser } from './runners/openai/sse.ts'
export { ToolCallDeltas } from './runners/openai/tool-call-deltas.ts'
export { readRetryAfter } from './runners/retry-after.ts'
export { isMaskable, redactFailure, redactor, secretRoom } from './runners/secrets.ts'
export { type DuplicateKey, findDuplicateKeys } from './schema/values/duplicate-keys.ts'
export { isDeeperThan } from './schema/values/json-depth.ts'

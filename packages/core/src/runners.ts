export { type AnswerRequest, answerFields, readAnswerRequest } from './answer/answer-request.ts'
export { contentText, refusalText, unreadOf } from './answer/content.ts'
export { alwaysTellsFinish, type FinishMissing, finishKindOf, readFinishReason, worseFinish } from './answer/finish-reason.ts'
export { type FinishKind, finishWords } from './answer/finish-words.ts'
export { pastContext } from './answer/past-context.ts'
export { type Fields, isFields } from './answer/tool-shapes/fields.ts'
export { withSoundCalls } from './catalogue.ts'
export { checkNumbers } from './contract/check-numbers.ts'
export { escapeMarkup } from './contract/escape-markup.ts'
export { clamp } from './contract/quote.ts'
export { requireAnswer } from './contract/require-answer.ts'
export { validationStatus } from './engine/check/validation-status.ts'
export { addUsage, noUsage } from './engine/decide/budget.ts'
export { Tally } from './engine/decide/tally.ts'
export { askAnew } from './engine/feedback/ask-anew.ts'
export { feedbackFor, mostFeedbackBytesOf } from './engine/feedback/own-feedback.ts'
export { describeFailure } from './engine/outcome-of.ts'
export { withInstructions } from './engine/run-state.ts'
export { asRunnerFailure, type FailureDetails } from './engine/runner-failure.ts'
export { abortSignalOf, Stop, type StopSignal } from './engine/stop.ts'
export { estimateTokens, estimateTokensOfBytes, promptTokens } from './engine/tokens/estimate-tokens.ts'
export { utf8Length } from './engine/tokens/utf8-length.ts'
export { type AnthropicRequest, anthropicRequest } from './runners/anthropic/anthropic-request.ts'
export { BodyReader } from './runners/body-reader.ts'
export { asMessages, defaultEchoLimit, retryMessages } from './runners/conversation.ts'
export { DroppedFields } from './runners/dropped-fields.ts'
export { endEvent } from './runners/end-event.ts'
export { failureOf } from './runners/failures/failure-of.ts'
export { HeldBack, isPassing, isTurnedAway, isUpstreamFault } from './runners/failures/is-passing.ts'
export { type Patience, type RepeatableCall, type RetryPorts, type RetrySettings, retryRules } from './runners/failures/patience.ts'
export { pause } from './runners/failures/pause.ts'
export {
  abortedFailure,
  connectionFailure,
  httpFailure,
  maxErrorBytes,
  protocolFailure,
  redirectFailure,
} from './runners/failures/provider-failures.ts'
export { readRetryAfter } from './runners/failures/retry-after.ts'
export { parseJson } from './runners/json.ts'
export { holdLeash, type Leash } from './runners/leash.ts'
export { endOf } from './runners/openai/openai-content.ts'
export { endpoint } from './runners/openai/openai-request.ts'
export { type Price, readUsage } from './runners/openai/openai-usage.ts'
export { type PostedRequest, post, throwUnlessOk } from './runners/openai/post.ts'
export { type SseEvent, SseParser } from './runners/openai/sse.ts'
export { errorMessage, errorObjectFailure } from './runners/provider-error.ts'
export {
  isMaskable,
  isMaskable,
  redactFailure,
  redactFailure,
  redactHeaders,
  redactor,
  redactor,
  secretRoom,
  secretRoom,
} from './runners/secrets.ts'
export { answerEnd } from './runners/wire-answer.ts'
export { isDeeperThan } from './schema/values/json-depth.ts'

export { addedTurns, forOneChoice, soundSource } from '../relay/attempts/added-turns.ts'
export { type ArrivalListener, Attempt, endedAnswer } from '../relay/attempts/attempt.ts'
export { attemptsUsage, choiceUsage } from '../relay/attempts/choice-usage.ts'
export { requestContext } from '../relay/attempts/request-context.ts'
export { type Calls, UpstreamRunner } from '../relay/attempts/upstream-runner.ts'
export { type ByteSource, pollUntil, readExcerpt, readPiece, tooLarge } from '../relay/calls/byte-source.ts'
export { addUsage } from '../relay/calls/call-usage.ts'
export { ChoiceQueues } from '../relay/calls/choice-queues.ts'
export { findOnce, retryContinuation } from '../relay/calls/continuation.ts'
export type { Incoming } from '../relay/calls/event-stream.ts'
export { readWhole } from '../relay/calls/read-whole.ts'
export { HeadAssembly } from '../relay/calls/reply-head.ts'
export { countOf, withSchemaInMessages, withSchemaInRules } from '../relay/calls/sent-schema.ts'
export type {
  CallRelay,
  CallWatcher,
  ChoiceEvents,
  Continuation,
  NativeRequest,
  OpenSession,
  ProcessNotes,
  ReplyHead,
  UpstreamCall,
  UpstreamCallOptions,
} from '../relay/calls/upstream-call.ts'
export { WireCall, type WireProvider } from '../relay/calls/wire-call.ts'
export { describeError, type SentError } from '../relay/errors/describe-error.ts'
export type { Mutable } from '../relay/mutable.ts'
export { type ChoiceListeners, type ErrorTerms, isGuarded, type RelayedChoice, type RelayedRequest } from '../relay/relayed-request.ts'
export { errorText, inertMarkdown, inLocale, withoutErrors } from '../relay/reply/error-text.ts'
export { mostRepairs, withListedRepairs } from '../relay/reply/listed-repairs.ts'
export { leavesOf, mayReason } from '../relay/reply/reasoned-texts.ts'
export { ReasoningSecrets, reasoningSecrets } from '../relay/reply/reasoning-secrets.ts'
export { replyWords } from '../relay/reply/reply-messages.ts'
export { droppedHeader } from '../relay/reply/reply-parts.ts'
export { validationHeader } from '../relay/reply/validation-status.ts'
export { undelivered } from '../relay/reply/violation.ts'
export { MadeEvents } from '../relay/stream/encoded-events.ts'
export { streamReply } from '../relay/stream/stream-reply.ts'
export { wholeReply } from '../relay/whole-reply.ts'

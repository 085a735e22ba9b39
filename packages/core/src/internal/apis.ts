export { coarseClock } from '../adapters/coarse-clock.ts'
export { requirePlain } from '../adapters/plain-data.ts'
export { chat } from '../apis/chat/chat.ts'
export { needOnlyJudged, saysSomething } from '../apis/chat/chat-conflicts.ts'
export { readUsage } from '../apis/chat/chat-usage.ts'
export { chatWire } from '../apis/chat/chat-wire.ts'
export { type ChatCall, chatCalls } from '../apis/chat/reply/chat-reply.ts'
export { type CallPlace, ToolCallAssembly } from '../apis/chat/tool-call-assembly.ts'
export { hasUnread } from '../apis/chat/unchecked-chat.ts'
export { describeApi } from '../apis/describe-api.ts'
export { apis } from '../apis/index.ts'
export { messages, messagesHeaders } from '../apis/messages/messages.ts'
export { messagesErrorSchema } from '../apis/messages/messages-description.ts'
export { messagesWire } from '../apis/messages/messages-wire.ts'
export { messagesErrorBody } from '../apis/messages/reply/messages-error.ts'
export { type AnthropicRequest, anthropicRequest, type ChatFields } from '../apis/messages/request/anthropic-request.ts'
export type { PipelineVerdict } from '../apis/reply/pipeline-verdict.ts'
export { bytesOf, isUnplaced, tokenEnd } from '../apis/reply/tokens.ts'
export { choiceMembers, replyMembers, validationMember } from '../apis/reply/verdict-body.ts'
export { certificateSchema, issueSchema } from '../apis/reply/verdict-schema.ts'
export { DroppedFields } from '../apis/request/dropped-fields.ts'
export { withheld } from '../apis/request/host-fields.ts'
export { refuseUnsupported } from '../apis/request/read-fields.ts'
export { responses } from '../apis/responses/responses.ts'
export { responsesWire } from '../apis/responses/responses-wire.ts'
export type {
  Api,
  ApiDescription,
  ChatRequest,
  ClientRequest,
  FinalChoice,
  FinalReply,
  ReplyFrame,
  RequestTexts,
  StreamEncoder,
  Verdict,
} from '../apis/shared/api.ts'
export { choiceEnd, type Endings } from '../apis/shared/choice-end.ts'
export type { ChoiceEnd, ChoiceEvent, See } from '../apis/shared/choice-event.ts'
export { type ClientError, openaiErrorBody, type ProviderError } from '../apis/shared/client-error.ts'
export { editedEvent, editedReply, eventValue } from '../apis/shared/edited-event.ts'
export { weightOfEvent } from '../apis/shared/event-weight.ts'
export { HttpError, type HttpErrorDetails } from '../apis/shared/http-error.ts'
export { changedCopies, withoutOtherCopies } from '../apis/shared/message-copies.ts'
export type { Passes, WireReference } from '../apis/shared/references.ts'
export { without } from '../apis/shared/selected-fields.ts'
export { type EventSink, Frames, heartbeatFrame } from '../apis/shared/sse-frames.ts'
export type { FitSchema, NativeSchema, PlacedSchema } from '../apis/shared/structured-output.ts'
export { distribute } from '../apis/shared/text-distribution.ts'
export { saidBytes } from '../apis/shared/unchecked-values.ts'
export { type Price, priced } from '../apis/shared/usage.ts'
export { isVerdict, verdictNames } from '../apis/shared/verdict-names.ts'
export type {
  ApiName,
  JudgedPart,
  Wire,
  WireChanges,
  WireEvent,
  WireHead,
  WireListener,
  WireReader,
  WireReply,
  WireRequest,
  WireTurns,
  WireWriter,
} from '../apis/shared/wire.ts'
export { settledLength } from '../engine/stream/settled-length.ts'
export { editJson, type JsonEdit } from '../json/edit-json.ts'
export { isAnthropic } from '../runners/anthropic/anthropic.ts'

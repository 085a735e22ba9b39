export { coarseClock } from './adapters/coarse-clock.ts'
export { callRule, type RuleCall, RuleRefused } from './adapters/rules/rule-call.ts'
export { harmless } from './adapters/rules/rule-event.ts'
export { readLine, writeRequest } from './adapters/rules/rule-lines.ts'
export { chat } from './apis/chat/chat.ts'
export { chatHead } from './apis/chat/chat-head.ts'
export { chatWire } from './apis/chat/chat-wire.ts'
export { mergeDelta } from './apis/chat/merge-delta.ts'
export { type ChatCall, chatCalls } from './apis/chat/reply/chat-calls.ts'
export { ToolCallAssembly } from './apis/chat/tool-call-assembly.ts'
export { messages, messagesHeaders } from './apis/messages/messages.ts'
export { messagesWire } from './apis/messages/messages-wire.ts'
export { messagesErrorBody, messagesErrorSchema } from './apis/messages/reply/messages-error.ts'
export { rawArgumentsKey, toolInputText } from './apis/messages/tool-input.ts'
export type { PipelineVerdict } from './apis/reply/pipeline-verdict.ts'
export { bytesOf, isUnplaced, tokenEnd } from './apis/reply/tokens.ts'
export { choiceMembers, replyMembers, validationMember } from './apis/reply/verdict-body.ts'
export { certificateSchema, issueSchema } from './apis/reply/verdict-schema.ts'
export { withheld } from './apis/request/host-fields.ts'
export { refuseUnsupported } from './apis/request/read-fields.ts'
export { responses } from './apis/responses/responses.ts'
export { responsesWire } from './apis/responses/responses-wire.ts'
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
} from './apis/shared/api.ts'
export { choiceEnd, type Endings } from './apis/shared/choice-end.ts'
export { type ClientError, openaiErrorBody, type ProviderError } from './apis/shared/client-error.ts'
export { distribute } from './apis/shared/distribute.ts'
export { editedEvent, editedReply, eventValue } from './apis/shared/edited-event.ts'
export { otherFields, without } from './apis/shared/fields.ts'
export { type EventSink, Frames, frame, heartbeatFrame } from './apis/shared/frame.ts'
export { HttpError, type HttpErrorDetails } from './apis/shared/http-error.ts'
export { parseReply, replyExcess, widestReply } from './apis/shared/parse-reply.ts'
export { excerpt, protocolFailure } from './apis/shared/provider-error.ts'
export type { Passes, WireReference } from './apis/shared/references.ts'
export { saidBytes } from './apis/shared/said-bytes.ts'
export { sumUsage } from './apis/shared/usage.ts'
export { isVerdict, verdictNames } from './apis/shared/verdict-names.ts'
export type { ChoiceEnd, ChoiceEvent, See } from './apis/shared/view.ts'
export { weightOfEvent } from './apis/shared/weight-of.ts'
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
} from './apis/shared/wire.ts'
export { enforceDirectly } from './engine/enforce.ts'
export { notStarted } from './engine/runner-failure.ts'
export { attempting, Deferred, type MaybePromise, whenReady } from './engine/waiting/deferred.ts'
export { editJson, elementSources, type JsonEdit, memberSource } from './json/edit-json.ts'
export type { JsonOutline } from './json/json-outline.ts'
export { isEndless } from './schema/read/endless.ts'
export { hasDuplicateKeys } from './schema/values/duplicate-keys.ts'
export type { JsonExtent } from './schema/values/json-extent.ts'
export type { Detector } from './validators/sensitive/detector.ts'
export { jwtDetector, keyDetector } from './validators/sensitive/keys.ts'

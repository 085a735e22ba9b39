export { chatHead } from './apis/chat/chat-head.ts'
export { chatWire } from './apis/chat/chat-wire.ts'
export { mergeDelta } from './apis/chat/merge-delta.ts'
export { ToolCallAssembly } from './apis/chat/tool-call-assembly.ts'
export { messagesWire } from './apis/messages/messages-wire.ts'
export { rawArgumentsKey, toolInputText } from './apis/messages/tool-input.ts'
export { responsesWire } from './apis/responses/responses-wire.ts'
export { choiceEnd, type Endings } from './apis/shared/choice-end.ts'
export { distribute } from './apis/shared/distribute.ts'
export { editedEvent, editedReply, eventValue } from './apis/shared/edited-event.ts'
export { frame } from './apis/shared/frame.ts'
export { otherFields } from './apis/shared/other-fields.ts'
export { parseReply, replyExcess, widestReply } from './apis/shared/parse-reply.ts'
export { excerpt, protocolFailure } from './apis/shared/provider-error.ts'
export type { Passes, WireReference } from './apis/shared/references.ts'
export { saidBytes } from './apis/shared/said-bytes.ts'
export { sumUsage } from './apis/shared/sum-usage.ts'
export type { ChoiceEnd, ChoiceEvent, See } from './apis/shared/view.ts'
export { weightOf, weightOfEvent } from './apis/shared/weight-of.ts'
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
export { editJson, elementSources, type JsonEdit, memberSource } from './json/edit-json.ts'
export { isEndless } from './schema/read/endless.ts'
export { hasDuplicateKeys } from './schema/values/duplicate-keys.ts'
export type { JsonExtent } from './schema/values/json-extent.ts'

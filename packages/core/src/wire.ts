export { excerpt, protocolFailure } from './runners/failures/provider-failures.ts'
export { chatHead } from './runners/wire/chat/chat-head.ts'
export { chatWire } from './runners/wire/chat/chat-wire.ts'
export { mergeDelta } from './runners/wire/chat/merge-delta.ts'
export { ToolCallAssembly } from './runners/wire/chat/tool-call-assembly.ts'
export { choiceEnd, type Endings } from './runners/wire/choice-end.ts'
export { distribute } from './runners/wire/distribute.ts'
export { editJson, elementSources, type JsonEdit, memberSource } from './runners/wire/edit-json.ts'
export { editedEvent, editedReply, eventValue } from './runners/wire/edited-event.ts'
export { frame } from './runners/wire/frame.ts'
export { messagesWire } from './runners/wire/messages/messages-wire.ts'
export { rawArgumentsKey, toolInputText } from './runners/wire/messages/tool-input.ts'
export { otherFields } from './runners/wire/other-fields.ts'
export { parseReply, replyExcess, widestReply } from './runners/wire/parse-reply.ts'
export type { Passes, WireReference } from './runners/wire/references.ts'
export { responsesWire } from './runners/wire/responses/responses-wire.ts'
export { saidBytes } from './runners/wire/said-bytes.ts'
export { sumUsage } from './runners/wire/sum-usage.ts'
export type { ChoiceEnd, ChoiceEvent, See } from './runners/wire/view.ts'
export { weightOf, weightOfEvent } from './runners/wire/weight-of.ts'
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
} from './runners/wire/wire.ts'
export { isEndless } from './schema/read/endless.ts'
export { hasDuplicateKeys } from './schema/values/duplicate-keys.ts'
export type { JsonExtent } from './schema/values/json-extent.ts'

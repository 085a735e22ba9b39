export type { ChoiceEnd, ChoiceEvent, See } from './runners/wire/view.ts'
export type { ApiName, JudgedPart, Wire, WireChanges, WireEvent, WireReader, WireReply, WireTurns } from './runners/wire/wire.ts'

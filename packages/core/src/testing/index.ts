export { type ScriptedCall, type ScriptedFailure, type ScriptedRunner, type ScriptedTurn, scripted } from '../runners/scripted.ts'
export { assertStreamable } from './assert-streamable.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'

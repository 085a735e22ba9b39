export { type ScriptedCall, type ScriptedFailure, type ScriptedRunner, type ScriptedTurn, scripted } from '../runners/scripted.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'

export { eventWithin, type HookEvent, isJudgedEvent, seenEvent } from './claude/hooks/seen-event.ts'

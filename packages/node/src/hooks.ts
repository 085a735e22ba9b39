export { type AnsweredHook, answerHook, type HookJudge, isJudgedEvent } from './claude/hooks/answer-hook.ts'
export { type BlockCounts, type Blocks, memoryCounts } from './claude/hooks/block-counts.ts'
export { failedHook, type HookEvent, type HookOutput } from './claude/hooks/hook-output.ts'
export { eventWithin, seenEvent } from './claude/hooks/seen-event.ts'

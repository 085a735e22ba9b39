export { type AnsweredHook, answerHook, type HookJudge } from './claude/hooks/answer-hook.ts'
export { type BlockCounts, type Blocks, memoryCounts } from './claude/hooks/block-counts.ts'
export { failedHook, type HookOutput } from './claude/hooks/hook-output.ts'

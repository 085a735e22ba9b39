export {
  type ClaudeCallOptions,
  type ClaudeCliSettings,
  type ClaudeRunner,
  checkClaudeCli,
  claudeCli,
  ProcessesBusy,
  type ProcessReport,
} from './claude/claude-cli.ts'
export { type CommandVariables, claudeCliEnvironment } from './claude/environment.ts'
export { type HookOptions, promptHook, stopHook, toolHook } from './claude/hooks/agent-hooks.ts'
export type { HookOutput } from './claude/hooks/hook-output.ts'

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

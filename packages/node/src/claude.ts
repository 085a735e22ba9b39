export { type ClaudeCallOptions, type ClaudeCliSettings, type ClaudeRunner, type ProcessReport, ProcessesBusy, checkClaudeCli, claudeCli } from './claude/claude-cli.ts'
export { type CommandVariables, claudeCliEnvironment } from './claude/environment.ts'

export { type ClaudeCallOptions, type ClaudeCliSettings, type ClaudeRunner, claudeCli, type ProcessReport } from './claude-cli.ts'
export { type CommandVariables, claudeCliEnvironment } from './environment.ts'
export { ProcessesBusy } from './processes-busy.ts'
export { checkClaudeCli } from './version.ts'

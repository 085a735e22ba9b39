export { nodeFiles } from './adapters/node-files.ts'
export { FileFault, openRegularFile, readRegularFile, unlikeFile } from './adapters/node-regular-file.ts'
export {
  type ClaudeCallOptions,
  type ClaudeCliSettings,
  type ClaudeRunner,
  claudeCli,
  type ProcessReport,
} from './runners/claude-cli/claude-cli.ts'
export { type CommandVariables, claudeCliEnvironment } from './runners/claude-cli/environment.ts'
export { ProcessesBusy } from './runners/claude-cli/pool.ts'
export { checkClaudeCli } from './runners/claude-cli/version.ts'

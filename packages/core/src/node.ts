export { nodeFiles } from './adapters/node-files.ts'
export { type ClaudeCliSettings, claudeCli } from './runners/claude-cli.ts'

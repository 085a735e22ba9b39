export { nodeFiles } from './adapters/node-files.ts'
export { claudeCli } from './runners/claude-cli.ts'

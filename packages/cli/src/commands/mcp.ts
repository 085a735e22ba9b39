import type { McpFlags } from '../mcp/serve-mcp.ts'
import type { CommandRecord } from './command.ts'

/** `stickler mcp`. */
export const mcp: CommandRecord = {
  name: 'mcp',
  summary: 'serve checks to agents over MCP',
  description:
    'Serves the tools check_answer, list_contracts and explain_code to an MCP client, over standard input and output.\n' +
    'Exits with 0 when the client closes the connection.',
  options: (command) => command.option('--config <file>', 'configuration file; default: ./stickler.yaml'),
  run: async (_args, flags: McpFlags, { cli }) => (await import('../mcp/serve-mcp.ts')).serveMcp(flags, cli),
}

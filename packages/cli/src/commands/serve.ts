import type { ServeFlags } from '../serve/serve-alone.ts'
import { wholeNumber } from '../whole-number.ts'
import type { CommandRecord } from './command.ts'

/** `stickler serve`. */
export const serve: CommandRecord = {
  name: 'serve',
  summary: 'run the gateway in front of models',
  description:
    'Starts the gateway: clients talk to it as they would to OpenAI or Anthropic, and every answer keeps its contract.\n' +
    'SIGTERM and Ctrl-C let requests finish, and a second signal stops at once; SIGHUP reloads the configuration.',
  options: (command) =>
    command
      .option('--config <file>', 'the configuration, in place of ./stickler.yaml')
      .option('--demo', 'models that misbehave, without key, network or configuration')
      .option('--no-traffic', 'with --demo: send no requests of its own')
      .option('--host <address>', 'address to listen on, instead of server.host')
      .option('--port <number>', 'instead of server.port; 0 picks a free port', wholeNumber(0, 65_535))
      .option('--workers <number>', 'processes that share the port, in place of server.workers', wholeNumber(1, 64))
      .option('--store <url>', 'where runs are recorded, in place of store.url: sqlite:FILE or postgres://…')
      .option('--json', 'print the address as one line of JSON'),
  run: async (_args, flags: ServeFlags, { cli, platform }) =>
    (await import('../serve/serve-gateway.ts')).serveGateway(flags, cli, await platform()),
}

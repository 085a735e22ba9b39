import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { wholeNumber } from '../whole-number.ts'
import { openConfigSource } from './config-source.ts'
import type { Doors } from './doors.ts'
import { gatherHangups } from './hangups.ts'
import { type ServeFlags, serveAlone } from './serve-alone.ts'
import { serveByWorkers } from './serve-by-workers.ts'
import { giveTimeToEnd } from './time-to-end.ts'

/** Defines `stickler serve`. */
export function defineServeCommand(command: Command, cli: Cli, end: (exitCode: number) => void, doors: Doors): void {
  command
    .description(
      'Starts the gateway: clients talk to it as they would to OpenAI or Anthropic, and every answer keeps its contract.\n' +
        'SIGTERM and Ctrl-C let requests finish, and a second signal stops at once; SIGHUP reloads the configuration.',
    )
    .option('--config <file>', 'the configuration, in place of ./stickler.yaml')
    .option('--demo', 'models that misbehave, without key, network or configuration')
    .option('--host <address>', 'address to listen on, instead of server.host')
    .option('--port <number>', 'instead of server.port; 0 picks a free port', wholeNumber(0, 65_535))
    .option('--workers <number>', 'processes that share the port, in place of server.workers', wholeNumber(1, 64))
    .option('--store <url>', 'where runs are recorded, in place of store.url: sqlite:FILE or postgres://…')
    .option('--json', 'print the address as one line of JSON')
    .action(async (flags: ServeFlags) => end(await serve(flags, cli, doors)))
}

async function serve(flags: ServeFlags, cli: Cli, doors: Doors): Promise<number> {
  const hangups = gatherHangups(doors.onHangup)
  const source = await openConfigSource(flags, cli.io).catch((error: unknown) => {
    hangups.forget()
    throw error
  })
  try {
    const config = await source.load()
    giveTimeToEnd(cli.io, config)
    const job = { config, source, flags, cli, doors, hangups }
    return await (config.server.workers > 1 && !doors.workers.isWorker ? serveByWorkers(job) : serveAlone(job))
  } finally {
    hangups.forget()
    await source.dispose()
    doors.workers.leave()
  }
}

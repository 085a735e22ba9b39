import type { Cli } from '../cli.ts'
import { openConfigSource } from './config-source.ts'
import type { Platform } from './node-platform.ts'
import { type ServeFlags, serveAlone } from './serve-alone.ts'
import { serveByWorkers } from './serve-by-workers.ts'
import { gatherHangups, giveTimeToEnd } from './signals.ts'

/** Serves the gateway until it is stopped; resolves to the exit code. */
export async function serveGateway(flags: ServeFlags, cli: Cli, platform: Platform): Promise<number> {
  const hangups = gatherHangups(platform.onHangup)
  const source = await openConfigSource(flags, cli.io).catch((error: unknown) => {
    hangups.forget()
    throw error
  })
  try {
    const config = await source.load()
    giveTimeToEnd(cli.io, config)
    const job = { config, source, flags, cli, platform, hangups }
    return await (config.server.workers > 1 && !platform.workers.isWorker ? serveByWorkers(job) : serveAlone(job))
  } finally {
    hangups.forget()
    await source.dispose()
    platform.workers.leave()
  }
}

import type { GatewayConfig } from '@stickler/gateway'
import type { Cli } from '../cli.ts'
import { announce, urlOf } from './announce.ts'
import { openConfigSource } from './config-source.ts'
import { holdConfig } from './hold-config.ts'
import { MetricsBroker } from './metrics-broker.ts'
import type { Platform } from './node-platform.ts'
import { playsTraffic, type ServeFlags, type ServeJob, serveAlone } from './serve-alone.ts'
import { gatherHangups, giveTimeToEnd } from './signals.ts'
import { supervise } from './supervise.ts'

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

/** Serves in several processes until it is stopped; resolves to the exit code. */
async function serveByWorkers({ config, source, flags, cli, platform, hangups }: ServeJob): Promise<number> {
  // A worker restarted later must listen where the others do, even if the file has changed.
  const { host, port } = config.server
  // Workers of a demo share its temporary store; other store addresses may contain a password and stay off command lines.
  const argv = argvOf({ ...flags, host, port, store: flags.demo ? config.store.url : flags.store })
  const broker = new MetricsBroker(platform.clock)
  let graceMs = config.server.shutdownGrace
  return supervise({
    count: config.server.workers,
    fork: () => broker.join(platform.workers.fork(argv)),
    clock: platform.clock,
    signal: cli.io.signal,
    graceMs: () => graceMs,
    note: cli.note,
    async onReady({ port, grpcPort }, reload) {
      // Read here first, so that an invalid file is reported once and reaches no worker.
      const takeOver = async (next: GatewayConfig): Promise<void> => {
        await platform.checkParserFiles(next)
        reload()
        graceMs = next.server.shutdownGrace
      }
      const holder = holdConfig(config, source, cli, { isQuiet: false, onReload: takeOver })
      hangups.answer(() => void holder.reload())
      const { host, admin } = config.server
      const adminUrl = admin && urlOf(admin.host, admin.port)
      const grpcUrl = config.grpc && grpcPort ? urlOf(config.grpc.host, grpcPort, config.grpc.tls ? 'grpcs' : 'grpc') : undefined
      const url = urlOf(host, port)
      const isPlaying = playsTraffic(flags, config)
      await announce({ url, adminUrl, grpcUrl, config, isDemo: flags.demo === true, isPlaying, json: flags.json === true }, cli)
      if (isPlaying) void platform.playDemo(url, { signal: cli.io.signal })
    },
  })
}

function argvOf({ config, demo, host, port, workers, store }: ServeFlags): string[] {
  const options = Object.entries({ config, host, port, workers, store }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
  return ['serve', ...(demo ? ['--demo'] : []), ...options]
}

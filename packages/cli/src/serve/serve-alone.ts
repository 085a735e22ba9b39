import { systemCode } from '@stickler/core/internal'
import type { Gateway, GatewayConfig } from '@stickler/gateway'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { whyNot } from '../files/why-not.ts'
import { announce } from './announce.ts'
import type { ConfigSource, SourceFlags } from './config-source.ts'
import { evaluateDemo } from './evaluate-demo.ts'
import { holdConfig } from './hold-config.ts'
import { logText } from './log-text.ts'
import type { Platform } from './node-platform.ts'
import { shareMetrics } from './share-metrics.ts'
import { aborted, type Hangups } from './signals.ts'
import { addressOf, type ReadyMessage } from './workers.ts'

/** What the command line says. */
export interface ServeFlags extends SourceFlags {
  readonly json?: true
}

/** What to serve, and everything needed for it. */
export interface ServeJob {
  readonly config: GatewayConfig
  readonly source: ConfigSource
  readonly flags: ServeFlags
  readonly cli: Cli
  readonly platform: Platform
  readonly hangups: Hangups
}

/** Serves in this process until it is stopped; resolves to the exit code. */
export async function serveAlone({ config, source, flags, cli, platform, hangups }: ServeJob): Promise<number> {
  const { io } = cli
  const spans = await platform.openSpanExport(io.env, cli.note)
  const gateway = await start(config, cli, platform)
  const holder = holdConfig(config, source, cli, { isQuiet: platform.workers.isWorker, onReload: (next) => gateway.reload(next) })
  try {
    const isDemo = flags.demo === true
    const { url, adminUrl, grpcUrl } = gateway
    platform.workers.primary?.send({ ready: addressOf(gateway) } satisfies ReadyMessage)
    const isFirst = !platform.workers.isWorker && !io.signal.aborted
    const isPlaying = isFirst && playsTraffic(flags, config)
    if (isFirst) await announce({ url, adminUrl, grpcUrl, config, isDemo, isPlaying, json: flags.json === true }, cli)
    hangups.answer(() => void holder.reload())
    const played = isPlaying ? platform.playDemo(url, { signal: io.signal }) : undefined
    const evaluated = isPlaying ? evaluateDemo({ url: adminUrl ?? url, folder: config.store.folder, io, clock: platform.clock }) : undefined
    await aborted(io.signal)
    await Promise.all([played, evaluated])
  } finally {
    gateway.drain()
    await gateway.close(holder.current.server.shutdownGrace)
    await spans?.close()
  }
  return exitCode.ok
}

/** Whether the demo sends requests of its own: where keys are needed, it has none. */
export function playsTraffic({ demo, traffic }: ServeFlags, { server }: GatewayConfig): boolean {
  return demo === true && traffic !== false && server.keyCount + server.operatorKeyCount === 0
}

async function start(config: GatewayConfig, { stderr, paintErr }: Cli, platform: Platform): Promise<Gateway> {
  const { primary } = platform.workers
  const shared = primary && shareMetrics(primary, platform.clock)
  try {
    const { format } = config.log
    const isText = format === 'text' || (format === 'auto' && stderr.isTerminal)
    const log = { write: (lines: string) => stderr.say(isText ? logText(lines, paintErr) : lines) }
    const gateway = await platform.startGateway({ config, log, ...(shared ? { otherMetrics: shared.others } : {}) })
    shared?.tell(() => gateway.metrics())
    return gateway
  } catch (error) {
    const code = systemCode(error)
    // The gateway reports ports itself, so system errors come from the store; errors of Node itself are bugs.
    if (code !== undefined && !code.startsWith('ERR_'))
      throw new UsageError(`cannot open the store ${config.store.shown}: ${whyNot(error)}`)
    throw error
  }
}

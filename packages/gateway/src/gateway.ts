import { apis as ours } from '@stickler/core/internal/apis'
import { LiveFeed } from './admin/api/live-feed.ts'
import { checkKeys, contractWarnings, keepLocked, openByMistake } from './config/live/live-config.ts'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { secretsOf } from './config/resolved/secrets-of.ts'
import { openListener } from './gateway-listener.ts'
import { type GatewayOptions, openParts } from './gateway-parts.ts'
import type { MetricsSnapshot } from './observe/metrics/metrics.ts'

/** A running gateway. */
export interface Gateway {
  /** Where it can be reached. */
  readonly url: string
  /** Where operators reach it, if they have a separate listener. */
  readonly adminUrl?: string
  /** Where questions are answered over gRPC, when they are. */
  readonly grpcUrl?: string
  /** Stops accepting work. */
  drain(): void
  /** Shuts down: running requests have `graceMs` to finish; all records are written. */
  close(graceMs?: number): Promise<void>
  /**
   * Applies another configuration, one at a time; running requests keep theirs. Resolves to the
   * keys that need a restart; rejects a bad one, which changes nothing.
   */
  reload(config: GatewayConfig): Promise<readonly string[]>
  /** Writes buffered log lines. */
  flushLog(): void
  /** Its own metrics, for other workers to show. */
  metrics(): Promise<MetricsSnapshot>
}

/** How long answers may still be judged by shadow contracts when the gateway closes. */
const shadowGraceMs = 1000

/** Starts a gateway: opens its parts, listens, and serves until it is closed. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const opened = await openParts(options)
  const { live, secrets, logging, metrics, records, snapshots, budgets, shadows, clock, today } = opened
  const feed = new LiveFeed({ queries: records.store, clock, log: logging.logger })
  const { apis = ours } = options
  let configuredAt = today()
  const open = async () => {
    await snapshots.open()
    return openListener(opened, { apis, feed, otherMetrics: options.otherMetrics, configuredAt: () => configuredAt })
  }
  const { drain, close, ...addresses } = await open().catch(async (error: unknown) => {
    await Promise.all([records.close(0), snapshots.close()])
    throw error
  })

  const warn = (): void => {
    const warning = openByMistake(live.current())
    if (warning !== undefined) logging.logger.warn(warning)
    for (const idle of contractWarnings(live.current())) logging.logger.warn(idle)
    for (const { of, variable } of live.current().unsetKeys ?? [])
      logging.logger.warn(`${of}: apiKeyEnv names ${variable}, which is not set: calls are sent without a key`)
  }
  warn()

  return {
    ...addresses,
    drain() {
      drain()
      feed.close()
    },
    async reload(written) {
      const { config: next, restart } = live.plan(written)
      checkKeys(next, today)
      keepLocked(live.current(), next)
      const lasting = await snapshots.prepare(next)
      if (lasting === undefined) return restart
      const { keys, operatorKeys } = live.current().server
      // Before anything can be sent with them.
      secrets.add(secretsOf(next))
      snapshots.replace(next, lasting)
      live.replace(next)
      // Listeners reconnect with a key that is still valid, or not at all.
      if (next.server.keys !== keys || next.server.operatorKeys !== operatorKeys) feed.close()
      configuredAt = today()
      warn()
      return restart
    },
    flushLog: () => logging.flush(),
    metrics: () => metrics.snapshot(),
    async close(graceMs = live.current().server.shutdownGrace) {
      feed.close()
      await close(graceMs)
      await shadows.close(Math.min(graceMs, shadowGraceMs))
      await snapshots.close()
      await budgets.close()
      await records.close()
      logging.flush()
    },
  }
}

import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { restartNeeded } from './restart-keys.ts'

/** The configuration that holds now; who takes it once keeps it for a whole request. */
export interface ConfigHolder {
  readonly current: GatewayConfig
  /** Loads the configuration anew; a bad one changes nothing. Resolves to whether it was taken over. */
  reload(): Promise<boolean>
}

/** What is told of a reload, one line each. */
export interface ReloadListener {
  /** `restart` names what changes only when the gateway is started anew. A configuration that it throws at or rejects is refused. */
  onReload(config: GatewayConfig, restart: readonly string[]): void | Promise<void>
  onRefused(line: string): void
}

/** Holds a configuration that can be loaded again while it is used. */
export function reloadable(first: GatewayConfig, load: () => Promise<GatewayConfig>, listener: ReloadListener): ConfigHolder {
  let current = first
  // One after the other: what was asked for last must win.
  let last: Promise<unknown> = Promise.resolve()

  async function reloadNow(): Promise<boolean> {
    try {
      const next = await load()
      // Against the start, not the last reload: what waits for a restart still waits.
      const restart = restartNeeded(first, next)
      // A configuration that the listener refuses is not taken over either.
      await listener.onReload(next, restart)
      current = next
      return true
    } catch (error) {
      listener.onRefused(`${current.file} was not reloaded, the configuration from before stays: ${firstLine(error)}`)
      return false
    }
  }

  return {
    get current() {
      return current
    },
    reload() {
      const next = last.then(reloadNow)
      last = next
      return next
    },
  }
}

/** Reloads whenever it is told to, such as by SIGHUP; returns how to stop that. */
export function watchReload(holder: ConfigHolder, subscribe: (listener: () => void) => () => void): () => void {
  return subscribe(() => void holder.reload())
}

function firstLine(error: unknown): string {
  const [first = '', ...others] = (error instanceof Error ? error.message : String(error)).split('\n')
  return others.length === 0 ? first : `${first} (and ${others.length} more)`
}

import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { restartNeeded } from './restart-keys.ts'

/** The current configuration; a request reads it once and keeps it. */
export interface ConfigHolder {
  readonly current: GatewayConfig
  /** Reloads the configuration; a bad one changes nothing. Resolves to whether it was applied. */
  reload(): Promise<boolean>
}

/** Log lines about a reload, one each. */
export interface ReloadListener {
  /**
   * `restart` lists changes that need a restart. Throwing or rejecting refuses the configuration.
   */
  onReload(config: GatewayConfig, restart: readonly string[]): void | Promise<void>
  /** Called for each line: what was refused, and every problem when there are several. */
  onRefused(line: string): void
}

/** Holds a configuration that can be reloaded in use. */
export function reloadable(first: GatewayConfig, load: () => Promise<GatewayConfig>, listener: ReloadListener): ConfigHolder {
  let current = first
  // One after the other: the last request must win.
  let last: Promise<unknown> = Promise.resolve()

  async function reloadNow(): Promise<boolean> {
    try {
      const next = await load()
      // Compared with the start, not the last reload: pending restarts stay pending.
      const restart = restartNeeded(first, next)
      // A configuration that the listener rejects is not applied either.
      await listener.onReload(next, restart)
      current = next
      return true
    } catch (error) {
      for (const line of refusalOf(current.file, error)) listener.onRefused(line)
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

/** One line, or with several problems one for each below it. */
function refusalOf(file: string, error: unknown): string[] {
  const [first = '', ...others] = (error instanceof Error ? error.message : String(error)).split('\n')
  const refused = `${file} was not reloaded, the previous configuration stays in use: `
  return others.length === 0 ? [`${refused}${first}`] : [`${refused}${others.length + 1} problems`, first, ...others]
}

import { errorMessage } from '@stickler/core/internal'
import type { GatewayConfig } from '@stickler/gateway'
import { restartNeeded } from '@stickler/gateway/internal'
import type { Cli } from '../cli.ts'
import type { ConfigSource } from './config-source.ts'
import { giveTimeToEnd } from './signals.ts'

/** The configuration in use. */
interface ConfigHolder {
  readonly current: GatewayConfig
  /** Loads it again; a bad one changes nothing. Resolves to whether it was applied. */
  reload(): Promise<boolean>
}

/** Holds a configuration that can be reloaded, and notes each reload; one that `onReload` rejects is refused. */
export function holdConfig(
  first: GatewayConfig,
  { load }: Pick<ConfigSource, 'load'>,
  { io, note }: Pick<Cli, 'io' | 'note'>,
  { isQuiet, onReload }: { readonly isQuiet: boolean; onReload(next: GatewayConfig): Promise<unknown> },
): ConfigHolder {
  let current = first
  // One after the other: the last request must win.
  let last: Promise<unknown> = Promise.resolve()

  async function reloadNow(): Promise<boolean> {
    try {
      const next = await load()
      await onReload(next)
      giveTimeToEnd(io, next)
      // Compared with the start, not the last reload: pending restarts stay pending.
      const restart = restartNeeded(first, next)
      if (!isQuiet) note(`reloaded ${next.file}${restart.length === 0 ? '' : `; needs a restart: ${restart.join(', ')}`}`)
      current = next
      return true
    } catch (error) {
      const [problem = '', ...others] = errorMessage(error).split('\n')
      const refused = `${current.file} was not reloaded, the previous configuration stays in use: `
      // One line, or with several problems one for each below it.
      note(`${refused}${others.length === 0 ? problem : `${others.length + 1} problems`}`)
      if (others.length > 0) for (const line of [problem, ...others]) note(line)
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

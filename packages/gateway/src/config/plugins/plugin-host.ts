import type { CheckData, DescribedModule, PreparedData } from '@stickler/core/remote'

/** Runs the code of plugins where it cannot stop this process. */
export interface PluginHost {
  /** What a plugin exports, as the file at the address `from` names it; rejects when the plugin ends or never ends. */
  describe(specifier: string, from: string): Promise<DescribedModule>
  /** Binds options; rejects when the plugin ends or never ends. */
  prepare(check: CheckData): Promise<PreparedData>
  close(): Promise<void>
}

/** Opens a host; what it has loaded is kept until it is closed. */
export type OpenPluginHost = () => Promise<PluginHost>

import type { CheckData, DescribedModule, PreparedData } from '@stickler/core/internal/remote'

/** Runs the code of plugins where it cannot stop this process. */
export interface PluginHost {
  /**
   * The exports of a plugin, as named by the file at the address `from`; rejects when the plugin
   * exits or hangs.
   */
  describe(specifier: string, from: string): Promise<DescribedModule>
  /** Binds options; rejects when the plugin exits or hangs. */
  prepare(check: CheckData): Promise<PreparedData>
  close(): Promise<void>
}

/** Opens a host; what it has loaded is kept until it is closed. */
export type OpenPluginHost = () => Promise<PluginHost>

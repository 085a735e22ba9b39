import type { Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { SyntaxParser } from '@stickler/core/validators'
import type { OpenPluginHost } from '@stickler/node/internal/config'
import { lazyService } from '@stickler/node/internal/services'

/** The plugins of one command: loaded when a configuration names some, and kept until the command ends. */
export interface CommandPlugins {
  /** The host shared by every reading of the configuration. */
  readonly open: OpenPluginHost
  /** Runs validators of plugins; undefined when no plugin is loaded. */
  executor(root: string, parser: SyntaxParser, rules: Pick<Ports, 'remote' | 'command'>): Executor | undefined
  close(): Promise<void>
}

/** Creates the plugins of a command; loads nothing before it is needed. */
export function commandPlugins(limits?: { readonly deadlineMs: number }): CommandPlugins {
  const threads = lazyService({
    open: async () => (await import('@stickler/gateway/internal/plugins')).openPluginThreads(limits),
    close: ({ close }) => close(),
    closed: () => new Error('the command has ended'),
  })
  return {
    async open() {
      const { host } = await threads.open()
      // Readings come and go; the command closes the host.
      return { describe: (...args) => host.describe(...args), prepare: (check) => host.prepare(check), close: async () => {} }
    },
    executor: (root, parser, rules) => threads.opened?.executor({ root }, parser, rules),
    close: threads.close,
  }
}

/** A separate host for every reading, so that each sees the current files. */
export const freshPlugins: OpenPluginHost = async () => (await import('@stickler/gateway/internal/plugins')).openPluginHost()

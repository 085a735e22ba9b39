import type { Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { SyntaxParser } from '@stickler/core/syntax'
import type { OpenPluginHost } from '@stickler/gateway/config'
import type { PluginThreads } from '@stickler/gateway/plugins'

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
  let opening: Promise<PluginThreads> | undefined
  let threads: PluginThreads | undefined
  return {
    async open() {
      opening ??= import('@stickler/gateway/plugins').then(({ openPluginThreads }) => openPluginThreads(limits))
      threads = await opening
      const { host } = threads
      // Readings come and go; the command closes the host.
      return { describe: (...args) => host.describe(...args), prepare: (check) => host.prepare(check), close: async () => {} }
    },
    executor: (root, parser, rules) => threads?.executor({ root }, parser, rules),
    close: async () => threads?.close(),
  }
}

/** A separate host for every reading, so that each sees the current files. */
export const freshPlugins: OpenPluginHost = async () => (await import('@stickler/gateway/plugins')).openPluginHost()

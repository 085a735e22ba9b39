import { dirname, resolve } from 'node:path'
import type { Ports } from '@stickler/core'
import { isFile } from '../config/choose-contract.ts'
import { configName } from '../config/config-name.ts'
import type { Io } from '../io.ts'

/** Runs rules outside of this process. */
export interface LazyRules {
  readonly ports: Pick<Ports, 'remote' | 'command'>
  close(): Promise<void>
}

/** Runs the remote rules of contracts; loaded on first use, because most commands need none. Programs run in the folder of the file that names them. */
export function lazyRules(
  { config, contract }: { readonly config?: string; readonly contract?: string },
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): LazyRules {
  const file = contract !== undefined && isFile(contract) ? contract : (config ?? configName)
  const folder = dirname(resolve(cwd, file))
  let opening: ReturnType<typeof open> | undefined
  async function open() {
    const [{ commandRules }, { remoteRules }] = await Promise.all([import('@stickler/node'), import('@stickler/core/services')])
    return { command: commandRules({ env, folder }), remote: remoteRules({ env }) }
  }
  const opened = (): ReturnType<typeof open> => {
    opening ??= open()
    return opening
  }
  return {
    ports: {
      remote: { ask: async (rule, request, signal) => (await opened()).remote.ask(rule, request, signal) },
      command: { ask: async (rule, request, signal) => (await opened()).command.ask(rule, request, signal) },
    },
    async close() {
      const { command, remote } = (await opening) ?? {}
      await Promise.all([command?.close(), remote?.close()])
    },
  }
}

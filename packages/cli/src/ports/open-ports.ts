import { dirname, resolve } from 'node:path'
import type { Contract, Ports } from '@stickler/core'
import { type Executor, usesParser } from '@stickler/core/internal'
import type { SyntaxParser } from '@stickler/core/validators'
import { isFolder, nodeFiles } from '@stickler/node/internal/files'
import { type LazyService, lazyParser, lazyService } from '@stickler/node/internal/services'
import type { OpenParser } from '@stickler/parser'
import { isFile } from '../config/choose-contract.ts'
import { configName } from '../config/config-name.ts'
import { loadConfig } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'

/** The ports of validators, for as long as a command runs. */
interface OpenPorts {
  /** The ports for the common root or another one. */
  portsFor(root?: string): Ports
  /** Runs validators of plugins for the same root; undefined without plugins. */
  executorFor(root?: string): Executor | undefined
  close(): Promise<void>
}

/** What the command line says about ports. */
interface PortFlags {
  readonly root?: string
  readonly config?: string
  /** The contract, whose file may say where programs run. */
  readonly contract?: string
}

/** Opens the ports; the common root must exist, and the parser settings must be valid if the contract needs a parser. */
export async function openPorts(flags: PortFlags, io: Pick<Io, 'env' | 'cwd' | 'plugins'>, contract?: Contract): Promise<OpenPorts> {
  const { root: common, config } = flags
  const { cwd } = io
  if (common !== undefined && !(await isFolder(resolve(cwd, common)))) throw new UsageError(`--root: there is no folder ${common}`)
  const parser = commandParser(config, io)
  const rules = commandRules(flags, io)
  const outside: Pick<Ports, 'remote' | 'command'> = {
    remote: { ask: async (...rule) => (await rules.open()).remote.ask(...rule) },
    command: { ask: async (...rule) => (await rules.open()).command.ask(...rule) },
  }
  if (contract !== undefined && usesParser(contract)) await parser.open()
  return {
    executorFor: (root = common ?? '.') => io.plugins?.executor(resolve(cwd, root), parser.port, outside),
    portsFor: (root = common ?? '.') => ({ files: nodeFiles(resolve(cwd, root)), parser: parser.port, ...outside }),
    async close() {
      await Promise.all([parser.close(), rules.close()])
    },
  }
}

/** The parser that the configuration or the environment names, else the local one; closing it rejects when their settings were wrong. */
export function commandParser(
  file: string | undefined,
  io: Pick<Io, 'env' | 'cwd'>,
): Pick<LazyService<OpenParser>, 'open' | 'close'> & { readonly port: SyntaxParser } {
  let failure: unknown
  const service = lazyService({
    async open() {
      const { openParser, parserSettings } = await import('@stickler/parser')
      try {
        const config = await loadConfig(file, io)
        const folder = dirname(resolve(io.cwd, file ?? configName))
        return await openParser(parserSettings(config?.value.parser, { env: io.env, folder }))
      } catch (error) {
        failure = error
        throw error
      }
    },
    close: (parser) => parser.close(),
    closed,
  })
  return {
    open: service.open,
    port: lazyParser(service),
    async close() {
      await service.close()
      if (failure !== undefined) throw failure
    },
  }
}

/** Runs the rules of contracts outside of this process; programs run in the folder of the file that names them. */
function commandRules({ config, contract }: PortFlags, { env, cwd }: Pick<Io, 'env' | 'cwd'>) {
  const file = contract !== undefined && isFile(contract) ? contract : (config ?? configName)
  return lazyService({
    async open() {
      const [{ commandRules }, { remoteRules }] = await Promise.all([import('@stickler/node'), import('@stickler/core/validators')])
      return { command: commandRules({ env, folder: dirname(resolve(cwd, file)) }), remote: remoteRules({ env }) }
    },
    close: async ({ command, remote }) => void (await Promise.all([command.close(), remote.close()])),
    closed,
  })
}

function closed(): Error {
  return new Error('the command has ended')
}

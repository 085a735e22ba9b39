import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Contract, Ports } from '@stickler/core'
import { usesParser } from '@stickler/core/checks'
import type { Executor } from '@stickler/core/remote'
import { nodeFiles } from '@stickler/node/files'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { lazyParser } from './lazy-parser.ts'
import { lazyRules } from './lazy-rules.ts'

/** The ports of validators, for as long as a command runs. */
export interface OpenPorts {
  /** The ports for the common root or another one. */
  portsFor(root?: string): Ports
  /** Runs validators of plugins for the same root; undefined without plugins. */
  executorFor(root?: string): Executor | undefined
  close(): Promise<void>
}

/** What the command line says about ports. */
export interface PortFlags {
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
  const parser = lazyParser(config, io)
  const rules = lazyRules(flags, io)
  if (contract !== undefined && usesParser(contract)) await parser.open()
  return {
    executorFor: (root = common ?? '.') => io.plugins?.executor(resolve(cwd, root), parser, rules.ports),
    portsFor: (root = common ?? '.') => ({ files: nodeFiles(resolve(cwd, root)), parser, ...rules.ports }),
    async close() {
      await Promise.all([parser.close(), rules.close()])
    },
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

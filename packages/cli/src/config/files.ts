import { resolve } from 'node:path'
import { type Catalogue, ConfigurationError, type ContractInput } from '@stickler/core'
import type { ConfigFile, ConfigSurroundings } from '@stickler/gateway/internal/config'
import type { OutsideRuleName, PluginSet } from '@stickler/node/internal/config'
import { readRegularFile } from '@stickler/node/internal/files'
import { catalogue } from '@stickler/presets'
import { UsageError } from '../errors.ts'
import { systemErrorCode, whyNot } from '../files/why-not.ts'
import { largestFile } from '../inputs/limits.ts'
import type { Io } from '../io.ts'
import { configName } from './config-name.ts'

/** The validators that a contract may name. */
export type Plugins = Pick<PluginSet, 'catalogue' | 'catalogueFor' | 'loaded'>

/** Those that ship with Stickler, without a plugin. */
export const noPlugins: Plugins = { loaded: [], catalogue, catalogueFor: async () => catalogue }

/** Reads a configuration; its schema is loaded when there is one, because that takes longer than most answers to check. */
export async function readConfig(source: string, file: string, io: Pick<Io, 'env' | 'cwd'>): Promise<Config> {
  const { readConfigFile } = await import('@stickler/gateway/internal/config')
  return readConfigFile(source, file, surroundings(io))
}

/** Reads a text file; a file that cannot be read is a usage error. */
export async function readTextFile(file: string, cwd: string): Promise<string> {
  try {
    return await readRegularFile(resolve(cwd, file), largestFile)
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${whyNot(error)}`)
  }
}

/** Reads the named configuration, or the one in the folder if it exists. */
export async function loadConfig(file: string | undefined, io: Pick<Io, 'env' | 'cwd'>): Promise<Config | undefined> {
  const source = await findConfig(file, io.cwd)
  return source === undefined ? undefined : readConfig(source, file ?? configName, io)
}

/** The contracts of a configuration, with the plugins that they may use. */
export interface LoadedContracts {
  readonly contracts: Readonly<Record<string, ContractInput>>
  readonly plugins: Plugins
}

/** Reads the contracts of the named configuration, or of the one in the folder if it exists; all of the file must be valid. */
export async function loadContracts(file: string | undefined, io: Pick<Io, 'env' | 'cwd'>): Promise<LoadedContracts | undefined> {
  const source = await findConfig(file, io.cwd)
  if (source === undefined) return undefined
  const { readContracts } = await import('@stickler/node/internal/contracts')
  const contracts = await readContracts(source, file ?? configName, surroundings(io))
  if (contracts !== undefined) return { contracts, plugins: noPlugins }
  const { value, plugins } = await readConfig(source, file ?? configName, io)
  return { contracts: value.contracts, plugins }
}

/** Loads only the plugins of the named configuration, or of the one in the folder if it exists. */
export async function loadPlugins(file: string | undefined, io: Pick<Io, 'env' | 'cwd' | 'plugins'>): Promise<Plugins> {
  const source = await findConfig(file, io.cwd)
  if (source === undefined) return noPlugins
  const { readPlugins } = await import('@stickler/node/internal/config')
  return readPlugins(source, file ?? configName, surroundings(io))
}

/** Loads the plugins of the same configuration, and the names of its rules outside of the process; the rest of it need not be valid. */
export async function loadVocabulary(
  file: string | undefined,
  io: Pick<Io, 'env' | 'cwd' | 'plugins'>,
): Promise<{ readonly catalogue: Catalogue; readonly rules: readonly OutsideRuleName[] }> {
  const source = await findConfig(file, io.cwd)
  if (source === undefined) return { catalogue, rules: [] }
  const { readPlugins, readRuleNames } = await import('@stickler/node/internal/config')
  const around = surroundings(io)
  return {
    catalogue: (await readPlugins(source, file ?? configName, around)).catalogue,
    rules: readRuleNames(source, file ?? configName, around),
  }
}

/** The text of the named configuration, or of the one in the folder if it exists. */
export async function findConfig(file: string | undefined, cwd: string): Promise<string | undefined> {
  if (file !== undefined) return readTextFile(file, cwd)
  try {
    return await readRegularFile(resolve(cwd, configName), largestFile)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw new UsageError(`cannot read ${configName}: ${whyNot(error)}`)
  }
}

/** A valid configuration file. */
export type Config = ConfigFile

/** What reading a configuration requires. */
export function surroundings({ env, cwd, plugins }: Pick<Io, 'env' | 'cwd' | 'plugins'>): ConfigSurroundings {
  return { env, cwd, readFile: (path) => readRegularFile(path, largestFile), plugins: plugins?.open }
}

/** What is invalid in an option of the command line is a usage error. */
export function asUsage<Result>(read: () => Result, flag: string | undefined): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigurationError) || flag === undefined) throw error
    throw new UsageError(error.problems.map(({ message }) => `${flag}: ${message}`).join('\n'))
  }
}

import { resolve } from 'node:path'
import type { Environment } from '@stickler/core'
import { ConfigurationError, type ContractInput } from '@stickler/core'
import { valueAt } from '@stickler/core/internal'
import * as z from 'zod'
import { buildOne } from './build-contracts.ts'
import { withPlugins } from './load-plugins.ts'
import { rulesIn } from './plain-data.ts'
import { type OpenPluginHost, PluginSet } from './plugin-set.ts'
import { prepareFile } from './prepare-file.ts'
import type { ReadFile } from './schema-files.ts'

/** The I/O that reading a file needs. */
export interface FileSurroundings {
  readonly env: Environment
  /** Reads a text file by its full path. */
  readonly readFile: ReadFile
  /** The base folder of relative file names. */
  readonly cwd: string
  /** Runs the code of plugins; without it a file that names plugins is rejected. */
  readonly plugins?: OpenPluginHost | undefined
}

/** The key `plugins` of a configuration. */
export const pluginsSchema = z
  .array(z.string().trim().min(1))
  .default([])
  .describe('Modules with your own validators: files, relative to this one, or packages. `checks` may name their exports.')

/** Reads only the plugins of a file, and loads them; throws a ConfigurationError on failure. */
export async function readPlugins(source: string, file: string, around: FileSurroundings): Promise<PluginSet> {
  const { data, finish } = prepareFile(z.looseObject({ plugins: pluginsSchema }), source, file, around.env)
  const { plugins, problems } = await withPlugins(data, resolve(around.cwd, file), around.plugins, async () => ({ problems: [] }))
  finish(problems)
  return plugins
}

/** A rule outside of the process that a contract names. */
export interface OutsideRuleName {
  readonly contract: string
  /** The validator that calls it, such as `remote`. */
  readonly kind: string
  readonly name: string
}

/** Reads only the names of rules outside of the process; the rest of the file need not be valid. */
export function readRuleNames(source: string, file: string, around: Pick<FileSurroundings, 'env'>): OutsideRuleName[] {
  const { data } = prepareFile(z.looseObject({}), source, file, around.env)
  return rulesIn(valueAt(data, ['contracts'])).map(([[, contract, , , kind], { name }]) => ({
    contract: String(contract),
    kind: String(kind),
    name: typeof name === 'string' ? name : String(kind),
  }))
}

/** Reads a file that is one contract, or a configuration with exactly one, which `readConfiguration` reads. */
export async function readContractFile(
  source: string,
  file: string,
  around: FileSurroundings,
  readConfiguration: () => Promise<{ readonly value: { readonly contracts: Readonly<Record<string, ContractInput>> } }>,
): Promise<ContractInput> {
  const { data, value, finish } = prepareFile(z.looseObject({}), source, file, around.env)
  if (['contracts', 'upstreams', 'routes', 'plugins'].some((key) => key in Object(data))) {
    const [first, ...others] = Object.values((await readConfiguration()).value.contracts)
    if (first !== undefined && others.length === 0) return first
    throw new ConfigurationError([
      { message: `${file} is a configuration; choose one of its contracts with --config ${file} --contract NAME`, path: [] },
    ])
  }
  const { input, problems } = await buildOne((value ?? {}) as ContractInput, resolve(around.cwd, file), around.readFile, new PluginSet())
  const isEmpty = problems.length === 0 && input.preset === undefined && input.checks === undefined
  finish(isEmpty ? [{ message: 'a contract needs `checks` or a `preset`', path: [] }] : problems)
  return input
}

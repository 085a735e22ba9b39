import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, type ConfigurationProblem, type Contract, type ContractInput, type YamlConfig } from '@stickler/core'
import * as z from 'zod'
import type { UpstreamKind } from '../../upstreams/kinds/upstream-kind.ts'
import type { Environment } from '../../upstreams/settings/environment.ts'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'
import { loadPlugins } from '../plugins/load-plugins.ts'
import type { OpenPluginHost } from '../plugins/plugin-host.ts'
import { PluginSet } from '../plugins/plugin-set.ts'
import { type ConfigValue, configSchema, configSchemaOf } from '../schema/config-schema.ts'
import { buildContracts, buildOne } from './build-contracts.ts'
import { checkReferences } from './cross-references.ts'
import { memberOf, recordsOf } from './plain-data.ts'
import { PreparedData } from './prepared-data.ts'
import type { ReadFile } from './schema-files.ts'
import { rulesIn } from './written-rules.ts'

/** The I/O that reading a configuration needs. */
export interface ConfigSurroundings {
  readonly env: Environment
  /** Reads a text file by its full path. */
  readonly readFile: ReadFile
  /** The base folder of relative file names. */
  readonly cwd: string
  /** The available kinds of upstreams; the built-in ones when absent. */
  readonly kinds?: readonly UpstreamKind[] | undefined
  /** Runs the code of plugins; without it a file that names plugins is rejected. */
  readonly plugins?: OpenPluginHost | undefined
}

/** A valid configuration file, as the command line needs it. */
export interface ConfigFile
  extends YamlConfig<Omit<ConfigValue, 'contracts'> & { readonly contracts: Readonly<Record<string, ContractInput>> }> {
  readonly contracts: ReadonlyMap<string, Contract>
  readonly plugins: PluginSet
}

/**
 * Reads a configuration; throws a ConfigurationError that lists every problem, by line and column.
 * Secrets are not required.
 */
export async function readConfigFile(source: string, file: string, around: ConfigSurroundings): Promise<ConfigFile> {
  return inspectConfig(source, file, around, () => [])
}

/** Reads a configuration, and adds `further` problems to those of the file itself. */
export async function inspectConfig(
  source: string,
  file: string,
  around: ConfigSurroundings,
  further: (data: unknown) => readonly ConfigurationProblem[],
): Promise<ConfigFile> {
  const prepared = new PreparedData(around.kinds === undefined ? configSchema : configSchemaOf(around.kinds), around.env)
  const config = prepared.read(source, file)
  const path = resolve(around.cwd, file)
  const { plugins, contracts, inputs, problems } = await withPlugins(prepared.data, path, around, (loaded) =>
    buildContracts(memberOf(prepared.data, 'contracts'), path, around.readFile, loaded),
  )
  const folder = dirname(path)
  const missing = await checkCommandFolders(prepared.data, folder)
  prepared.add([...problems, ...checkReferences(prepared.data), ...missing, ...further(prepared.data)])
  const { value, ...rest } = prepared.finish(config)
  return { ...rest, value: { ...value, upstreams: withCommandFolders(value.upstreams, folder), contracts: inputs }, contracts, plugins }
}

/** Reads only the plugins of a file, and loads them; throws a ConfigurationError on failure. */
export async function readPlugins(source: string, file: string, around: ConfigSurroundings): Promise<PluginSet> {
  const prepared = new PreparedData(z.looseObject({ plugins: configSchema.shape.plugins }), around.env)
  const config = prepared.read(source, file)
  const { plugins, problems } = await withPlugins(prepared.data, resolve(around.cwd, file), around, async () => ({ problems: [] }))
  prepared.add(problems)
  prepared.finish(config)
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
export function readRuleNames(source: string, file: string, around: Pick<ConfigSurroundings, 'env'>): OutsideRuleName[] {
  const prepared = new PreparedData(z.looseObject({}), around.env)
  prepared.read(source, file)
  return rulesIn(memberOf(prepared.data, 'contracts')).map(([[, contract, , , kind], { name }]) => ({
    contract: String(contract),
    kind: String(kind),
    name: typeof name === 'string' ? name : String(kind),
  }))
}

/** Builds something with the plugins of a file; their host is closed afterwards. */
async function withPlugins<Built extends { readonly problems: readonly ConfigurationProblem[] }>(
  data: unknown,
  path: string,
  around: ConfigSurroundings,
  build: (plugins: PluginSet) => Promise<Built>,
): Promise<Built & { readonly plugins: PluginSet }> {
  const written = memberOf(data, 'plugins')
  const host = Array.isArray(written) && written.length > 0 ? await around.plugins?.() : undefined
  try {
    const { plugins, problems } = await loadPlugins(written, path, host)
    const built = await build(plugins)
    return { ...built, plugins, problems: [...problems, ...built.problems] }
  } finally {
    await host?.close()
  }
}

/** Reads a file that is one contract, or a configuration with exactly one. */
export async function readContractFile(source: string, file: string, around: ConfigSurroundings): Promise<ContractInput> {
  const prepared = new PreparedData(z.looseObject({}), around.env)
  const bare = prepared.read(source, file)
  if (['contracts', 'upstreams', 'routes', 'plugins'].some((key) => key in Object(prepared.data))) {
    const [first, ...others] = Object.values((await readConfigFile(source, file, around)).value.contracts)
    if (first !== undefined && others.length === 0) return first
    throw new ConfigurationError([
      { message: `${file} is a configuration; choose one of its contracts with --config ${file} --contract NAME`, path: [] },
    ])
  }
  const { input, problems } = await buildOne(
    (bare?.value ?? {}) as ContractInput,
    resolve(around.cwd, file),
    around.readFile,
    new PluginSet(),
  )
  prepared.add(problems)
  if (problems.length === 0 && input.preset === undefined && input.checks === undefined) {
    prepared.add([{ message: 'a contract needs `checks` or a `preset`', path: [] }])
  }
  prepared.finish(bare)
  return input
}

/** Finds missing folders of commands; names are relative to `base`. */
async function checkCommandFolders(data: unknown, base: string): Promise<ConfigurationProblem[]> {
  const found = await Promise.all(
    recordsOf(memberOf(data, 'upstreams')).map(async ([index, { cwd }]): Promise<ConfigurationProblem[]> => {
      if (typeof cwd !== 'string' || cwd === '' || (await isFolder(resolve(base, cwd)))) return []
      return [{ message: `there is no folder ${cwd}`, path: ['upstreams', index, 'cwd'] }]
    }),
  )
  return found.flat()
}

/** The upstreams with the full paths of their folders. */
function withCommandFolders(upstreams: readonly WrittenUpstream[], base: string): WrittenUpstream[] {
  return upstreams.map((upstream) =>
    'cwd' in upstream && typeof upstream.cwd === 'string' ? { ...upstream, cwd: resolve(base, upstream.cwd) } : upstream,
  )
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

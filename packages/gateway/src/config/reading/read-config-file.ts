import { dirname, resolve } from 'node:path'
import type { ConfigurationProblem, Contract, ContractInput, YamlConfig } from '@stickler/core'
import { valueAt } from '@stickler/core/internal'
import { buildContracts, type FileSurroundings, type PluginSet, prepareFile, recordsOf, withPlugins } from '@stickler/node/internal/config'
import { isFolder } from '@stickler/node/internal/files'
import type { UpstreamKind } from '../../upstreams/kinds/upstream-kind.ts'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'
import { type ConfigSchema, type ConfigValue, configSchema, configSchemaOf } from '../schema/config-schema.ts'
import { checkReferences } from './cross-references.ts'

/** The I/O that reading a configuration needs. */
export interface ConfigSurroundings extends FileSurroundings {
  /** The available kinds of upstreams; the built-in ones when absent. */
  readonly kinds?: readonly UpstreamKind[] | undefined
}

/** A valid configuration file, as the command line needs it. */
export interface ConfigFile
  extends YamlConfig<Omit<ConfigValue, 'contracts'> & { readonly contracts: Readonly<Record<string, ContractInput>> }> {
  readonly contracts: ReadonlyMap<string, Contract>
  readonly plugins: PluginSet
}

/**
 * Reads a configuration; throws a ConfigurationError that lists every problem, by line and column,
 * with those that `further` finds. Secrets are not required.
 */
export async function readConfigFile(
  source: string,
  file: string,
  around: ConfigSurroundings,
  further: (data: unknown, schema: ConfigSchema) => readonly ConfigurationProblem[] = () => [],
): Promise<ConfigFile> {
  const schema = around.kinds === undefined ? configSchema : configSchemaOf(around.kinds)
  const { data, finish } = prepareFile(schema, source, file, around.env)
  const path = resolve(around.cwd, file)
  const { plugins, contracts, inputs, problems } = await withPlugins(data, path, around.plugins, (loaded) =>
    buildContracts(valueAt(data, ['contracts']), path, around.readFile, loaded),
  )
  const folder = dirname(path)
  const missing = await checkCommandFolders(data, folder)
  const { value, ...rest } = finish([...problems, ...checkReferences(schema, data), ...missing, ...further(data, schema)])
  return { ...rest, value: { ...value, upstreams: withCommandFolders(value.upstreams, folder), contracts: inputs }, contracts, plugins }
}

/** Finds missing folders of commands; names are relative to `base`. */
async function checkCommandFolders(data: unknown, base: string): Promise<ConfigurationProblem[]> {
  const found = await Promise.all(
    recordsOf(valueAt(data, ['upstreams'])).map(async ([index, { cwd }]): Promise<ConfigurationProblem[]> => {
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

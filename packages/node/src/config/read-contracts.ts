import { resolve } from 'node:path'
import type { ContractInput } from '@stickler/core'
import { contractsSchema } from '@stickler/core/internal'
import { buildContracts } from './build-contracts.ts'
import { PluginSet } from './plugin-set.ts'
import { PreparedData } from './prepared-data.ts'
import type { FileSurroundings } from './read-files.ts'

/** Reads a file that has contracts and nothing else, for which the schema of a whole configuration is not loaded; undefined for any other file. */
export async function readContracts(
  source: string,
  file: string,
  { env, cwd, readFile }: FileSurroundings,
): Promise<Readonly<Record<string, ContractInput>> | undefined> {
  const prepared = new PreparedData(contractsSchema(), env)
  const config = prepared.read(source, file)
  if (config === undefined) return undefined
  const { inputs, problems } = await buildContracts(config.value.contracts, resolve(cwd, file), readFile, new PluginSet())
  prepared.add(problems)
  prepared.finish(config)
  return inputs
}

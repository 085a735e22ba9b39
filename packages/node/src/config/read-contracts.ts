import { resolve } from 'node:path'
import type { ContractInput } from '@stickler/core'
import { contractsSchema } from '@stickler/core/internal'
import { buildContracts } from './build-contracts.ts'
import { PluginSet } from './plugin-set.ts'
import { prepareFile } from './prepare-file.ts'
import type { FileSurroundings } from './read-files.ts'

/** Reads a file that has contracts and nothing else, for which the schema of a whole configuration is not loaded; undefined for any other file. */
export async function readContracts(
  source: string,
  file: string,
  { env, cwd, readFile }: FileSurroundings,
): Promise<Readonly<Record<string, ContractInput>> | undefined> {
  const { value, finish } = prepareFile(contractsSchema(), source, file, env)
  if (value === undefined) return undefined
  const { inputs, problems } = await buildContracts(value.contracts, resolve(cwd, file), readFile, new PluginSet())
  finish(problems)
  return inputs
}

import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { buildContract, ConfigurationError, type Contract, type ContractInput } from '@stickler/core'
import { unknownName, valueAt } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import * as z from 'zod'
import { buildContracts } from '../config/build-contracts.ts'
import { withPlugins } from '../config/load-plugins.ts'
import { prepareFile } from '../config/prepare-file.ts'
import { type FileSurroundings, readContractFile } from '../config/read-files.ts'

const configName = 'stickler.yaml'

/** Whether what a case names is a file rather than a contract of the configuration. */
function isFile(written: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/i.test(written)
}

/** The configuration that is meant by cases in a folder: in it, or in the nearest folder above. */
export async function nearestConfig(folder: string): Promise<string | undefined> {
  const path = join(folder, configName)
  if (
    await stat(path).then(
      (found) => found.isFile(),
      () => false,
    )
  )
    return path
  const above = dirname(folder)
  return above === folder ? undefined : nearestConfig(above)
}

/** Finds the contracts that cases of a folder name, each read once. */
export function caseContracts(
  folder: string,
  around: FileSurroundings,
  config: string | undefined,
): (written: string | undefined) => Promise<Contract> {
  const built = new Map<string | undefined, Promise<Contract>>()
  const find = async (written: string | undefined): Promise<Contract> => {
    if (written !== undefined && isFile(written)) return contractOf(resolve(folder, written), around)
    const file = config ?? (await nearestConfig(folder))
    if (file === undefined) throw missing(`there is no ${configName} to find the contract in`)
    return named(written, await contractsIn(file, around), basename(file))
  }
  return (written) => {
    const known = built.get(written) ?? find(written)
    built.set(written, known)
    return known
  }
}

async function contractOf(file: string, around: FileSurroundings): Promise<Contract> {
  const read = async () => ({ value: { contracts: (await readContracts(file, around)).inputs } })
  return buildContract(await readContractFile(await around.readFile(file), file, around, read), catalogue)
}

function named(written: string | undefined, contracts: ReadonlyMap<string, Contract>, file: string): Contract {
  const names = [...contracts.keys()]
  const found = contracts.get(written ?? (names.length === 1 ? String(names[0]) : ''))
  if (found !== undefined) return found
  throw missing(
    written === undefined
      ? `${file} has ${names.length} contracts; name one: ${names.join(', ')}`
      : `${file}: ${unknownName('contract', written, names)}`,
  )
}

async function contractsIn(file: string, around: FileSurroundings): Promise<ReadonlyMap<string, Contract>> {
  return (await readContracts(file, around)).contracts
}

/** Reads only the contracts and plugins of a configuration. */
async function readContracts(
  file: string,
  around: FileSurroundings,
): Promise<{ readonly contracts: ReadonlyMap<string, Contract>; readonly inputs: Readonly<Record<string, ContractInput>> }> {
  const schema = z.looseObject({ contracts: z.record(z.string(), z.looseObject({})).optional() })
  const { data, finish } = prepareFile(schema, await around.readFile(file), file, around.env)
  const { problems, ...built } = await withPlugins(data, file, around.plugins, (plugins) =>
    buildContracts(valueAt(data, ['contracts']), file, around.readFile, plugins),
  )
  finish(problems)
  return built
}

function missing(message: string): ConfigurationError {
  return new ConfigurationError([{ message, path: ['contract'] }])
}

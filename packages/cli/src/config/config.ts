import {
  ConfigurationError,
  type ConfigurationProblem,
  type ContractInput,
  contract,
  readYamlConfig,
  type YamlConfig,
} from '@stickler/core'
import * as z from 'zod'
import { upstreamSchema } from './upstreams.ts'

const configSchema = z.strictObject({
  upstreams: z.array(upstreamSchema).default([]).describe('Models that can be asked; the first is the default.'),
  // What a contract may hold is for the library to say.
  contracts: z.record(z.string(), z.looseObject({})).default({}).describe('Contracts by name.'),
})

/** The name of the configuration file that is looked for. */
export const configName = 'stickler.yaml'

/** A configuration file with every contract in it found to be sound. */
export type Config = YamlConfig<z.output<typeof configSchema>>

/** Reads a configuration; throws a ConfigurationError that lists everything wrong with it, by line and column. */
export function readConfig(source: string, file: string): Config {
  const config = readYamlConfig(source, file, configSchema)
  const problems: ConfigurationProblem[] = []
  config.value.upstreams.forEach(({ name }, index, all) => {
    if (all.findIndex((other) => other.name === name) < index) {
      const path = ['upstreams', index, 'name']
      problems.push({ message: `there are two upstreams with the name ${JSON.stringify(name)}`, path, position: config.positionOf(path) })
    }
  })
  for (const [name, input] of Object.entries(config.value.contracts)) {
    try {
      config.within(['contracts', name], () => contract(input as ContractInput))
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return config
}

/** Reads a file that is one contract, or a configuration with exactly one in it. */
export function readContractFile(source: string, file: string): ContractInput {
  const bare = readYamlConfig(source, file, z.looseObject({}))
  if ('contracts' in bare.value || 'upstreams' in bare.value) {
    const [first, ...others] = Object.values(readConfig(source, file).value.contracts)
    if (first !== undefined && others.length === 0) return first as ContractInput
    throw new ConfigurationError([
      { message: `${file} is a configuration; choose one of its contracts with --config ${file} --contract NAME`, path: [] },
    ])
  }
  const input = bare.value as ContractInput
  bare.within([], () => contract(input))
  if (input.preset === undefined && input.checks === undefined) {
    throw new ConfigurationError([{ message: 'a contract needs `checks` or a `preset`', path: [], position: bare.positionOf([]) }])
  }
  return input
}

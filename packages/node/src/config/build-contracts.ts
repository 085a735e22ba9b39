import { buildContract, ConfigurationError, type ConfigurationProblem, type Contract, type ContractInput } from '@stickler/core'
import { isFields } from '@stickler/core/internal'
import type { PluginSet } from './plugin-set.ts'
import { type ReadFile, readSchemaFiles } from './schema-files.ts'

/** Contracts of a file, built once. */
export interface BuiltContracts {
  readonly contracts: ReadonlyMap<string, Contract>
  /** As written, with the schemas of files inserted. */
  readonly inputs: Readonly<Record<string, ContractInput>>
  readonly problems: readonly ConfigurationProblem[]
}

/** Builds the contracts of a file; reports the problems of all of them. */
export async function buildContracts(written: unknown, file: string, readFile: ReadFile, plugins: PluginSet): Promise<BuiltContracts> {
  const built = await Promise.all(
    Object.entries(isFields(written) ? written : {}).flatMap(([name, input]) =>
      isFields(input) ? [buildOne(input as ContractInput, file, readFile, plugins).then((one) => [name, one] as const)] : [],
    ),
  )
  return {
    contracts: new Map(built.flatMap(([name, { contract: ready }]) => (ready === undefined ? [] : [[name, ready] as const]))),
    inputs: Object.fromEntries(built.map(([name, { input }]) => [name, input])),
    problems: built.flatMap(([name, { problems }]) =>
      problems.map((problem) => ({ ...problem, path: ['contracts', name, ...problem.path] })),
    ),
  }
}

/** A contract, or its problems. */
interface BuiltContract {
  readonly contract?: Contract
  readonly input: ContractInput
  readonly problems: readonly ConfigurationProblem[]
}

/** Builds one contract, with the schemas of files inserted. */
export async function buildOne(written: ContractInput, file: string, readFile: ReadFile, plugins: PluginSet): Promise<BuiltContract> {
  const { input, problems: unread, place } = await readSchemaFiles(written, file, readFile)
  try {
    const ready = buildContract(input, await plugins.catalogueFor([input]))
    const problems = [...unread, ...withoutModel(ready)]
    return problems.length > 0 ? { input, problems } : { contract: ready, input, problems }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { input, problems: [...unread, ...error.problems.map(place)] }
  }
}

/** Checks of a file have no model: one that needs it would never have a verdict. */
function withoutModel({ validators }: Contract): ConfigurationProblem[] {
  const asking = validators.filter(({ prepared }) => prepared.ports?.includes('model'))
  const message = (name: string) =>
    `the check ${name} needs a model, and none is available here: choose another strategy, or use a pipeline (retrieval.relevance)`
  return asking.map(({ name }) => ({ message: message(name), path: ['checks'] }))
}

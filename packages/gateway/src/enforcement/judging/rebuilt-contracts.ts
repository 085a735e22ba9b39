import { catalogue, type ValidatorDefinition } from '@stickler/core'
import { type CheckData, type Job, rebuild } from '@stickler/core/remote'

type Rebuilt = Awaited<ReturnType<typeof rebuild>>

/** More contracts than a configuration has are those of presets and single questions. */
const mostContracts = 256

/** Contracts of jobs, each built once in a thread. */
export class RebuiltContracts {
  readonly #built = new Map<number, Promise<Rebuilt>>()

  /** The validators of a job. */
  of({ contract, checks, policy }: Pick<Job, 'contract' | 'checks' | 'policy'>): Promise<Rebuilt> {
    const known = this.#built.get(contract)
    if (known !== undefined) return known
    if (this.#built.size >= mostContracts) this.#built.clear()
    const built = rebuild(checks, policy.locale, findDefinition)
    this.#built.set(contract, built)
    return built
  }
}

async function findDefinition({ name, module }: CheckData): Promise<ValidatorDefinition | undefined> {
  if (module === undefined) return catalogue.validators.find(({ definition }) => definition.name === name)?.definition
  const exported: unknown[] = Object.values((await import(module)) as Record<string, unknown>)
  return exported.map(definitionOf).find((definition) => definition?.name === name)
}

function definitionOf(exported: unknown): ValidatorDefinition | undefined {
  if (typeof exported !== 'function' && (typeof exported !== 'object' || exported === null)) return undefined
  return (exported as { definition?: ValidatorDefinition }).definition
}

import { catalogue, type ValidatorDefinition } from '@stickler/core'
import { type AnswerJob, type CheckData, findDefinition, rebuild } from '@stickler/core/remote'
import type { PluginModules } from './plugin-modules.ts'

type Rebuilt = Awaited<ReturnType<typeof rebuild>>

/** Beyond a configuration's contracts are those of presets and single questions. */
const mostContracts = 256

/** Contracts of jobs, each built once in a thread. */
export class RebuiltContracts {
  readonly #built = new Map<number, Promise<Rebuilt>>()
  readonly #modules: PluginModules

  constructor(modules: PluginModules) {
    this.#modules = modules
  }

  /** Whether the validators of a job have been built before. */
  has({ contract }: Pick<AnswerJob, 'contract'>): boolean {
    return this.#built.has(contract)
  }

  /** The validators of a job. */
  of({ contract, checks, policy }: Pick<AnswerJob, 'contract' | 'checks' | 'policy'>): Promise<Rebuilt> {
    const known = this.#built.get(contract)
    if (known !== undefined) return known
    if (this.#built.size >= mostContracts) this.#built.clear()
    const built = rebuild(checks, policy.locale, (check) => this.find(check))
    this.#built.set(contract, built)
    return built
  }

  /** The validator that a check names. */
  async find({ name: given, validator: name = given, module }: CheckData): Promise<ValidatorDefinition | undefined> {
    if (module !== undefined) return findDefinition(await this.#modules.load(module), name)
    return catalogue.validators.find(({ definition }) => definition.name === name)?.definition
  }
}

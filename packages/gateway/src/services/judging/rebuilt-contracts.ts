import { catalogue, type ValidatorDefinition } from '@stickler/core'
import { type AnswerJob, type CheckData, findDefinition, rebuild } from '@stickler/core/internal/remote'
import type { PluginModules } from './plugin-modules.ts'

type Rebuilt = Awaited<ReturnType<typeof rebuild>>

/** Beyond a configuration's contracts are those of presets and single questions. */
const mostContracts = 256

/** The validators of jobs, each built once in a thread: never more than a job runs, since those of other modules have their own threads. */
export class RebuiltContracts {
  readonly #built = new Map<number, (Promise<Rebuilt[number]> | undefined)[]>()
  readonly #modules: PluginModules

  constructor(modules: PluginModules) {
    this.#modules = modules
  }

  /** Whether the validators of a job have been built before. */
  has({ contract, run }: Pick<AnswerJob, 'contract' | 'run'>): boolean {
    const built = this.#built.get(contract)
    return built !== undefined && run.every((index) => built[index] !== undefined)
  }

  /** The validators that a job runs, at their indexes. */
  async of({ contract, checks, policy, run }: Pick<AnswerJob, 'contract' | 'checks' | 'policy' | 'run'>): Promise<Rebuilt> {
    if (!this.#built.has(contract) && this.#built.size >= mostContracts) this.#built.clear()
    const built = this.#built.get(contract) ?? []
    this.#built.set(contract, built)
    const validators: Rebuilt[number][] = []
    for (const index of run) {
      built[index] ??= this.#build(checks[index] as CheckData, policy.locale)
      validators[index] = await (built[index] as Promise<Rebuilt[number]>)
    }
    return validators
  }

  async #build(check: CheckData, locale: Parameters<typeof rebuild>[1]): Promise<Rebuilt[number]> {
    const [validator] = await rebuild([check], locale, (one) => this.find(one))
    return validator as Rebuilt[number]
  }

  /** The validator that a check names. */
  async find({ name: given, validator: name = given, module }: CheckData): Promise<ValidatorDefinition | undefined> {
    if (module !== undefined) return findDefinition(await this.#modules.load(module), name)
    return catalogue.validators.find(({ definition }) => definition.name === name)?.definition
  }
}

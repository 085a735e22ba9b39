import { buildContract, type Contract } from '@stickler/core'
import { unknownName, withSoundCalls } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { catalogue } from '@stickler/presets'
import type { CheckRequest, RepairChoice } from './check-request.ts'

/** The contracts of the configuration as it is now, by name. */
export type Contracts = () => ReadonlyMap<string, Contract>

/** A contract with the name under which its runs are recorded. */
export interface NamedContract {
  readonly name: string
  readonly contract: Contract
}

/** Finds the contract of a check: one of the configuration, or a preset as it ships. */
export class CheckContracts {
  readonly #contracts: Contracts
  readonly #presets = new Map<string, Contract>()
  readonly #sound = new WeakMap<Contract, Contract>()

  constructor(contracts: Contracts) {
    this.#contracts = contracts
  }

  /** The contract that a request names; a 404 when there is none, a 400 when it names none and there are several. */
  find({ contract: name, preset, repair }: Pick<CheckRequest, 'contract' | 'preset' | 'repair'>): NamedContract {
    const found = preset === undefined ? this.#configured(name) : { name: `preset:${preset}`, contract: this.#preset(preset) }
    return { name: found.name, contract: withRepair(found.contract, repair) }
  }

  /** The same contract, which also judges the calls of responses by the tools of their request. */
  forResponses({ name, contract }: NamedContract): NamedContract {
    const sound = this.#sound.get(contract) ?? withSoundCalls(contract)
    this.#sound.set(contract, sound)
    return { name, contract: sound }
  }

  #configured(name: string | undefined): NamedContract {
    const contracts = this.#contracts()
    const names = [...contracts.keys()]
    const wanted = name ?? (names.length === 1 ? names[0] : undefined)
    if (wanted === undefined) {
      throw new HttpError(400, `Name a contract; there are ${names.join(', ') || 'none'}.`, {
        param: 'contract',
        code: 'missing_contract',
      })
    }
    const found = contracts.get(wanted)
    if (found === undefined) throw notFound('contract', wanted, names)
    return { name: wanted, contract: found }
  }

  #preset(name: string): Contract {
    const known = this.#presets.get(name)
    if (known !== undefined) return known
    if (!Object.hasOwn(catalogue.presets, name)) throw notFound('preset', name, Object.keys(catalogue.presets))
    const made = buildContract({ preset: name }, catalogue)
    this.#presets.set(name, made)
    return made
  }
}

/** A check delivers nothing, so its client may choose how failures are handled. */
function withRepair(found: Contract, repair: RepairChoice | undefined): Contract {
  return repair === undefined || repair === found.policy.repair ? found : { ...found, policy: { ...found.policy, repair } }
}

function notFound(kind: 'contract' | 'preset', name: string, names: readonly string[]): HttpError {
  return new HttpError(404, unknownName(kind, name, names), { param: kind, code: `${kind}_not_found` })
}

import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { ValidatorDefinition } from '../../contract/validator.ts'
import type { CheckData } from './job.ts'

/** How the validators of a contract can be run in another thread. */
export interface Plan {
  readonly contract: number
  /** The checks that can. */
  readonly checks: readonly CheckData[]
  /** The index in the contract of each of them. */
  readonly places: readonly number[]
  /** Indexes of the checks that ship with Stickler and read the answer: they run in place while it is small. */
  readonly own: readonly number[]
  /** Indexes of the checks from outside: they never run in place. */
  readonly outside: readonly number[]
  /** Whether every validator of the contract can run in another thread. */
  readonly complete: boolean
}

/** Plans for the validators of contracts, each made once. */
export class Plans {
  readonly #known: ReadonlySet<ValidatorDefinition>
  readonly #plans = new WeakMap<readonly ActiveValidator[], Plan>()
  #last = 0

  /** `known` are the validators that need no module. */
  constructor(known: readonly { readonly definition: ValidatorDefinition }[]) {
    this.#known = new Set(known.map(({ definition }) => definition))
  }

  /** The plan for validators. */
  of(validators: readonly ActiveValidator[]): Plan {
    const made = this.#plans.get(validators)
    if (made !== undefined) return made
    const plan = this.#make(validators)
    this.#plans.set(validators, plan)
    return plan
  }

  /** Whether a validator comes from outside and can run in another thread. */
  isOutside(validator: ActiveValidator): boolean {
    return !this.#known.has(validator.definition) && validator.definition.module !== undefined && isPlain(validator.written)
  }

  #make(validators: readonly ActiveValidator[]): Plan {
    const checks: CheckData[] = []
    const places: number[] = []
    const own: number[] = []
    const outside: number[] = []
    for (const [index, validator] of validators.entries()) {
      const isOutside = this.isOutside(validator)
      if (!isOutside && !(this.#known.has(validator.definition) && isPlain(validator.written))) continue
      const kind = isOutside ? outside : own
      // What judges only the context costs the same for every answer, and what waits for a rule outside takes no time here.
      if (isOutside || (validator.definition.judges !== 'context' && !asksOutside(validator))) kind.push(checks.length)
      places.push(index)
      checks.push(dataOf(validator, isOutside))
    }
    return { contract: ++this.#last, checks, places, own, outside, complete: checks.length === validators.length }
  }
}

function dataOf({ name, written, definition }: ActiveValidator, isOutside: boolean): CheckData {
  const { module } = definition
  return {
    name,
    ...(name === definition.name ? {} : { validator: definition.name }),
    ...(written === undefined ? {} : { options: written }),
    ...(isOutside && module !== undefined ? { module } : {}),
  }
}

/** Whether a validator waits for a service or a program. */
function asksOutside({ definition }: ActiveValidator): boolean {
  return definition.ports?.some((port) => port === 'remote' || port === 'command') === true
}

/** Functions, such as those of a schema of Zod, cannot be sent to a thread. */
function isPlain(options: unknown): boolean {
  try {
    structuredClone(options)
    return true
  } catch {
    return false
  }
}

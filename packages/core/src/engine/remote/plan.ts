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

function dataOf({ name, written, definition, severity }: ActiveValidator, isOutside: boolean): CheckData {
  const { module } = definition
  return {
    name,
    ...(name === definition.name ? {} : { validator: definition.name }),
    ...(written === undefined ? {} : { options: written }),
    ...(isOutside && module !== undefined ? { module } : {}),
    ...(severity && { severity }),
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

/** Sizes of what clients offer, each found once: a request may be judged several times. */
export class ToolsSizes {
  readonly #known = new WeakMap<object, number>()

  /** The approximate size of the largest tool as JSON, in characters; 0 without tools. */
  largest(tools: unknown): number {
    if (typeof tools !== 'object' || tools === null) return 0
    const known = this.#known.get(tools)
    if (known !== undefined) return known
    let size = 0
    for (const tool of Object.values(tools)) size = Math.max(size, sizeOf(tool))
    this.#known.set(tools, size)
    return size
  }
}

/** Who asks only wants to know what is large. */
const enough = 1_000_000

function sizeOf(value: unknown): number {
  const open: unknown[] = [value]
  let size = 0
  while (open.length > 0 && size < enough) {
    const next = open.pop()
    if (typeof next === 'string') size += next.length + 3
    else if (typeof next !== 'object' || next === null) size += 4
    else if (Array.isArray(next)) {
      size += 2
      for (const inner of next) open.push(inner)
    } else {
      size += 2
      for (const key in next) {
        size += key.length + 4
        open.push((next as Record<string, unknown>)[key])
      }
    }
  }
  return size
}

import { errorMessage } from '../../../answer/thrown.ts'
import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import type { SchemaProblem } from '../../../schema/problem.ts'
import { checkStandard, type StandardCheck } from '../../../schema/standard.ts'
import type { CheckedTool } from '../../shared/tool-schema.ts'
import type { ArgumentFault } from './argument-faults.ts'
import type { Path } from './value-order.ts'

/** Places in arguments, found in time that does not depend on how many there are. */
export class PathSet {
  readonly #places = new Set<string>()
  readonly #above = new Set<string>()

  constructor(paths: Iterable<Path> = []) {
    for (const path of paths) this.add(path)
  }

  add(path: Path): void {
    this.#places.add(JSON.stringify(path))
    for (const above of upTo(path)) this.#above.add(above)
  }

  /** Whether it holds this place. */
  has(path: Path): boolean {
    return this.#places.has(JSON.stringify(path))
  }

  /** Whether it holds this place, or one inside of it. */
  hasInside(path: Path): boolean {
    return this.#above.has(JSON.stringify(path))
  }

  /** Whether it holds this place, one inside of it or one that it is inside of. */
  touches(path: Path): boolean {
    return this.hasInside(path) || upTo(path).some((above) => this.#places.has(above))
  }
}

function upTo(path: Path): string[] {
  return [...path.map((_, length) => JSON.stringify(path.slice(0, length))), JSON.stringify(path)]
}

/** One way in which arguments do not fit the schema of a library. */
export interface StandardFault extends SchemaProblem {
  readonly code: 'INVALID_ARGUMENT'
}

/** What the validation that a tool brings says of arguments. */
interface Verdict {
  readonly faults: readonly StandardFault[]
  /** Why the tool cannot be asked. */
  readonly failure?: ValidatorUnavailable
  /** Whether a JSON Schema fault counts: not where the tool itself accepts the value, since its JSON Schema is less precise. */
  counts(fault: ArgumentFault): boolean
}

const noVerdict: Verdict = { faults: [], counts: () => true }

/** Asks the schema of a library about arguments; a tool without one leaves the verdict to its JSON Schema. */
export function verdictOf({ name, standard, unusable }: CheckedTool, value: Fields): Verdict {
  if (unusable !== undefined) return { ...noVerdict, failure: unavailable(name, unusable) }
  if (standard === undefined) return noVerdict
  try {
    const checked = ask(() => checkStandard(standard, value))
    const faults = checked.ok ? [] : checked.problems.map((one): StandardFault => ({ ...one, code: 'INVALID_ARGUMENT' }))
    // A schema may accept and drop names that it does not declare: they are still reported.
    const isRemark = ({ finding }: ArgumentFault): boolean => finding.keyword === 'undeclaredProperties'
    const refused = new PathSet(faults.map(({ path }) => path))
    return { faults, counts: (fault) => isRemark(fault) || refused.touches(fault.path) }
  } catch (error) {
    return { ...noVerdict, failure: unavailable(name, errorMessage(error)) }
  }
}

function ask(check: () => StandardCheck | Promise<StandardCheck>): StandardCheck {
  const checked = check()
  if (!(checked instanceof Promise)) return checked
  checked.catch(() => {})
  throw new Error('it is asynchronous')
}

function unavailable(name: string, why: string): ValidatorUnavailable {
  return new ValidatorUnavailable(`the schema of the tool ${name} cannot be used: ${why}`)
}

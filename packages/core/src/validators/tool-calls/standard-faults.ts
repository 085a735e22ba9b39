import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { checkStandard, type StandardCheck } from '../../schema/standard.ts'
import type { CheckedTool } from '../shared/tool-schema.ts'
import type { Path } from './value-order.ts'

/** One way in which arguments do not fit the schema of a library. */
export interface StandardFault {
  readonly code: 'INVALID_ARGUMENT'
  readonly path: Path
  readonly message: string
}

/** What the schema of a library finds wrong with arguments that its JSON Schema allows, such as a refinement; throws where it cannot be asked. */
export function standardFaults({ name, standard, unusable }: CheckedTool, value: Fields): readonly StandardFault[] {
  if (unusable !== undefined) throw unavailable(name, unusable)
  if (standard === undefined) return []
  const checked = ask(name, () => checkStandard(standard, value))
  return checked.ok ? [] : checked.problems.map(({ path, message }) => ({ code: 'INVALID_ARGUMENT', path, message }))
}

function ask(name: string, check: () => StandardCheck | Promise<StandardCheck>): StandardCheck {
  let checked: StandardCheck | Promise<StandardCheck>
  try {
    checked = check()
  } catch (error) {
    throw unavailable(name, error instanceof Error ? error.message : String(error))
  }
  if (!(checked instanceof Promise)) return checked
  checked.catch(() => {})
  throw unavailable(name, 'it is asynchronous')
}

function unavailable(name: string, why: string): ValidatorUnavailable {
  return new ValidatorUnavailable(`the schema of the tool ${name} cannot be used: ${why}`)
}

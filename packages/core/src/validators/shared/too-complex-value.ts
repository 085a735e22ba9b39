import { TooComplex } from '../../contract/too-complex.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { isDeeperThan } from '../../json/json-extent.ts'
import { SchemaError } from '../../schema/schema-error.ts'

/** Values are nested this deep at most: what looks at them, and schemas of other libraries, goes down by recursion. */
const deepest = 512

/** Makes sure that the JSON of a model is not nested too deeply to be looked at. */
export function rejectDeepJson(text: string): void {
  if (isDeeperThan(text, deepest))
    throw new TooComplex({
      en: `its JSON is nested deeper than ${deepest} levels`,
      de: `ihr JSON ist tiefer als ${deepest} Ebenen verschachtelt`,
    })
}

/** Checks a value by a schema; throws what `costFault` makes of a check that costs too much. */
export function withinBudget<Result>(check: () => Result, probe: () => unknown): Result {
  try {
    return check()
  } catch (error) {
    throw costFault(error, probe)
  }
}

/** What a check was ended by: costs are the value's fault, unless the schema costs as much for next to nothing, as `probe` finds out. */
export function costFault(error: unknown, probe: () => unknown): unknown {
  if (!isTooCostly(error)) return error
  try {
    probe()
  } catch {
    return new ValidatorUnavailable(error.message)
  }
  return new TooComplex({
    en: 'checking its JSON against the schema takes too many steps',
    de: 'die Prüfung ihres JSON gegen das Schema braucht zu viele Schritte',
  })
}

function isTooCostly(error: unknown): error is SchemaError {
  return error instanceof SchemaError && error.reason === 'too-costly'
}

import { type Clock, systemClock } from '../../contract/ports.ts'
import { TimeLimit, ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import type { Breaker } from '../breaker.ts'
import { guarded, ServiceUnavailable } from '../guarded.ts'

/** One call of a rule. */
interface RuleCall {
  readonly breaker: Breaker
  /** The name of the rule. */
  readonly name: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock
  /** For whom it is. */
  readonly caller?: string | undefined
}

/** Thrown when the rule is not to blame: it is there, but was not asked, or refuses this one answer. */
export class RuleRefused extends ValidatorUnavailable {
  constructor(message: string) {
    super(message, 'refused')
  }
}

/** Calls a rule within its time, unless its circuit is open. */
export async function callRule<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  { breaker, name, ...rest }: RuleCall,
): Promise<Result> {
  const { timeoutMs, signal, caller, clock = systemClock } = rest
  const began = clock.now()
  const circuit = breaker.stateFor(caller)
  try {
    return await guarded(breaker, call, {
      timeoutMs,
      clock,
      caller,
      name: `the rule ${name}`,
      isFault: (thrown) => !(thrown instanceof RuleRefused),
      // A check that ends because its time is over has waited for the rule, unless that was asked late.
      isLate: (reason) => reason instanceof TimeLimit && clock.now() - began >= reason.ms / 2,
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (thrown) {
    if (!(thrown instanceof ServiceUnavailable)) throw thrown
    throw new ValidatorUnavailable(thrown.message, thrown.reason, { circuit, fault: thrown.fault, cause: thrown })
  }
}

import { faultKind } from '../../records/run/fault-kind.ts'
import type { RunRecord } from '../../records/run/run-record.ts'

/** What is logged about a validator that could not check. */
export type UncheckedFields = Readonly<Record<'event' | 'requestId' | 'run' | 'contract' | 'validator' | 'kind', string>>

const none: readonly UncheckedFields[] = []

/** One line for every validator that could not check, with the kind of cause; never its message, which may quote the model. */
export function uncheckedLines({ unchecked, requestId, id, contract }: RunRecord): readonly UncheckedFields[] {
  // First, because nearly all runs end here.
  if (unchecked.length === 0) return none
  return unchecked.map(({ validator, cause, reason, message }) => ({
    event: 'unchecked',
    requestId,
    run: id,
    contract,
    // A validator from outside may have put words of the model where a name belongs.
    validator: /^[a-z][a-z0-9_-]{0,63}$/.test(validator) ? validator : 'other',
    kind: reason === 'fault' ? (faultKind(message) ?? reason) : (reason ?? cause),
  }))
}

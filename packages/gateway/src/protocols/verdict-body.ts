import type { Fields } from './fields.ts'
import type { FinalChoice, FinalReply, Verdict } from './protocol.ts'
import { validationMember } from './validation-status.ts'

/** What the `stickler` member of a reply says about one answer. */
function verdictBody({ status, contract, attempts, issues, fixed, repairs, unchecked, failure, validationStatus }: Verdict): Fields {
  const body: Record<string, unknown> = { status, contract, attempts, issues, fixed, repairs, unchecked }
  if (failure !== undefined) body.failure = failure
  return Object.assign(body, validationMember(validationStatus))
}

/** What a chunk that ends one choice says about it. */
export function choiceMembers({ verdict }: FinalChoice): Fields {
  return { stickler: verdictBody(verdict), ...validationMember(verdict.validationStatus) }
}

/** What a reply says about its answers: `stickler`, one verdict or with several choices a list that names them, and where it is declared `validation_status`. */
export function replyMembers({ choices, validationStatus }: FinalReply): { readonly stickler: Fields | readonly Fields[] } {
  const [only, ...more] = choices
  const stickler =
    only && more.length === 0
      ? verdictBody(only.verdict)
      : choices.map(({ index, verdict }) => ({ choice: index, ...verdictBody(verdict) }))
  return { stickler, ...validationMember(validationStatus) }
}

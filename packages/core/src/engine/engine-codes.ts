import { requestCodes } from '../contract/request-codes.ts'
import type { CodeEntry } from '../contract/validator.ts'
import { complexityCodes } from './check/complexity.ts'
import { truncationCodes } from './check/truncation.ts'

/** The codes of issues that no validator finds, but the engine or the gateway itself. */
export const engineCodes = {
  ...truncationCodes,
  ...complexityCodes,
  ...requestCodes,
  UNSAFE_ADDRESS: {
    severity: 'warning',
    when: 'In the gateway: an annotation, citation, search result, image or other field of the provider leads to something other than an http or https address.',
    fix: 'Nothing: under a contract it is removed from the answer.',
  },
  UNCHECKED: {
    severity: 'error',
    when: 'In the gateway: a check could not run, and the contract withholds answers that were not checked.',
    fix: 'Look up the reason under `unchecked` in the verdict; `unchecked: deliver` delivers such answers.',
  },
  CONTINUATION_MISMATCH: {
    severity: 'error',
    when: 'Part of a streamed answer had been sent, and the reply that should continue it contradicts it.',
    fix: 'Nothing: the model is asked again. If it happens often, use `stream: hold`, so that a retry can start over.',
  },
} as const satisfies Record<string, CodeEntry>

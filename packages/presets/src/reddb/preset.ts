import type { Preset } from '@stickler/core'
import { citations } from './citations/index.ts'

/** RedDB's strict citations: every marker names a source, else one retry with a fixed prompt before the question. */
export const reddb: Preset<'citations'> = {
  summary: 'RedDB answers: every citation marker `[^N]` names a source; one retry, with the prompt of RedDB.',
  validators: [citations],
  checks: [{ citations: { profile: 'reddb' } }],
  mode: 'strict',
  retries: 1,
  repair: 'never',
  askAgain: 'anew',
  stream: 'hold',
  // RedDB delivers an answer that ends at the limit, when its citations are right.
  truncated: 'warning',
  locale: 'en',
  declares: { annotations: { error: { validation: 'findings' } } },
}

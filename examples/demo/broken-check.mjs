import { contract, defineValidator, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { maxWords } from '@stickler/core/validators'
import * as z from 'zod'
import { green, row, title, verdict, yellow } from './terminal.mjs'

/** A check of our own whose service is down. */
const linksWork = defineValidator({
  name: 'links_work',
  summary: 'Every link of the answer leads somewhere.',
  options: z.strictObject({}),
  codes: { DEAD_LINK: { severity: 'error', when: 'A link leads nowhere.', fix: 'Correct or remove the link.' } },
  instruct: () => 'Use only links that work.',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it never comes to that.
    async *check() {
      throw new Error('the link service does not answer')
    },
  }),
})

/** A crash is no verdict: the other checks count, and the answer is marked as not checked in full. */
export async function brokenCheck() {
  title(4, 'A check crashes. Unknown is not invalid, and not valid either.')
  const outcome = await enforce({
    contract: contract({ checks: [maxWords({ limit: 8 }), linksWork({})] }),
    runner: scripted(['See the manual, chapter four.']),
    prompt: 'Where is this explained?',
    onEvent: (event) => {
      if (event.type === 'attempt-received') row('model', event.text)
    },
  })
  const open = [...outcome.unchecked, ...outcome.issues].map(({ validator }) => validator)
  for (const name of ['max_words', 'links_work']) if (!open.includes(name)) row('', `✓ ${name}`, green)
  for (const { validator, cause, message } of outcome.unchecked) row('', `? ${validator} (${cause}): ${message}`, yellow)
  verdict(outcome)
  return { scene: 'broken check', outcome, note: 'the other check still counts' }
}

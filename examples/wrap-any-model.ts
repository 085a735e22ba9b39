// Put a contract around a call that you already have. Your function gets messages and returns text.
import { contract, enforce, fromFunction, type Message } from '@stickler/core'
import { maxWords } from '@stickler/core/validators'
import { stepMarker } from '@stickler/presets/helix'

/** Stands for your own call of a model: too long at first, and then without the marker. */
async function callMyModel(messages: readonly Message[]): Promise<string> {
  return messages.length === 1 ? 'That depends on a great many things. '.repeat(5) : 'Which database do you use today?'
}

const outcome = await enforce({
  contract: contract({
    checks: [maxWords({ limit: 20 }), stepMarker({})],
    retries: 2,
    budget: { attempts: 3, deadlineMs: 30_000 },
  }),
  runner: fromFunction((messages) => callMyModel(messages)),
  prompt: 'Help me choose a cache.',
})

console.log(`${outcome.status} after ${outcome.attempts} attempts`)
for (const { code } of outcome.fixed) console.log(`repaired: ${code}`)
console.log(outcome.text)

// prints:
// repaired after 2 attempts
// repaired: MISSING_STEP_MARKER
// Which database do you use today?
//
// <!-- STEP: what -->

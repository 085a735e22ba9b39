// Show a typed value while the model writes it: first with a mistake that only the model can correct, then in prose, with wrong quotes and types that are repaired.
import { setTimeout as sleep } from 'node:timers/promises'
import { contract, enforceStream, fromFunction } from '@stickler/core'
import { json } from '@stickler/core/validators'
import * as z from 'zod'

const Trip = z.object({
  city: z.string(),
  days: z.int(),
  pace: z.enum(['slow', 'fast']),
  stops: z.array(z.object({ name: z.string(), hours: z.number() })),
})

const answers = [
  `{"city": "Ulm", "days": "a few", "pace": "slow", "stops": [{"name": "Minster", "hours": 1.5}]}`,
  `Here it is:\n\n\`\`\`json\n{'city': 'Ulm', 'days': '2', pace: 'SLOW', stops: [{name: 'Minster', hours: '1.5'}, {name: 'Old town', hours: 3},]}\n\`\`\`\n`,
]
const isTerminal = process.stdout.isTTY

/** Stands for a model that streams. */
async function* streamMyModel(text: string): AsyncGenerator<string> {
  for (const piece of text.match(/[\s\S]{1,14}/g) ?? []) {
    await sleep(isTerminal ? 120 : 1)
    yield piece
  }
}

const stream = enforceStream({
  contract: contract({ checks: [json({ schema: Trip })], retries: 1 }),
  runner: fromFunction((messages) => streamMyModel(answers[messages.length > 1 ? 1 : 0] ?? '')),
  prompt: 'Plan a trip to Ulm.',
})
for await (const { attempt, final, value } of stream.partials) {
  const line = `${final ? 'final    ' : `attempt ${attempt}`}  ${JSON.stringify(value)}`
  process.stdout.write(isTerminal ? `\r\u001b[2K${line}${final ? '\n' : ''}` : `${line}\n`)
}

const { status, attempts, repairs } = await stream.outcome
console.log(`${status} after ${attempts} attempts and ${repairs.length} repairs`)

// prints:
// attempt 1  {"city":"Ulm"}
// attempt 2  {"city":"Ulm"}
// attempt 2  {"city":"Ulm","days":2}
// attempt 2  {"city":"Ulm","days":2,"pace":"slow","stops":[{"name":"Mins"}]}
// attempt 2  {"city":"Ulm","days":2,"pace":"slow","stops":[{"name":"Minster"}]}
// attempt 2  {"city":"Ulm","days":2,"pace":"slow","stops":[{"name":"Minster","hours":1.5},{}]}
// attempt 2  {"city":"Ulm","days":2,"pace":"slow","stops":[{"name":"Minster","hours":1.5},{"name":"Old town"}]}
// attempt 2  {"city":"Ulm","days":2,"pace":"slow","stops":[{"name":"Minster","hours":1.5},{"name":"Old town","hours":3}]}
// final      {"city":"Ulm","days":2,"pace":"slow","stops":[{"name":"Minster","hours":1.5},{"name":"Old town","hours":3}]}
// repaired after 2 attempts and 26 repairs

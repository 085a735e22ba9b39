// Show a live answer to a reader, and nothing of it that is wrong: the model corrects itself behind the text that was shown.
import { contract, enforceStream, fromFunction } from '@stickler/core'
import { adrStructure } from '@stickler/presets/helix'

const record = (status: string) => `---\nadr_id: "7"\ntitle: Cache reads\n${status}---\n\n## Decision\n\nCache them for a minute.\n`

/** Stands for a model that streams: it forgets the status, and adds it when it is told. */
async function* streamMyModel(turn: number): AsyncGenerator<string> {
  const text = turn === 1 ? `Here is the record.\n\n${record('')}` : record('status: proposed\n')
  for (const piece of text.match(/[\s\S]{1,12}/g) ?? []) yield piece
}

const stream = enforceStream({
  contract: contract({ checks: [adrStructure({ sections: ['Decision'] })] }),
  runner: fromFunction((messages) => streamMyModel(messages.length)),
  prompt: 'Write decision record 7.',
})
for await (const text of stream) process.stdout.write(text)

const { status, attempts } = await stream.outcome
console.log(`(${status} after ${attempts} attempts)`)

// prints:
// Here is the record.
//
// ---
// adr_id: "7"
// title: Cache reads
// status: proposed
// ---
//
// ## Decision
//
// Cache them for a minute.
// (valid after 2 attempts)

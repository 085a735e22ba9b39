// What every runtime must be able to do: a value of a Zod schema from a stream that begins wrongly, in prose, with a repair and a retry.
import { contract, defineContract, enforce, enforceStream, fromFunction } from '@stickler/core'
import { json, maxWords } from '@stickler/core/validators'
import * as z from 'zod'

/** Runs the library once, and returns what came of it. */
export async function run() {
  const order = z.object({ item: z.string(), count: z.int().max(9) })
  const answers = ['{"item":"nail","count":99}', 'Here you are:\n\n```json\n{item: "nail", "count": "3",}\n```\n']
  const asking = fromFunction(async function* (messages) {
    for (const unit of answers[messages.length === 1 ? 0 : 1] ?? '') yield unit
  })
  const stream = enforceStream({ contract: defineContract({ checks: [json({ schema: order })] }), runner: asking, prompt: 'How many?' })
  let shown = ''
  for await (const piece of stream) shown += piece
  const streamed = await stream.outcome
  const long = fromFunction((messages) => (messages.length === 1 ? 'this answer has far too many words for such a question' : 'just right'))
  const named = contract({ checks: [{ max_words: { limit: 8 } }, 'step_marker'] })
  const { status, text, attempts } = await enforce({ contract: named, runner: long, prompt: 'Say it.' })
  const short = await enforce({ contract: defineContract({ checks: [maxWords({ limit: 3 })] }), runner: long, prompt: 'Say it.' })
  const { value } = streamed
  return {
    streamed: { status: streamed.status, value, attempts: streamed.attempts, rules: streamed.repairs.map(({ rule }) => rule), shown },
    named: { status, text, attempts },
    short: { status: short.status, text: short.text },
  }
}

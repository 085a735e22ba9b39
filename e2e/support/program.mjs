// What every runtime must be able to do: a value of a Zod schema from a stream that begins wrongly, in prose, with a repair and a retry.
import { contract, defineContract, enforce, enforceStream, fromFunction } from '@stickler/core'
import { enforcedFetch } from '@stickler/core/fetch'
import { json, maxWords } from '@stickler/core/validators'
import { stepMarker } from '@stickler/presets/helix'
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
  const named = contract({ checks: [{ max_words: { limit: 8 } }, stepMarker({})] })
  const { status, text, attempts } = await enforce({ contract: named, runner: long, prompt: 'Say it.' })
  const short = await enforce({ contract: defineContract({ checks: [maxWords({ limit: 3 })] }), runner: long, prompt: 'Say it.' })
  const { value } = streamed
  const fetching = enforcedFetch(defineContract({ checks: [maxWords({ limit: 3 })] }), { fetch: provider() })
  const messages = [{ role: 'user', content: 'Say it.' }]
  const asked = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages, stream: true }),
  }
  const response = await fetching('https://api.example.com/v1/chat/completions', asked)
  return {
    streamed: { status: streamed.status, value, attempts: streamed.attempts, rules: streamed.repairs.map(({ rule }) => rule), shown },
    named: { status, text, attempts },
    short: { status: short.status, text: short.text },
    fetched: { status: response.status, type: response.headers.get('content-type'), text: await response.text() },
  }
}

/** A provider whose first answer is too long. */
function provider() {
  const answers = ['this answer has far too many words', 'just right']
  return async () => {
    const text = answers.shift()
    const chunk = (delta, finish_reason) => `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const body = `${chunk({ content: text }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

// What `enforcedFetch` costs the client of a provider, without a network: `npm run bench fetch`.
import { contract } from '@stickler/core'
import { enforcedFetch } from '@stickler/core/fetch'
import OpenAI from 'openai'
import { compare, quartiles, ratio } from './harness.mjs'

const rules = contract({ checks: [{ max_words: { limit: 100_000 } }], retries: 0 })
const messages = [{ role: 'user', content: 'Tabs or spaces?' }]
const text = 'Use spaces, since every editor shows them alike. '.repeat(20)
const events = 1000

const completion = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 200, total_tokens: 209 },
})
const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const frames = [chunk({ role: 'assistant', content: '' }), ...Array.from({ length: events }, () => chunk({ content: 'word ' }))]
const utf8 = new TextEncoder()
const pieces = [...frames, `${chunk({}, 'stop')}data: [DONE]\n\n`].map((frame) => utf8.encode(frame))

/** A `fetch` that answers at once, each event in a piece of its own. */
async function provider(_input, { body }) {
  if (!JSON.parse(body).stream) return new Response(completion, { headers: { 'content-type': 'application/json' } })
  let at = 0
  const source = new ReadableStream({
    pull(controller) {
      if (at < pieces.length) controller.enqueue(pieces[at++])
      else controller.close()
    },
  })
  return new Response(source, { headers: { 'content-type': 'text/event-stream' } })
}

/** One call and one stream of OpenAI's client, with and without us, in the same run. */
export async function benchFetch() {
  const plain = new OpenAI({ apiKey: 'key', baseURL: 'http://localhost/v1', fetch: provider })
  const enforced = new OpenAI({ apiKey: 'key', baseURL: 'http://localhost/v1', fetch: enforcedFetch(rules, { fetch: provider }) })
  const whole = (client) => client.chat.completions.create({ model: 'm', messages })
  const streamed = async (client) => {
    let length = 0
    for await (const { choices } of await client.chat.completions.create({ model: 'm', messages, stream: true }))
      length += choices[0]?.delta.content?.length ?? 0
    if (length !== events * 'word '.length) throw new Error(`the stream has ${length} characters`)
  }
  const times = await compare({
    plain: () => whole(plain),
    enforced: () => whole(enforced),
    plainStream: () => streamed(plain),
    enforcedStream: () => streamed(enforced),
  })
  const cost = (ours, theirs, scale) => quartiles(ours.map((ms, round) => (ms - theirs[round]) * scale))
  return [
    { what: "a call through OpenAI's client with `enforcedFetch` ÷ without", ...ratio(times.enforced, times.plain) },
    { what: 'what it adds to a call, ms', ...cost(times.enforced, times.plain, 1) },
    { what: `a stream of ${events} events with \`enforcedFetch\` ÷ without`, ...ratio(times.enforcedStream, times.plainStream) },
    { what: 'what it adds to an event, µs', ...cost(times.enforcedStream, times.plainStream, 1000 / events) },
  ]
}

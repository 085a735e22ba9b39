import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Behaviour, ProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { question } from './cases.ts'
import { apiKey, type Way } from './clients.ts'

/** A client that shows a stream piece by piece, and what its provider sends in a stream without an end. */
interface StreamReader {
  /** The first events, and the one that is sent again and again. */
  readonly events: readonly [first: readonly object[], next: object]
  readonly open: (way: Way) => AsyncIterable<string>
}

const words = 'more '.repeat(400)
const messages = [{ role: 'user' as const, content: question }]
const openai = ({ url, fetch }: Way): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, ...(fetch && { fetch }) })
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const place = { output_index: 0, item_id: item.id, content_index: 0 }
const response = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'm', output: [] }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } }

/** One client for each API. */
export const streamReaders: Readonly<Record<string, StreamReader>> = {
  'openai, chat completions': {
    events: [[], { id: 'x', choices: [{ index: 0, delta: { content: words } }] }],
    async *open(way) {
      const stream = await openai(way).chat.completions.create({ model: way.model, messages, stream: true })
      for await (const chunk of stream) yield chunk.choices[0]?.delta.content ?? ''
    },
  },
  'openai, responses': {
    events: [
      [
        { type: 'response.created', response },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
      ],
      { type: 'response.output_text.delta', ...place, delta: words },
    ],
    async *open(way) {
      const stream = await openai(way).responses.create({ model: way.model, input: question, stream: true })
      for await (const event of stream) if (event.type === 'response.output_text.delta') yield event.delta
    },
  },
  '@anthropic-ai/sdk': {
    events: [
      [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ],
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
    ],
    async *open({ url, model, fetch }) {
      const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0, ...(fetch && { fetch }) })
      for await (const event of await client.messages.create({ model, max_tokens: 99, messages, stream: true }))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text
    },
  },
}

/** Sockets and readers hold a few megabytes at most. */
export const mostHeld: number = 32 * 1024 * 1024

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads everything, with a pause after each piece. */
export async function readSlowly(pieces: AsyncIterable<string>): Promise<string> {
  let shown = ''
  for await (const piece of pieces) {
    shown += piece
    await pause(2)
  }
  return shown
}

/** Reads one piece of a stream without an end, and leaves when the provider can send no more; returns how many bytes it has sent. */
export async function bytesSentToIdle(
  { events: [first, next], open }: StreamReader,
  way: Way,
  upstream: ProgrammableUpstream,
): Promise<number> {
  const frame = (event: object): string => `event: ${'type' in event ? event.type : 'message'}\ndata: ${JSON.stringify(event)}\n\n`
  let sent = 0
  const endless: Behaviour = async (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of first) await exchange.write(frame(event))
    while (await exchange.write(frame(next))) {
      sent += frame(next).length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const before = upstream.requests.length
  upstream.enqueue(endless)
  for await (const piece of open(way)) {
    if (piece === '') continue
    // Until buffers are full, more is sent.
    for (let last = -1; last !== sent && sent < mostHeld; await pause(200)) last = sent
    break
  }
  await upstream.requests[before]?.closed
  return sent
}

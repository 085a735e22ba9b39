import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { type Behaviour, type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { endless } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { anthropicUpstream } from '../kinds/anthropic-upstream.ts'
import { openaiUpstream } from '../kinds/openai-upstream.ts'
import type { Upstream } from '../upstream.ts'

let server: ProgrammableUpstream
let open: Upstream | undefined

beforeAll(async () => {
  server = await startProgrammableUpstream(answering('x'))
})
afterAll(() => server.close())
afterEach(() => open?.close())

const make = { openai: openaiUpstream, anthropic: anthropicUpstream }

function upstream(kind: keyof typeof make, maxResponseBytes?: number): Upstream {
  open = make[kind]({ name: 'main', baseUrl: server.url, ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }) })
  return open
}

/** A stream of one answer in pieces, as real providers frame them; `varying` ones cannot be told by the chunk before. */
function stream(kind: string, pieces: readonly string[], end: boolean, varying: boolean): Behaviour {
  const event = (data: object, name: string) => `${kind === 'anthropic' ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
  const chunk = (delta: object, reason: string | null, number: number) => ({
    ...{
      id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'gpt-4o-2024-08-06',
    },
    ...{
      service_tier: 'default',
      system_fingerprint: 'fp_0123456789',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    },
    ...(varying ? { obfuscation: String(number % 10).repeat(1 + (number % 12)) } : {}),
  })
  return async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const closed = once(response, 'close')
    let text = ''
    const flush = async (): Promise<void> => {
      if (!response.write(text)) await Promise.race([once(response, 'drain'), closed])
      text = ''
    }
    if (kind === 'anthropic') {
      text += event({ type: 'message_start', message: { id: 'm', model: 'c', content: [], usage: { input_tokens: 1 } } }, 'message_start')
      text += event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start')
    }
    for (const [number, piece] of pieces.entries()) {
      text +=
        kind === 'anthropic'
          ? event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }, 'content_block_delta')
          : event(chunk({ content: piece }, null, number), '')
      if (text.length > 200_000) await flush()
      if (response.destroyed) return
    }
    if (end && kind === 'anthropic')
      text +=
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }, 'message_delta') +
        event({ type: 'message_stop' }, 'message_stop')
    if (end && kind === 'openai') text += `${event(chunk({}, 'stop', 0), '')}data: [DONE]\n\n`
    await flush()
    response.end()
  }
}

const pieces = (count: number, piece: string) => Array.from({ length: count }, () => piece)

describe.each(['openai', 'anthropic'] as const)('%s', (kind) => {
  it.each([false, true])('a tenth of it counts as a tenth, frames that vary: %s', async (varying) => {
    server.enqueue(stream(kind, pieces(15_000, 'sieben '), true, varying))
    const { text, failure } = await readFirst(upstream(kind, 1_600_000).call(asking('hi', { stream: true }), calling()))
    expect(failure).toBeUndefined()
    expect(text.length).toBe(105_000)
  })

  it.each<[string, () => Behaviour]>([
    ['many pieces', () => stream(kind, pieces(20_000, 'sieben '), true, false)],
    ['a few large pieces', () => stream(kind, pieces(3, 'x'.repeat(40_000)), true, false)],
    ['pieces without a text', () => stream(kind, pieces(20_000, ''), true, true)],
    ['one event without an end', () => endless('text/event-stream', `data: ${'x'.repeat(1000)}`)],
    ['comments without an end', () => endless('text/event-stream', `: ${'x'.repeat(1000)}\n\n`)],
    ['no stream at all', () => endless('application/json', 'x'.repeat(1000))],
  ])('beyond its limit it is a failure: %s', async (_, behaviour) => {
    server.enqueue(behaviour())
    const { failure } = await readFirst(upstream(kind, 100_000).call(asking('hi', { stream: true }), calling()))
    expect(failure).toMatchObject({ kind: 'protocol', message: expect.stringContaining('larger than 100000 bytes') })
  })

  it('a whole answer is limited by its bytes', async () => {
    server.enqueue(answering('x'.repeat(200_000)))
    const { failure } = await readFirst(upstream(kind, 100_000).call(asking('hi'), calling()))
    expect(failure).toMatchObject({ kind: 'protocol', message: expect.stringContaining('larger than 100000 bytes') })
  })
})

test('an answer of 1 MB in pieces of 7 characters is whole', { timeout: 60_000 }, async () => {
  server.enqueue(stream('anthropic', pieces(150_000, 'sieben '), true, false))
  const { text, failure } = await readFirst(upstream('anthropic').call(asking('hi', { stream: true }), calling()))
  expect(failure).toBeUndefined()
  expect(text.length).toBe(1_050_000)
})

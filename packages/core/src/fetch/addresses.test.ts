import { describe, expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import { anthropicMiddleware, enforcedFetch } from './index.ts'

const brief = contract({ checks: [{ max_words: { limit: 3 } }], retries: 1 })
const host = 'https://api.example.com'
const vertex = `${host}/v1/projects/p/locations/l/publishers/anthropic/models`
const asked = { anthropic_version: 'vertex-2023-10-16', max_tokens: 9, messages: [{ role: 'user', content: 'Tabs or spaces?' }] }
const texts = ['Use spaces and nothing else.', 'Use spaces.']

function reply(text: string, stream: boolean): Response {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
  if (!stream) return Response.json({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage })
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** Both ways to ask, with what was sent. */
async function ask(way: 'fetch' | 'middleware', url: string, stream: boolean) {
  const sent: string[] = []
  const below = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    sent.push(String(init?.body))
    return reply(texts[sent.length - 1] ?? '', stream)
  }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, ...(stream && { stream }) }),
  }
  const response =
    way === 'fetch'
      ? await enforcedFetch(brief, { fetch: below as typeof fetch })(url, init)
      : await anthropicMiddleware(brief)({ ...init, url }, (request) => below(request.url, request))
  return { status: response.status, text: await response.text(), sent }
}

describe.each(['fetch', 'middleware'] as const)('by its %s', (way) => {
  test.each([
    [`${vertex}/claude-sonnet-5@20260101:rawPredict`, false],
    [`${vertex}/claude-sonnet-5:streamRawPredict`, true],
    [`${vertex}/claude%3Brawpredict:RAWPREDICT?beta=true`, false],
    [`${host}/anthropic/v1/messages`, false],
    [`${host}/prefix/v1/messages?beta=true`, true],
  ])('answers of %s are enforced', async (url, stream) => {
    const { status, text, sent } = await ask(way, url, stream)
    expect([status, sent.length]).toEqual([200, 2])
    expect(text).toContain('Use spaces.')
    expect(text).not.toContain('nothing else')
    expect(JSON.parse(sent[1] ?? '')).toMatchObject({ anthropic_version: asked.anthropic_version })
  })

  test.each([
    'model/anthropic.claude-v5/invoke',
    'model/anthropic.claude-v5/invoke-with-response-stream',
    'model/arn%3Aaws%3Abedrock%3Aeu%3A1%3Ainference-profile%2Fx/converse',
    'prefix//MODEL/x/./Converse-Stream?a=b',
  ])('%s of Bedrock is refused, and nothing is sent', async (path) => {
    const { status, text, sent } = await ask(way, `${host}/${path}`, false)
    expect([status, sent]).toEqual([400, []])
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', code: 'unsupported_address' } })
  })
})

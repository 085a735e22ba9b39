import { describe, expect, test } from 'vitest'
import { enforcedFetch } from '../fetch/index.ts'
import { contract } from '../index.ts'
import { json } from '../validators.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const plan = contract({ checks: [json({ schema })], instruct: true, retries: 0 })
const reply = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '{"city":"Ulm"}' }, finish_reason: 'stop' }],
}

/** A provider that refuses one field, and what it was sent. */
function refusing(field: string) {
  const sent: Readonly<Record<string, unknown>>[] = []
  const fetch = enforcedFetch(plan, {
    structuredOutput: true,
    fetch: async (_url, init) => {
      const request = JSON.parse(String(init?.body))
      sent.push(request)
      if (!(field in request)) return Response.json(reply)
      return Response.json(
        { error: { message: `Unrecognized request argument supplied: ${field}`, type: 'invalid_request_error', param: null } },
        { status: 400 },
      )
    },
  })
  const ask = (url: string, more: object = {}): Promise<Response> =>
    fetch(url, { method: 'POST', body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Where?' }], ...more }) })
  return { sent, ask }
}

test('a field that the contract adds and a provider refuses is left out from then on, for that model at that address', async () => {
  const { sent, ask } = refusing('response_format')
  for (const [url, calls] of [
    ['https://a.example/v1/chat/completions', 2],
    ['https://a.example/v1/chat/completions?x=1', 3],
    ['https://b.example/v1/chat/completions', 5],
  ] as const) {
    expect([(await ask(url)).status, sent.length]).toEqual([200, calls])
    expect(JSON.stringify(sent.at(-1)?.messages)).toContain('JSON Schema')
  }
})

test('a field that the client sends is never left out', async () => {
  const { sent, ask } = refusing('temperature')
  const response = await ask('https://a.example/v1/chat/completions', { temperature: 0 })
  expect([response.status, sent.length, ((await response.json()) as typeof reply & { error: object }).error]).toMatchObject([
    400,
    1,
    { param: null },
  ])
})

describe('a request with a system message gets no second one, which chat templates such as that of Qwen refuse', () => {
  const told = expect.stringMatching(/JSON Schema/)
  const behind = expect.stringMatching(/^Be kind\.\n\n[A-Z].*JSON Schema/s)
  const part = { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }
  const user = { role: 'user', content: 'Where?' }
  test.each([
    ['a text', [{ role: 'system', content: 'Be kind.' }], [{ role: 'system', content: behind }]],
    ['parts', [{ role: 'system', content: [part] }], [{ role: 'system', content: [part, { type: 'text', text: told }] }]],
    ['of a developer', [{ role: 'developer', name: 'd', content: 'Be kind.' }], [{ role: 'developer', name: 'd', content: behind }]],
    ['empty', [{ role: 'system', content: '' }], [{ role: 'system', content: told }]],
    ['none', [], [{ role: 'system', content: told }]],
  ])('%s', async (_name, before, after) => {
    const sent: { messages: unknown[] }[] = []
    const answers = ['In Ulm.', '{"city":"Ulm"}']
    const fetch = enforcedFetch(contract({ checks: [json({ schema })], instruct: true, retries: 1 }), {
      fetch: async (_url, init) => {
        sent.push(JSON.parse(String(init?.body)))
        const content = answers[sent.length - 1]
        return Response.json({ ...reply, choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
      },
    })
    const body = JSON.stringify({ model: 'm', messages: [...before, user] })
    expect((await fetch('https://a.example/v1/chat/completions', { method: 'POST', body })).status).toBe(200)
    expect(sent.map(({ messages }) => messages.slice(0, after.length + 1))).toEqual([
      [...after, user],
      [...after, user],
    ])
    expect(sent[1]?.messages).toHaveLength(after.length + 3)
  })
})

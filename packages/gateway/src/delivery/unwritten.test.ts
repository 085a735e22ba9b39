import { RunnerFailure } from '@stickler/core'
import { type Api, apis } from '@stickler/core/internal/apis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway, usualYaml } from '../testing/test-gateway.ts'

const [chat] = apis as [Api]

/** Chat completions whose replies cannot be written, for a reason that the model's name tells. */
function broken({ wire: _wire, ...rest }: Api): Api {
  const fail = (model: string): never => {
    if (model === 'plain') throw new TypeError('something secret is undefined')
    throw new RunnerFailure('protocol', 'the response has a list with more than 10000 items')
  }
  return {
    ...rest,
    name: 'broken',
    path: '/v1/broken',
    reply: ({ chat: { model } }) => fail(model),
    encoder: (request, out) => Object.assign(rest.encoder(request, out), { finish: () => fail(request.chat.model) }),
  }
}

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: usualYaml, apis: [...apis, broken(chat)] })
})
afterAll(() => gateway.close())

test.each([
  ['brief', false, 502, 'upstream_protocol', 'protocol'],
  ['plain', false, 500, 'internal_error', 'crash'],
  // Nothing was shown before its verdict.
  ['brief', true, 502, 'upstream_protocol', 'protocol'],
  ['plain', true, 200, 'internal_error', 'crash'],
])(
  'an answer of %s that cannot be written is recorded as the failure that was sent, streamed: %s',
  async (model, stream, status, code, kind) => {
    const reply = await gateway.post('/v1/broken', { model, stream, messages: [{ role: 'user', content: 'Q' }] })
    const text = await reply.text()
    expect(reply.status).toBe(status)
    const error = text.match(/"error":(\{.*?\})/)?.[1] ?? text
    expect(JSON.parse(error)).toMatchObject({ code })
    expect(text).not.toContain('secret')
    const id = reply.headers.get('x-request-id')
    const recorded = async () => {
      const { items } = (await (await gateway.get('/api/v1/runs?limit=5')).json()) as { items: Record<string, unknown>[] }
      return items.find(({ requestId }) => requestId === id)
    }
    await expect.poll(recorded).toMatchObject({ model, httpStatus: status, status: 'failed', delivered: false })
    const run = await (await gateway.get(`/api/v1/runs/${String((await recorded())?.id)}`)).json()
    expect(run).toMatchObject({ failure: { kind } })
    const isLogged = gateway.logLines.some((line) => line.includes('the answer could not be written'))
    if (kind === 'crash') expect(isLogged).toBe(true)
  },
)

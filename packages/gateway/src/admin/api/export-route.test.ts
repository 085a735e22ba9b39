import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
server: { port: 0 }
store: { keepText: true }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  calls: { checks: [tool_calls], retries: 0 }
  free: { checks: [], retries: 0 }
  quiet: { checks: [tool_calls, sensitive], retries: 0 }
routes: [{ model: 'free-*', upstream: up, contract: free }, { model: quiet, upstream: up, contract: quiet }, { model: '*', upstream: up, contract: calls }]
`
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const tools = [{ type: 'function', function: { name: 'weather', parameters } }]
const argumentsOf: Readonly<Record<string, string>> = {
  good: '{"city":"Rome"}',
  bad: '{"town":"Rome"}',
  long: `{"city":"${'x'.repeat(20_000)}"}`,
  quiet: `{"city":"${['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_')}"}`,
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    yaml,
    env: {},
    behaviour: (exchange) => {
      const model = String(exchange.request.json?.model)
      const given = argumentsOf[model]
      if (given !== undefined) return answering('', { toolCalls: [{ id: 'c1', name: 'weather', arguments: given }] })(exchange)
      exchange.response.statusCode = model === 'down' ? 500 : 200
      return answering(model.startsWith('free') ? '{"town": "Rome"}' : '')(exchange)
    },
  })
  for (const model of [...Object.keys(argumentsOf), 'down', 'empty'])
    await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Well?' }], tools, tool_choice: 'auto' })
  await gateway.post('/v1/check', { contract: 'calls', tool_calls: [{ name: 'weather', arguments: '{}' }], tools })
  await vi.waitFor(async () => expect(await exported()).toHaveLength(7))
})
afterAll(() => gateway.close())

const exported = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await (await gateway.get('/api/v1/runs.jsonl')).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const lineOf = async (model: string) => (await exported()).find((line) => line.model === model) ?? {}

test.each(['good', 'bad'])('a %s tool call is exported with the tools of its request, and has the same verdict again', async (model) => {
  const line = await lineOf(model)
  const call = { name: 'weather', arguments: argumentsOf[model] }
  expect(line).toMatchObject({ text: '', tool_calls: [call], tools, tool_choice: 'auto' })
  expect(line).not.toHaveProperty('missing')
  const tried = await gateway.post('/api/v1/try', { contract: 'calls', run: line.id })
  expect(await tried.json()).toMatchObject({ report: { status: line.status } })
  const { text, tool_calls, tools: offered, finish_reason, contract } = line
  const again = await gateway.post('/v1/check', { text, tool_calls, tools: offered, finish_reason, contract })
  expect(await again.json()).toMatchObject({ status: line.status })
  const given = await gateway.post('/api/v1/try', { contract, text, tool_calls, tools: offered })
  expect(await given.json()).toMatchObject({ report: { status: line.status } })
  expect(line.status).toBe(model === 'good' ? 'valid' : 'unresolved')
})

test.each([
  ['long', 'tool calls not kept'],
  ['quiet', 'secrets hidden'],
  ['down', 'error'],
  // A check records no tools.
  ['', 'request not kept'],
])('of the run %j, nothing looks like an answer, and the line says why', async (model, missing) => {
  const line = await lineOf(model)
  expect(line).toMatchObject({ missing })
  expect(line).not.toHaveProperty('text')
  expect(line).not.toHaveProperty('tool_calls')
  const tried = await gateway.post('/api/v1/try', { contract: 'calls', run: line.id })
  expect([tried.status, await tried.json()]).toMatchObject([400, { error: { param: 'run', code: 'answer_not_kept' } }])
})

test('an empty answer is one', async () => {
  const line = await lineOf('empty')
  expect(line).toMatchObject({ text: '' })
  expect(line).not.toHaveProperty('missing')
})

test.each([
  ['format', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: parameters } } }, 'SCHEMA_MISMATCH'],
  ['tool', { tools, tool_choice: { type: 'function', function: { name: 'weather' } } }, 'MISSING_TOOL_CALL'],
])('what a request asks for by its %s is asked of its answer again', async (way, fields, code) => {
  const model = `free-${way}`
  await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Well?' }], ...fields })
  const line = await vi.waitFor(async () => {
    const found = await lineOf(model)
    expect(found).toMatchObject({ status: 'unresolved', ...fields })
    return found
  })
  const { text, finish_reason, contract, tools: offered, tool_choice, response_format, id } = line
  const asked = { text, tools: offered, tool_choice, response_format, contract }
  const replies = [
    await gateway.post('/api/v1/try', { contract: 'free', run: id }),
    await gateway.post('/api/v1/try', asked),
    await gateway.post('/v1/check', { ...asked, finish_reason }),
  ]
  for (const reply of replies) {
    const told = (await reply.json()) as { report?: object }
    expect(told.report ?? told).toMatchObject({
      status: 'unresolved',
      issues: expect.arrayContaining([expect.objectContaining({ validator: 'request_schema', code })]),
    })
  }
})

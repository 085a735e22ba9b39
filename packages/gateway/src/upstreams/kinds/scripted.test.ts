import { expect, test } from 'vitest'
import { readGatewayConfig } from '../../config/reading/read-gateway-config.ts'
import { startGateway } from '../../gateway.ts'

const yaml = (answers: string): string => `
server: { port: 0 }
store: { url: "sqlite::memory:" }
upstreams:
  - { name: model, kind: scripted, answers: [${answers}] }
contracts: { tools: { preset: techtime } }
routes:
  - { model: m, upstream: model, contract: tools }
`
const read = (text: string) =>
  readGatewayConfig(text, 'stickler.yaml', { env: {}, cwd: '/', readFile: () => Promise.reject(new Error('no files')) })

test('a script in YAML calls tools, whole and streamed', async () => {
  const answers =
    '{ toolCalls: [{ name: ping, arguments: { host: gw } }] }, { text: Wait., toolCalls: [{ id: c1, name: ping, arguments: \'{"host": "gw"}\' }] }'
  const gateway = await startGateway({ config: await read(yaml(answers)), log: { write: () => {} } })
  try {
    const tools = [
      { type: 'function', function: { name: 'ping', parameters: { type: 'object', properties: { host: { type: 'string' } } } } },
    ]
    const ask = (stream: boolean) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools, stream }),
      })
    expect(await (await ask(false)).json()).toMatchObject({
      choices: [
        {
          message: { tool_calls: [{ id: expect.any(String), function: { name: 'ping', arguments: '{"host":"gw"}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
      stickler: { status: 'valid' },
    })
    const streamed = await (await ask(true)).text()
    expect(streamed).toContain('"c1"')
    expect(streamed).toContain('Wait.')
    expect(streamed).toContain('"finish_reason":"tool_calls"')
  } finally {
    await gateway.close(0)
  }
})

test('a script answers what is asked, in turn, counts tokens and costs', async () => {
  const answers = `{ asked: "Tabs", text: First. }, { asked: Tabs, text: Second., usage: { promptTokens: 1000, completionTokens: 500 } },
    { asked: Down, failure: { kind: http, status: 500 } }, Anything.`
  const written = yaml(answers).replace('kind: scripted,', 'kind: scripted, price: { prompt: 1, completion: 2 },')
  const gateway = await startGateway({ config: await read(written), log: { write: () => {} } })
  try {
    const ask = async (...questions: unknown[]) => {
      const messages = questions.map((content) => ({ role: 'user', content }))
      const body = JSON.stringify({ model: 'm', messages })
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const { choices, error } = (await response.json()) as { choices?: [{ message: { content: string } }]; error?: unknown }
      return choices?.[0].message.content ?? (error === undefined ? '' : response.status)
    }
    expect(await ask('Tabs or spaces?')).toBe('First.')
    expect(await ask('Hello')).toBe('Anything.')
    expect(await ask([{ type: 'text', text: 'Tabs, then?' }])).toBe('Second.')
    expect(await ask('Tabs?', 'Go on.')).toBe('First.')
    expect(await ask('Tabs?', 'Down?')).toBe(500)
    expect(await ask('Down?', 'Tabs?')).toBe('Second.')
    await expect
      .poll(async () => ((await (await fetch(`${gateway.url}/api/v1/summary`)).json()) as { cost: number }).cost)
      .toBeCloseTo(2 * 0.002)
  } finally {
    await gateway.close(0)
  }
})

test.each([
  ['{}', /needs text or toolCalls/],
  ['{ chunkSize: 3 }', /needs text or toolCalls/],
  ['{ toolCalls: [] }', /toolCalls/],
  ['{ toolCalls: [{ arguments: {} }] }', /name/],
  ['{ toolCalls: [{ name: f, args: {} }] }', /args/],
  ['{ failure: { kind: boom } }', /failure\.kind: unknown value "boom"; known: timeout/],
  ['{ failure: { kind: http, stats: 500 } }', /failure\.stats: unknown key "stats"; did you mean "status"/],
  ['{ text: x, failure: { kind: http } }', /needs text or toolCalls, or only failure/],
  ['{ failure: boom }', /failure: expected object/],
])('%s is no answer', async (answer, message) => {
  await expect(read(yaml(answer))).rejects.toThrow(message)
})

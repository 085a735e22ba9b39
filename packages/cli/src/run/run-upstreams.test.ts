import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Behaviour, type ProgrammableUpstream, startProgrammableUpstream } from '../../../gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../../gateway/src/testing/programmable-upstream-answers.ts'
import { failing, hangUp } from '../../../gateway/src/testing/programmable-upstream-faults.ts'
import { runCli } from '../testing/run-cli.ts'

let server: ProgrammableUpstream
let before = 0
beforeAll(async () => {
  server = await startProgrammableUpstream(failing(418))
})
afterAll(() => server.close())
beforeEach(() => {
  before = server.requests.length
})

const key = 'sk-of-the-test-0123456789'
const price = { prompt: 1, completion: 10 }

function run(upstream: object, argv: readonly string[] = []) {
  const http = { baseUrl: `${server.url}/v1`, apiKeyEnv: 'KEY', headers: { 'x-team': 'blue' }, model: 'm', price }
  const config = {
    upstreams: [{ name: 'up', ...http, ...upstream }],
    contracts: { it: { checks: [{ max_words: { limit: 3 } }], retries: 1 } },
  }
  return runCli(['run', 'hi', ...argv], { files: { 'stickler.yaml': JSON.stringify(config) }, env: { KEY: key } })
}

const message = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 4, output_tokens: 2 },
})
const events = (...texts: string[]) =>
  answeringEvents(
    [
      { type: 'message_start', message: { ...message(''), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...texts.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ],
    { done: false },
  )

const usage = { prompt: 4, completion: 2 }

/** Each kind behind an address, and how a provider of it answers. */
const kinds = [
  {
    kind: 'openai',
    path: '/v1/chat/completions',
    whole: answering('Two words.', { usage }),
    stream: answering('Two words.', { stream: true, usage }),
    header: 'authorization',
  },
  {
    kind: 'anthropic',
    path: '/v1/messages',
    whole: answeringBody(message('Two words.')),
    stream: events('Two ', 'words.'),
    header: 'x-api-key',
  },
] as const

describe.each(kinds)('stickler run asks an $kind upstream', ({ kind, path, whole, stream, header }) => {
  it('as a stream, with its key and headers', async () => {
    server.enqueue(stream)
    expect(await run({ kind })).toMatchObject({
      code: 0,
      stdout: 'Two words.\n',
      stderr: expect.stringMatching(/valid after 1 attempt, \d+ \+ \d+ tokens/),
    })
    const sent = server.requests.at(-1)
    expect(sent).toMatchObject({ path, json: { model: 'm', stream: true } })
    expect(sent?.headers).toMatchObject({ 'x-team': 'blue', [header]: expect.stringContaining(key) })
  })

  it('whole, with its price', async () => {
    server.enqueue(whole)
    const { code, stdout } = await run({ kind }, ['--no-stream', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'valid', text: 'Two words.', usage: { cost: expect.any(Number) } }])
  })

  it.each<[string, readonly Behaviour[]]>([
    ['429', [failing(429, { 'retry-after-ms': '1' })]],
    ['503', [failing(503, { 'retry-after-ms': '1' })]],
    ['a connection that broke', [hangUp]],
  ])('again after %s', async (_, faults) => {
    server.enqueue(...faults, stream)
    expect(await run({ kind, retries: 1 })).toMatchObject({ code: 0, stdout: 'Two words.\n' })
    expect(server.requests.length - before).toBe(2)
  })

  it('and ends with 3 when the provider refuses, without its key', async () => {
    server.enqueue(failing(401, {}, `wrong key ${key}`))
    const { code, stdout, stderr } = await run({ kind })
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/failed: the provider answered with status 401: wrong key \[redacted\]/)
    expect(server.requests.length - before).toBe(1)
  })

  it('within its time limit', async () => {
    server.enqueue(() => {})
    expect(await run({ kind, timeouts: { firstByte: 0.1 }, retries: 0 })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('within 100 ms'),
    })
  })

  it('only with a model and a key', async () => {
    expect(await run({ kind, model: undefined })).toMatchObject({ code: 2, stderr: expect.stringContaining('model') })
    expect(await run({ kind, apiKeyEnv: 'ABSENT' })).toMatchObject({ code: 2, stderr: expect.stringContaining('ABSENT is not set') })
  })
})

it('asks the deployment of an Azure upstream with its header', async () => {
  server.enqueue(answering('Two words.', { stream: true }))
  const azure = { kind: 'openai', baseUrl: `${server.url}?api-version=1`, pathStyle: 'azure', apiKeyHeader: 'api-key' }
  expect(await run(azure)).toMatchObject({ code: 0, stdout: 'Two words.\n' })
  expect(server.requests.at(-1)).toMatchObject({
    path: '/openai/deployments/m/chat/completions?api-version=1',
    headers: { 'api-key': key },
  })
})

import { type Contract, defineValidator } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { createMetrics } from '../../observe/metrics/metrics.ts'
import type { RunRecord } from '../../records/run/run-record.ts'
import { StoreUnavailable } from '../../records/store/store-unavailable.ts'
import { RawClient, rawRequest, startFront, type TestFront, until } from '../../testing/http-front.ts'
import { checkRoute } from './check-route.ts'

const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
}
const contracts = new Map<string, Contract>([
  ['marked', contract({ checks: ['step_marker'] })],
  ['short', contract({ checks: [{ max_words: { limit: 2 } }], repair: 'never' })],
  ['data', contract({ checks: [{ json: { schema: { type: 'object', required: ['a'] } } }] })],
  ['tools', contract({ checks: ['tool_calls'] })],
  ['files', contract({ checks: ['file_existence'] })],
  ['grounded', contract({ checks: ['context_relevance'] })],
])
const metrics = createMetrics({ names: { contracts: contracts.keys(), models: [], upstreams: [] } })

const unused = {
  clock: systemClock,
  observe: (record: RunRecord) => metrics.run(record),
  attemptFailed() {},
  admit: () => undefined,
}

let runs: RunRecord[]
let recording: () => Promise<void>
let front: TestFront

beforeEach(async () => {
  runs = []
  recording = async () => {}
  const recorder = {
    run: (record: RunRecord) => {
      runs.push(record)
      return recording()
    },
  }
  let ids = 0
  const route = checkRoute({
    contracts: () => contracts,
    recorder,
    ...unused,
    today: () => 1000,
    newRunId: () => `run-${++ids}`,
  })
  front = await startFront([route], { keys: 'alice:secret-key-1', settings: { maxBodyBytes: 1 << 20 } })
})
afterEach(() => front.close())

async function check(body: unknown) {
  const response = await fetch(`http://127.0.0.1:${front.port}/v1/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret-key-1' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> }
}

describe('a verdict', () => {
  it('has the keys of a line of `stickler check`, in their order', async () => {
    const { status, headers, body } = await check({ contract: 'marked', text: '<!-- STEP: whta -->' })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toBe(
      '{"status":"repaired","issues":[],' +
        '"fixed":[{"code":"INVALID_STEP","severity":"error","validator":"step_marker","message":"Use a valid step in the STEP marker, not whta.","hint":"Valid steps: constraints, done, finalize, generate, what, why","span":{"start":0,"end":19},"suggestion":"what"}],' +
        '"repairs":[{"rule":"correct-step-name","span":{"start":0,"end":19},' +
        '"before":"<!-- STEP: whta -->","after":"<!-- STEP: what -->","class":"lossless"}],"text":"<!-- STEP: what -->",' +
        '"facts":{"step_marker":{"step":"what"}},"contract":"marked"}',
    )
    expect([headers.get('x-stickler-status'), headers.get('x-stickler-attempts'), headers.get('x-stickler-contract')]).toEqual([
      'repaired',
      '0',
      'marked',
    ])
  })

  it.each([
    ['valid', { contract: 'short', text: 'two words' }],
    ['unresolved', { contract: 'short', text: 'now there are five words' }],
    ['unresolved', { contract: 'marked', text: 'x', repair: 'never' }],
    ['repaired', { contract: 'marked', text: 'x', repair: 'last' }],
    ['repaired', { preset: 'helix', text: 'x' }],
    ['unresolved', { contract: 'marked', text: 'x <!-- STEP: done -->', finish_reason: 'length' }],
    ['unresolved', { contract: 'short', text: 'two words', finish_reason: 'MAX_TOKENS' }],
    ['unchecked', { contract: 'short', text: 'two words', finish_reason: 'who_knows' }],
    ['unresolved', { contract: 'short', message: { role: 'assistant', content: 'two words', stop_reason: 'max_tokens' } }],
    ['unresolved', { contract: 'short', message: { content: 'two words', response_metadata: { finish_reason: 'SAFETY' } } }],
    ['unchecked', { contract: 'files', text: '---\nadr_id: 1\nfiles: { modify: [a.ts] }\n---\n' }],
    [
      'valid',
      {
        contract: 'tools',
        tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
        tools: [weather],
      },
    ],
    [
      'unresolved',
      { contract: 'tools', message: { content: null, tool_calls: [{ function: { name: 'wether', arguments: '{}' } }] }, tools: [weather] },
    ],
    [
      'valid',
      {
        contract: 'short',
        message: { role: 'assistant', content: [{ type: 'text', text: 'two ' }, { type: 'image' }, { text: 'words' }, null] },
      },
    ],
    ['valid', { contract: 'short', text: '', context: { any: [1] }, sources: 3, question: 'q', session: null, tools: null }],
  ])('%s is a 200: %j', async (verdict, body) => {
    expect(await check(body)).toMatchObject({
      status: 200,
      body: { status: verdict, issues: expect.any(Array), repairs: expect.any(Array) },
    })
  })

  it('on texts that were found for a question needs no answer', async () => {
    const asked = { question: 'How often does the gateway retry?', context: ['The gateway retries at most twice.'] }
    const { status, body } = await check({ contract: 'grounded', ...asked })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'valid', scores: { context_relevance: expect.any(Number) }, issues: [] })
    expect((await check({ contract: 'grounded', ...asked, context: [{ text: 'Pasta' }] })).body.issues).toMatchObject([
      { code: 'CONTEXT_IRRELEVANT', severity: 'warning' },
    ])
    for (const wrong of [
      { contract: 'marked', ...asked },
      { contract: 'grounded', question: asked.question },
    ])
      expect(await check(wrong)).toMatchObject({ status: 400, body: { error: { param: 'text' } } })
  })

  it('knows which tools may be called', async () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city": "Ulm"}' } }]
    const codes = async (more: object): Promise<unknown> => {
      const { body } = await check({ contract: 'tools', tool_calls, ...more })
      return [body.status, (body.issues as { code: string }[]).map(({ code }) => code)]
    }
    expect(await codes({ tools: [weather], tool_choice: 'auto' })).toEqual(['valid', []])
    expect(await codes({ tools: [weather], tool_choice: { type: 'none' } })).toEqual(['unresolved', ['UNKNOWN_TOOL']])
    expect(await codes({ tools: [] })).toEqual(['unresolved', ['UNKNOWN_TOOL']])
    expect(await codes({})).toEqual(['unchecked', []])
  })

  it('reads what was called before, what is expected, and whether one call is enough', async () => {
    const call = (name: string) => ({ type: 'function', function: { name, arguments: '{}' } })
    const tools = ['ping_gateway', 'check_adapter_status'].map((name) => ({ name, parameters: { type: 'object' } }))
    const codes = async (more: object): Promise<string[]> => {
      const { body } = await check({ preset: 'techtime', tool_calls: [call('check_adapter_status')], tools, ...more })
      return (body.issues as { code: string }[]).map(({ code }) => code)
    }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', ...call('ping_gateway') }] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ]
    expect(await codes({})).toEqual([])
    expect(await codes({ messages })).toEqual(['OUT_OF_ORDER'])
    expect(await codes({ transcript: ['ping_gateway'] })).toEqual(['OUT_OF_ORDER'])
    expect(await codes({ context: { transcript: ['ping_gateway'] } })).toEqual(['OUT_OF_ORDER'])
    expect(await codes({ context: { expected_sequence: ['ping_gateway'] } })).toEqual(['UNEXPECTED_CALL'])
    expect(await codes({ tools: undefined, functions: tools })).toEqual([])
    expect(await codes({ tool_calls: [call('check_adapter_status'), call('ping_gateway')], parallel_tool_calls: false })).toEqual([
      'PARALLEL_CALLS',
    ])
  })

  it('reads a whole response of any client as message', async () => {
    const parts = [{ functionCall: { name: 'weather', args: {} } }]
    const output = [{ type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' }]
    const codes = async (message: object): Promise<string[]> => {
      const { body } = await check({ contract: 'tools', message, tools: [weather] })
      return (body.issues as { code: string }[]).map(({ code }) => code)
    }
    expect(await codes({ output, status: 'completed' })).toEqual(['MISSING_ARGUMENT'])
    expect(await codes({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })).toEqual(['MISSING_ARGUMENT'])
    expect(await codes({ content: 'Cut', stop_reason: 'max_tokens' })).toEqual(['TRUNCATED'])
    expect((await check({ contract: 'tools', message: { id: 1 } })).status).toBe(400)
    for (const response of [{ name: 'gen', completion: 'garbage' }, { output: { role: 'assistant', content: '{}' } }, [{ a: 1 }]]) {
      expect(await check({ contract: 'tools', response })).toMatchObject({
        status: 400,
        body: { error: { param: 'response', message: expect.stringMatching(/known are a text, .*one call \{name, arguments\}/) } },
      })
    }
  })

  it('lifts the value, and gives tool calls back as they came', async () => {
    expect((await check({ contract: 'data', text: '{"a":1}' })).body).toMatchObject({ status: 'valid', value: { a: 1 }, text: '{"a":1}' })
    const tool_calls = [{ id: 'c', extra: 1, type: 'function', function: { name: 'weather', arguments: '{"city": "Ulm"}' } }]
    expect((await check({ contract: 'tools', tool_calls, tools: [weather] })).body).toMatchObject({ tool_calls })
  })

  it('survives hostile text', async () => {
    const text = `</script><script>\u2028\u0000\ud800 ${'[^'.repeat(50_000)}\r\n`
    const { status, body } = await check({ contract: 'short', text })
    expect([status, body.status]).toEqual([200, 'unresolved'])
  })
})

describe('a run', () => {
  it('is kept of every verdict, before it is told', async () => {
    let release = () => {}
    recording = () => new Promise((resolve) => (release = resolve))
    let answered = false
    const asked = check({ contract: 'marked', text: 'x', session: 's1' }).then((result) => {
      answered = true
      return result
    })
    await until(() => runs.length === 1)
    expect(answered).toBe(false)
    release()
    expect((await asked).status).toBe(200)
    expect(runs).toMatchObject([
      {
        id: 'run-1',
        at: 1000,
        api: 'check',
        contract: 'marked',
        status: 'repaired',
        key: 'alice',
        session: 's1',
        attempts: [],
        model: '',
        httpStatus: 200,
      },
    ])
    expect(runs[0]?.fixed).toHaveLength(1)
    expect(await metrics.render()).toMatch(/stickler_runs_total\{contract="marked",status="repaired",model="none"\} \d/)
  })

  it.each([
    [500, new Error('disk full of secrets')],
    [503, new StoreUnavailable('disk-full', 'no room for secrets', 'ENOSPC')],
  ])('that cannot be kept is no verdict, but a %i', async (code, failure) => {
    recording = () => Promise.reject(failure)
    const { status, body } = await check({ contract: 'marked', text: 'x' })
    expect(status).toBe(code)
    expect(JSON.stringify(body)).not.toContain('secrets')
  })
})

it('a client that leaves gets no verdict, and none is kept', async () => {
  let seen: AbortSignal | undefined
  const slow = defineValidator({
    name: 'slow',
    summary: 'Takes its time.',
    options: z.strictObject({}),
    codes: {},
    instruct: () => '',
    prepare: () => ({
      async *check(_answer, { signal }) {
        seen = signal
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    }),
  })
  contracts.set('slow', contract({ checks: [slow({})] }))
  const client = new RawClient(front.port)
  const headers = ['content-type: application/json', 'authorization: Bearer secret-key-1']
  client.send(rawRequest('POST', '/v1/check', headers, '{"contract":"slow","text":"x"}'))
  await until(() => seen !== undefined)
  client.socket.destroy()
  await until(() => front.answered.length === 1 && front.server.inFlight === 0)
  contracts.delete('slow')
  expect([seen?.aborted, runs, front.answered[0]?.status]).toEqual([true, [], 499])
})

describe('a bad request', () => {
  it.each([
    ['text', { contract: 'short' }],
    ['text', { contract: 'short', text: 7 }],
    ['text', { contract: 'short', text: ['x'] }],
    ['message', { contract: 'short', message: 'x' }],
    ['message', { contract: 'short', message: ['x'] }],
    ['message', { contract: 'short', message: { content: 7 } }],
    ['message', { contract: 'short', message: {}, text: 'x' }],
    ['tool_calls', { contract: 'short', tool_calls: {} }],
    ['tools', { contract: 'short', text: 'x', tools: 'x' }],
    ['tool_choice', { contract: 'short', text: 'x', tool_choice: 7 }],
    ['parallel_tool_calls', { contract: 'short', text: 'x', parallel_tool_calls: 'no' }],
    ['messages', { contract: 'short', text: 'x', messages: 'x' }],
    ['transcript', { contract: 'short', text: 'x', transcript: 'x' }],
    ['context.transcript', { contract: 'short', text: 'x', context: { transcript: 7 } }],
    ['expected_sequence', { contract: 'short', text: 'x', expected_sequence: [7] }],
    ['sources', { contract: 'short', text: 'x', sources: -1 }],
    ['sources', { contract: 'short', text: 'x', sources: 1.5 }],
    ['sources', { contract: 'short', text: 'x', sources: 'x' }],
    ['question', { contract: 'short', text: 'x', question: {} }],
    ['repair', { contract: 'short', text: 'x', repair: 'always' }],
    ['finish_reason', { contract: 'short', text: 'x', finish_reason: 'f'.repeat(257) }],
    ['session', { contract: 'short', text: 'x', session: 's'.repeat(257) }],
    ['contract', { text: 'x' }],
    ['contract', { contract: { checks: [] }, text: 'x' }],
    ['preset', { contract: 'short', preset: 'helix', text: 'x' }],
    ['checks', { contract: 'short', checks: [], text: 'x' }],
    ['root', { contract: 'files', root: '/', text: 'x' }],
  ])('names %s: %j', async (param, body) => {
    const result = await check(body)
    expect([result.status, (result.body.error as { param: unknown }).param]).toEqual([400, param])
    expect(runs).toEqual([])
  })

  it.each([
    [{ contract: 'shrot', text: 'x' }, 'contract', 'unknown contract "shrot"; did you mean "short"?'],
    [{ contract: '__proto__', text: 'x' }, 'contract', expect.stringContaining('unknown contract')],
    [{ preset: 'helx', text: 'x' }, 'preset', 'unknown preset "helx"; did you mean "helix"?'],
    [{ preset: 'constructor', text: 'x' }, 'preset', expect.stringContaining('unknown preset')],
  ])('%j is a 404', async (body, param, message) => {
    expect(await check(body)).toMatchObject({ status: 404, body: { error: { param, message, code: `${param}_not_found` } } })
  })

  it.each(['', '[]', '{', '{"contract":"short","text":"x","__proto__":{}}', '"x"', 'null', '{"text":'.repeat(1000)])(
    '%j is no body',
    async (body) => {
      expect((await check(body)).status).toBe(400)
    },
  )

  it('that is too large is refused', async () => {
    expect((await check({ contract: 'short', text: 'x'.repeat(2 << 20) })).status).toBe(413)
  })
})

it('takes the only contract when none is named', async () => {
  const only = new Map([['one', contract({ checks: [] })]])
  const route = checkRoute({
    contracts: () => only,
    recorder: { run: async () => {} },
    ...unused,
    today: () => 0,
    newRunId: () => 'x',
  })
  const other = await startFront([route])
  try {
    const response = await fetch(`http://127.0.0.1:${other.port}/v1/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":""}',
    })
    expect(await response.json()).toEqual({ status: 'valid', issues: [], repairs: [], text: '', facts: {}, contract: 'one' })
  } finally {
    await other.close()
  }
})

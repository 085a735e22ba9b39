import { describe, expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import { fromFunction } from '../runners/from-function.ts'
import { type ScriptedTurn, scripted } from '../runners/scripted.ts'
import { json } from '../validators/json/index.ts'
import { maxWords } from '../validators/max-words.ts'
import { enforceStream } from './enforce.ts'
import { UndeliveredError } from './results/undelivered-error.ts'
import type { ModelEvent, Runner } from './runner.ts'

const threeWords = contract({ checks: [maxWords({ limit: 3 })], retries: 0 })
const good: ScriptedTurn = { text: 'One two three', chunkSize: 4 }
const bad: ScriptedTurn = { text: 'One two three four five', chunkSize: 4 }
const open = (turn: ScriptedTurn, rules = threeWords) => {
  const runner = scripted([turn])
  return { runner, stream: enforceStream({ contract: rules, runner, prompt: 'Count.' }) }
}
async function textOf(texts: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const text of texts) all += text
  return all
}

describe('the outcome of a stream', () => {
  test('settles when nobody reads, and the text can still be read', async () => {
    const { stream } = open(good)
    expect(await stream.outcome).toMatchObject({ status: 'valid', text: 'One two three' })
    expect(await textOf(stream)).toBe('One two three')
  })

  test('may be asked for before the text is read, at the pace of the reader', async () => {
    const { stream, runner } = open(good)
    const { outcome } = stream
    const reading = stream[Symbol.asyncIterator]()
    await reading.next()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(runner.calls[0]?.taken).toBeLessThan(13)
    let rest = ''
    for (let step = await reading.next(); !step.done; step = await reading.next()) rest += step.value
    expect(rest).not.toBe('')
    expect((await outcome).status).toBe('valid')
  })

  test('goes over to a reader who comes late', async () => {
    const { stream } = open(good)
    void stream.outcome
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await textOf(stream)).toBe('One two three')
  })

  test('settles when the reader leaves, also while the model hangs', async () => {
    const { stream, runner } = open(good)
    for await (const _text of stream) break
    expect(await stream.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
    expect(runner.calls[0]?.aborted).toBe(true)
    const hanging = hangs()
    const held = enforceStream({ contract: threeWords, runner: hanging.runner, prompt: 'Count.' })
    const reader = held.toReadableStream().getReader()
    const pending = reader.read().catch(() => undefined)
    await hanging.called
    await reader.cancel()
    expect(await held.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
    expect(hanging.signal?.aborted).toBe(true)
    await pending
  })

  test('a second reader is told, and so is one who comes after the end', async () => {
    const { stream } = open(good)
    expect(await textOf(stream)).toBe('One two three')
    const again = /already being read/
    expect(() => stream[Symbol.asyncIterator]()).toThrow(again)
    expect(() => stream.toReadableStream()).toThrow(again)
    await expect(stream.toResponse()).rejects.toThrow(again)
    expect(() => stream.batches()[Symbol.asyncIterator]()).toThrow(again)
  })

  test('a runner that throws fails the run, also for a reader who comes after it', async () => {
    const runner = {
      run: () => {
        throw new TypeError('broken')
      },
    } as unknown as Runner
    const stream = enforceStream({ contract: threeWords, runner, prompt: 'Count.' })
    expect((await stream.outcome).status).toBe('failed')
    expect(await textOf(stream)).toBe('')
  })
})

describe('bytes and responses', () => {
  test('a delivered answer ends cleanly, and its characters are whole', async () => {
    const { stream } = open({ chunks: ['One \ud83d', '\ude00 three'] })
    expect(await new Response(stream.toReadableStream()).text()).toBe('One 😀 three')
    const response = await open(good).stream.toResponse({ status: 201, headers: { 'x-a': 'b' } })
    expect([response.status, response.headers.get('content-type'), response.headers.get('x-a')]).toEqual([
      201,
      'text/plain; charset=utf-8',
      'b',
    ])
    expect(await response.text()).toBe('One two three')
    const typed = await open(good).stream.toResponse({ headers: { 'content-type': 'text/markdown' } })
    expect(typed.headers.get('content-type')).toBe('text/markdown')
  })

  test('an answer that is cut ends with an error', async () => {
    const { stream } = open(bad)
    const reader = stream.toReadableStream().getReader()
    const read = async () => {
      for (let step = await reader.read(); !step.done; step = await reader.read());
    }
    await expect(read()).rejects.toThrow(UndeliveredError)
    const response = await open(bad).stream.toResponse()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  test.each<[string, ScriptedTurn, number, object]>([
    ['a broken contract', { text: '{"a": ' }, 422, { type: 'contract_violation', code: 'INVALID_JSON' }],
    ['no answer', { throw: new Error('secret words') }, 502, { type: 'upstream_error', code: 'crash' }],
  ])('before the first byte the status tells: %s', async (_name, turn, status, error) => {
    const { stream } = open(turn, contract({ checks: [json({ allow: [] })], retries: 0 }))
    const response = await stream.toResponse({ status: 200, headers: { 'content-type': 'application/x-ndjson', 'x-a': 'b' } })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    const body = await response.text()
    expect(JSON.parse(body)).toMatchObject({ error: { ...error, param: null } })
    expect(body).not.toContain('secret')
  })

  test('a rate limit keeps its status and its wait, so that clients come back when they may', async () => {
    const turn = { failure: { kind: 'http', status: 429, retryAfterMs: 1500, message: 'secret words' } } as const
    const response = await open(turn).stream.toResponse()
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-should-retry')]).toEqual([429, '2', null])
    expect(await response.json()).toEqual({
      error: { message: 'The model asks for fewer requests.', type: 'rate_limit_error', code: 'http', param: null },
    })
    const busy = await open({ failure: { kind: 'http', status: 503, retryAfterMs: 3000, message: 'x' } }).stream.toResponse()
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([502, '3'])
  })

  test('a stream that is taken for a body says so', () => {
    const { stream } = open(good)
    const body: unknown = stream
    expect(() => new Response(body as string)).toThrow(/toResponse/)
    expect(() => new Request('http://localhost', { method: 'POST', body: body as string, duplex: 'half' } as RequestInit)).toThrow(
      /toResponse/,
    )
    expect(() => String(body)).toThrow(/toResponse/)
  })

  test('the model waits for the reader', async () => {
    let made = 0
    const runner = fromFunction(async function* () {
      for (let index = 0; index < 100; index++) {
        made++
        yield `word${index} `
      }
    })
    const stream = enforceStream({ contract: contract({ checks: [maxWords({ limit: 1000 })] }), runner, prompt: 'Talk.' })
    const reader = stream.toReadableStream().getReader()
    expect(made).toBe(0)
    await reader.read()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(made).toBeLessThan(6)
    await reader.cancel()
    expect((await stream.outcome).status).toBe('failed')
  })
})

/** A runner that never answers. */
function hangs() {
  const seen: { signal?: AbortSignal } = {}
  let onCall = (): void => {}
  const called = new Promise<void>((resolve) => {
    onCall = resolve
  })
  const run: Runner['run'] = (_session, _prompt, { signal }) => {
    seen.signal = signal
    onCall()
    return (async function* (): AsyncGenerator<ModelEvent> {
      await new Promise(() => {})
    })()
  }
  return {
    called,
    runner: { run, continue: run } as unknown as Runner,
    get signal() {
      return seen.signal
    },
  }
}

describe('steps that are asked for at once', () => {
  const cases: [string, ScriptedTurn[]][] = [
    ['an answer', [good]],
    ['a retry', [bad, good]],
    ['a failure', [{ text: 'One two', chunkSize: 2, failure: { kind: 'connection' } } as ScriptedTurn]],
  ]
  test.each(cases)('give what they give one after the other: %s', async (_, turns) => {
    const rules = contract({ checks: [maxWords({ limit: 3 })], retries: 1, stream: 'verified' })
    const run = () => enforceStream({ contract: rules, runner: scripted(turns), prompt: 'Count.' })
    const slow = run()
    let expected = ''
    for await (const texts of slow.batches()) expected += texts.join('')
    const quick = run()
    const steps = quick.batches()[Symbol.asyncIterator]()
    const asked = Array.from({ length: 12 }, () => steps.next())
    // More are asked for while those wait.
    const first = await asked[0]
    asked.push(steps.next(), steps.next())
    expect(first).toEqual(await asked[0])
    const all = await Promise.all(asked)
    expect(all.flatMap(({ value = [] }) => value).join('')).toBe(expected)
    const { status, text } = await slow.outcome
    expect(await quick.outcome).toMatchObject({ status, text })
  })

  test.each([0, 1, 2, 3])('and a run that is aborted while it takes event %i ends', async (at) => {
    const controller = new AbortController()
    const runner: Runner = {
      async *run(): AsyncGenerator<ModelEvent> {
        for (let count = 0; count < 4; count++) yield { type: 'text', text: count % 2 === 0 ? 'a ' : '' }
        yield { type: 'end', finishReason: 'stop' }
      },
      continue: () => expect.unreachable(),
    }
    let taken = 0
    const text = {
      type: 'text',
      get text() {
        if (taken++ === at) controller.abort()
        return ''
      },
    } as ModelEvent
    async function* watched(): AsyncGenerator<ModelEvent> {
      for await (const event of runner.run(undefined, '', {} as never)) yield event.type === 'text' ? text : event
    }
    const stream = enforceStream({ contract: threeWords, runner: { ...runner, run: watched }, prompt: '', signal: controller.signal })
    for await (const _ of stream.batches()) expect.unreachable()
    expect(await stream.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
  })
})

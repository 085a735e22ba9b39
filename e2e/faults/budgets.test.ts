import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRuns } from '../../packages/gateway/src/testing/address-client.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, errorOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const dayMs = 86_400_000
let today = 20_000 * dayMs
let gateway: TestGateway

const yaml = `
server: { port: 0, keysEnv: KEYS, perKey: { tokensPerDay: 20000, usdPerDay: 100 } }
contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1, stream: hold, stop: early }
  small: { checks: [{ max_words: { limit: 3 } }] }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0, model: m, price: { prompt: 1000, completion: 2000 } }
  - { name: dear, kind: openai, baseUrl: $UP/v1, retries: 0, price: { prompt: 10000, completion: 20000 } }
routes:
  - { model: plain, upstream: up }
  - { model: dear, upstream: dear }
  - { model: brief, upstream: up, contract: brief }
  - { model: small, upstream: up, contract: small }
ask: { upstreams: [up], limits: { completionTokens: 50 } }
`
const keys = Array.from({ length: 30 }, (_, index) => `key${index}:secret-of-key-${index}`)
let used = 0
/** A key that has spent nothing yet. */
const freshKey = () => ({ authorization: `Bearer secret-of-key-${used++}` })
const usage = { prompt: 30, completion: 470 }

beforeAll(async () => {
  gateway = await startTestGateway({ yaml, env: { KEYS: keys.join(',') }, today: () => today })
})
afterAll(() => gateway.close())

/** What the store has counted for a key, and what is set aside. */
function spentOf({ authorization }: { readonly authorization: string }) {
  const database = new Database(join(gateway.folder, 'stickler.db'), { readonly: true })
  const statement = database.prepare(
    'select tokens, nano_usd / 1e9 as usd, held_tokens + held_nano_usd as held from key_budgets where key_name = ? and day = ?',
  )
  const row = statement.get(authorization.replace('Bearer secret-of-key-', 'key'), Math.floor(today / dayMs)) as
    | { tokens: number; usd: number; held: number }
    | undefined
  database.close()
  return { tokens: row?.tokens ?? 0, usd: row?.usd ?? 0, held: row?.held ?? 0 }
}

/** What is counted for a key's request under way if nobody ever settles. */
function riskOf({ authorization }: { readonly authorization: string }): number {
  const database = new Database(join(gateway.folder, 'stickler.db'), { readonly: true })
  const row = database
    .prepare('select max(risk_tokens) as risk from reservations where key_name = ?')
    .get(authorization.replace('Bearer secret-of-key-', 'key')) as { risk: number | null }
  database.close()
  return row.risk ?? 0
}

const limit = { fields: { max_tokens: 470 } }
const limits = { chat: limit, responses: { fields: { max_output_tokens: 470 } }, messages: limit }

describe('a hundred at once', () => {
  test.each(ways)('%s %s: never spend more than the budget, and not much less', async (api, how) => {
    const headers = freshKey()
    let answered = 0
    const slow: Behaviour = async (exchange) => {
      await exchange.wait(20)
      answered++
      await answering('Fine.', { usage })(exchange)
    }
    gateway.upstream.otherwise(slow)
    const question = { model: 'plain', stream: how === 'streamed', headers, ...limits[api] }
    const replies = await Promise.all(Array.from({ length: 100 }, () => ask(gateway, api, question)))
    const good = replies.filter(({ status }) => status === 200).length
    expect(good).toBe(answered)
    expect(answered * 500).toBeLessThanOrEqual(20_000)
    // No more is kept back than what was set aside for those under way.
    expect(answered * 500).toBeGreaterThan(15_000)
    for (const reply of replies) if (reply.status !== 200) expect([reply.status, errorOf(reply)?.type]).toEqual([429, 'rate_limit_error'])
    expect(spentOf(headers)).toMatchObject({ tokens: answered * 500, held: 0 })
  })
})

describe('what no budget covers', () => {
  test('is refused with nothing called, and not to be tried again', async () => {
    const headers = freshKey()
    const before = gateway.upstream.requests.length
    const reply = await ask(gateway, 'chat', { model: 'plain', headers, fields: { max_tokens: 20_000 } })
    expect([reply.status, errorOf(reply)?.code]).toEqual([429, 'insufficient_quota'])
    expect([reply.headers.get('x-should-retry'), reply.headers.get('retry-after')]).toEqual(['false', null])
    expect(gateway.upstream.requests.length).toBe(before)
    // With eight choices it is too much, with one it is not.
    gateway.upstream.otherwise(answering('Fine.', { usage }))
    expect((await ask(gateway, 'chat', { model: 'plain', headers, fields: { max_tokens: 2500, n: 8 } })).status).toBe(429)
    expect((await ask(gateway, 'chat', { model: 'plain', headers, fields: { max_tokens: 2500 } })).status).toBe(200)
    // Every retry may cost as much again.
    expect((await ask(gateway, 'chat', { model: 'brief', headers, fields: { max_tokens: 7000 } })).status).toBe(429)
  })

  test('the advice of a refusal can be followed, and a small limit fits into a small budget', async () => {
    const headers = freshKey()
    gateway.upstream.otherwise(answering('Fine.', { usage: { prompt: 1, completion: 1 } }))
    const status = async (fields: Readonly<Record<string, unknown>>) =>
      (await ask(gateway, 'chat', { model: 'small', headers, fields })).status
    const refused = await ask(gateway, 'chat', { model: 'small', headers })
    expect([refused.status, errorOf(refused)?.code, refused.headers.get('retry-after')]).toEqual([429, 'insufficient_quota', null])
    const [, fitting] = /a max_tokens of at most (\d+)\./.exec(String(errorOf(refused)?.message)) ?? []
    expect(Number(fitting)).toBeGreaterThan(1000)
    expect(await status({ max_tokens: Number(fitting) })).toBe(200)
    expect(await status({ max_tokens: Number(fitting) + 100 })).toBe(429)
    expect(await status({ max_tokens: 1 })).toBe(200)
  })

  test('dollars hold as well as tokens', async () => {
    const headers = freshKey()
    gateway.upstream.otherwise(answering('Fine.', { usage: { prompt: 100, completion: 900 } }))
    const question = { model: 'dear', headers, fields: { max_tokens: 900 } }
    // 900 × $20 000 a million and the prompt are $19.
    for (let count = 0; count < 5; count++) expect((await ask(gateway, 'chat', question)).status).toBe(200)
    expect(spentOf(headers)).toEqual({ tokens: 5000, usd: 95, held: 0 })
    const reply = await ask(gateway, 'chat', question)
    expect([reply.status, errorOf(reply)?.code]).toEqual([429, 'budget_exceeded'])
    expect(String(errorOf(reply)?.message)).toContain('$5 of this key')
  })
})

describe('what nobody tells is estimated and marked', () => {
  const text = 'word '.repeat(40)

  test('usage that a provider leaves out', async () => {
    const headers = { ...freshKey(), 'x-request-id': 'untold' }
    gateway.upstream.otherwise(answering(text, { usage: undefined }))
    await ask(gateway, 'chat', { model: 'plain', headers, fields: { max_tokens: 100 } })
    expect(spentOf(headers)).toEqual({ tokens: 82, usd: 0.132, held: 0 })
    await expect
      .poll(async () => (await runsOf(headers)).map((run) => run.usage))
      .toEqual([{ promptTokens: 32, completionTokens: 50, cost: 0.132, estimated: true }])
  })

  test('usage of other scripts, by its bytes', async () => {
    const headers = freshKey()
    gateway.upstream.otherwise(answering('漢'.repeat(1000), { usage: undefined }))
    const messages = [{ role: 'user', content: '字'.repeat(400) }]
    for (const stream of [false, true]) {
      const reply = await gateway.post('/v1/chat/completions', { model: 'plain', stream, max_tokens: 1000, messages }, headers)
      await reply.text()
    }
    expect(spentOf(headers)).toMatchObject({ tokens: 2 * (427 + 750), held: 0 })
  })

  test('streams that the client leaves', async () => {
    const headers = freshKey()
    const { signal, abort } = aborting()
    gateway.upstream.otherwise(
      answering(text, { chunks: [text, 'and more'], usage, events: 2, afterwards: ({ request }) => request.closed }),
    )
    const response = await gateway.post(
      '/v1/chat/completions',
      { model: 'plain', stream: true, max_tokens: 500, messages: [{ role: 'user', content: 'Tabs?' }] },
      headers,
      signal,
    )
    await response.body?.getReader().read()
    abort()
    // The second piece may have come before the client was gone.
    await expect.poll(() => spentOf(headers).tokens).toBeGreaterThanOrEqual(79)
    expect(spentOf(headers)).toMatchObject({ tokens: expect.toSatisfy((tokens: number) => tokens <= 81), held: 0 })
    await expect.poll(async () => (await runsOf(headers)).map((run) => run.usage.estimated)).toEqual([true])
  })

  test('streams that the contract stops', async () => {
    const headers = freshKey()
    // Word by word: usage that arrives together with the text would be told, and believed.
    gateway.upstream.otherwise(answering(text, { usage, delayMs: 20 }))
    const reply = await ask(gateway, 'chat', { model: 'brief', stream: true, headers, fields: { max_tokens: 30 } })
    expect(reply.status).toBe(422)
    const { tokens, held } = spentOf(headers)
    expect(held).toBe(0)
    expect(tokens).toBeGreaterThan(10)
    expect(tokens).toBeLessThan(200)
    await expect.poll(async () => (await runsOf(headers)).map((run) => run.usage.estimated)).toEqual([true])
  })

  test.each([
    ['/v1/completions', { prompt: 'Tabs or spaces?', max_tokens: 60 }, { choices: [{ index: 0, text }] }, 24 + 50],
    ['/v1/completions', { prompt: 'Tabs?', max_tokens: 60 }, { choices: [], usage: { prompt_tokens: 7, completion_tokens: 9 } }, 16],
    ['/v1/embeddings', { input: ['Tabs or spaces?'] }, { data: [{ embedding: Array(300).fill(0.25) }] }, 24],
  ])('%s %j', async (path, body, reply, spent) => {
    const headers = freshKey()
    gateway.upstream.otherwise(answeringBody(reply))
    expect((await gateway.post(path, { model: 'plain', ...body }, headers)).status).toBe(200)
    expect(spentOf(headers)).toMatchObject({ tokens: spent, held: 0 })
  })

  test('/ask, streamed and whole', async () => {
    const headers = freshKey()
    gateway.upstream.otherwise(answering('Tabs are 0x09 [^1].', { usage: { prompt: 30, completion: 20 } }))
    const question = { question: 'Tabs?', sources: [{ urn: 'urn:a', payload: 'Tabs are 0x09.' }] }
    for (const stream of [false, true]) {
      const reply = await gateway.post('/ask', { ...question, stream }, headers)
      expect(reply.status).toBe(200)
      await reply.text()
    }
    expect(spentOf(headers)).toEqual({ tokens: 100, usd: 0.14, held: 0 })
    // Its prompt and its second attempt are set aside too.
    const long = await gateway.post('/ask', { ...question, question: 'x'.repeat(50_000) }, headers)
    expect([long.status, long.headers.get('x-should-retry')]).toEqual([429, 'false'])
  })
})

describe('/ask with a second call', () => {
  const question = { question: 'Tabs?', sources: [{ urn: 'urn:a', payload: 'Tabs are 0x09.' }] }

  test.each([false, true])('puts it at risk too, and records both, marked where one was estimated; stream: %s', async (stream) => {
    const headers = freshKey()
    const risks: number[] = []
    const good = answering('Tabs are 0x09 [^1].', { usage: { prompt: 30, completion: 20 } })
    gateway.upstream.enqueue(
      async (exchange) => {
        risks.push(riskOf(headers))
        await answering('Tabs are 0x09 [^7].', { usage: undefined })(exchange)
      },
      async (exchange) => {
        await expect.poll(() => riskOf(headers)).toBeGreaterThan(risks[0] ?? 0)
        risks.push(riskOf(headers))
        await good(exchange)
      },
    )
    const reply = await gateway.post('/ask', { ...question, stream }, headers)
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('[^1]')])
    expect(risks).toHaveLength(2)
    const { tokens } = spentOf(headers)
    expect(tokens).toBeGreaterThan(55)
    await expect.poll(async () => (await runsOf(headers)).map(({ usage }) => usage.estimated)).toEqual([true])
    const [run] = await runsOf(headers)
    expect((run?.usage.promptTokens ?? 0) + (run?.usage.completionTokens ?? 0)).toBe(tokens)
  })

  test('tells nothing of an estimate where everything was told', async () => {
    const headers = freshKey()
    gateway.upstream.otherwise(answering('Tabs are 0x09 [^1].', { usage: { prompt: 30, completion: 20 } }))
    expect((await gateway.post('/ask', question, headers)).status).toBe(200)
    await expect
      .poll(async () => (await runsOf(headers)).map(({ usage }) => usage))
      .toEqual([{ promptTokens: 30, completionTokens: 20, cost: 0.07 }])
  })
})

test('an upstream that refuses costs nothing', async () => {
  const headers = freshKey()
  gateway.upstream.otherwise(answeringBody({ error: { message: 'no' } }, { status: 400 }))
  for (const [api, how] of ways) await ask(gateway, api, { model: 'plain', stream: how === 'streamed', headers, ...limits[api] })
  expect((await gateway.post('/v1/completions', { model: 'plain', prompt: 'a', max_tokens: 5 }, headers)).status).toBe(400)
  expect(spentOf(headers)).toEqual({ tokens: 0, usd: 0, held: 0 })
})

test('tomorrow is another day', async () => {
  const headers = freshKey()
  gateway.upstream.otherwise(answering('Fine.', { usage: { prompt: 20, completion: 11_000 } }))
  const question = { model: 'plain', headers, fields: { max_tokens: 11_000 } }
  expect((await ask(gateway, 'chat', question)).status).toBe(200)
  expect((await ask(gateway, 'chat', question)).status).toBe(429)
  today += dayMs
  expect((await ask(gateway, 'chat', question)).status).toBe(200)
})

async function runsOf(headers: Readonly<Record<string, string>>) {
  const runs = (await allRuns(gateway.url, headers)) as unknown as {
    usage: { promptTokens: number; completionTokens: number; cost?: number; estimated?: true }
    key: string
  }[]
  return runs.filter(({ key }) => headers.authorization?.endsWith(key.replace('key', 'key-')))
}

function aborting() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

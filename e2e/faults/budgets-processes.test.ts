import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAt } from '../../packages/gateway/src/testing/address-client.ts'
import {
  type Behaviour,
  type ProgrammableUpstream,
  startProgrammableUpstream,
} from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { bundleCommand, type CommandBundle, type ServedProcess, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const perDay = 20_000
const most = 470
const usage = { prompt: 30, completion: most }
const each = 30 + most

const keys = Array.from({ length: 8 }, (_, index) => `secret-of-key-${index}`)
const headersOf = (key: number) => ({ authorization: `Bearer ${keys[key % keys.length]}`, connection: 'close' })

let bundle: CommandBundle
let postgres: TestPostgres
let upstream: ProgrammableUpstream
const folders: string[] = []
const running: ServedProcess[] = []

beforeAll(async () => {
  bundle = await bundleCommand()
  postgres = await startPostgres()
  upstream = await startProgrammableUpstream(answering('Fine.', { usage }))
}, 60_000)
afterAll(async () => {
  for (const { process } of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  bundle.remove()
  await postgres.stop()
  await upstream.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function serve(store: string, { folder = newFolder(), workers = 1, deadline = 30 } = {}): Promise<ServedProcess> {
  const yaml = `
server: { port: 0, keysEnv: KEYS, workers: ${workers}, deadline: ${deadline}, perKey: { tokensPerDay: ${perDay} } }
store: { urlEnv: STORE }
log: { level: warn }
upstreams: [{ name: up, kind: openai, baseUrl: "${upstream.url}/v1", retries: 0 }]
contracts: { brief: { checks: [{ max_words: { limit: 3 } }], retries: 1 } }
routes: [{ model: plain, upstream: up }, { model: brief, upstream: up, contract: brief }]
`
  const served = await serveInProcess(bundle, {
    folder,
    yaml,
    env: { STORE: store, KEYS: keys.map((secret, index) => `key${index}:${secret}`).join(',') },
  })
  running.push(served)
  expect(served.url).not.toBe('')
  return served
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stickler-budgets-'))
  folders.push(folder)
  return folder
}

/** Asks a hundred times at once, by turns where there are several, until nobody is let in; tells how often the model answered. */
async function answersOf(urls: readonly string[]): Promise<number> {
  let answered = 0
  const slow: Behaviour = async (exchange) => {
    await exchange.wait(30)
    answered++
    await answering('Fine.', { usage })(exchange)
  }
  upstream.otherwise(slow)
  // Each on a connection of its own, so that the workers take turns.
  const headers = headersOf(0)
  const question = (index: number) => ({ model: 'plain', stream: index % 2 === 0, headers, fields: { max_tokens: most } })
  const refused = new Set<number>()
  for (let round = 0; round < 3; round++) {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => (await askAt(urls[index % urls.length] ?? '', 'chat', question(index))).status),
    )
    for (const status of statuses) if (status !== 200) refused.add(status)
  }
  expect([...refused]).toEqual([429])
  return answered
}

test('three workers keep one budget', { timeout: 60_000 }, async () => {
  const { url } = await serve('sqlite:stickler.db', { workers: 3 })
  const answered = await answersOf([url])
  expect(answered * each).toBeLessThanOrEqual(perDay)
  expect(answered * each).toBeGreaterThan(perDay - 2 * each)
})

test('two gateways on one PostgreSQL keep one budget', { timeout: 60_000 }, async () => {
  const database = await postgres.newDatabase()
  const both = await Promise.all([serve(database), serve(database)])
  const answered = await answersOf(both.map(({ url }) => url))
  expect(answered * each).toBeLessThanOrEqual(perDay)
  expect(answered * each).toBeGreaterThan(perDay - 2 * each)
})

test('two gateways on one PostgreSQL serve several keys at once', { timeout: 60_000 }, async () => {
  const database = await postgres.newDatabase()
  const both = await Promise.all([serve(database), serve(database)])
  upstream.otherwise(answering('Fine.', { usage }))
  const statuses = await Promise.all(
    Array.from({ length: 240 }, async (_, index) => {
      // The second gateway is asked in the opposite order.
      const key = Math.floor((index % 2 === 0 ? index : 240 - index) / 2)
      return (await askAt(both[index % 2]?.url ?? '', 'chat', { model: 'plain', headers: headersOf(key), fields: { max_tokens: most } }))
        .status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('what a killed gateway had set aside comes back, except what its calls can have cost', { timeout: 60_000 }, async () => {
  const database = await postgres.newDatabase()
  // Both are up before anything is set aside, so that little of its time is over when the second one is asked.
  const [doomed, next] = await Promise.all([serve(database, { deadline: 5 }), serve(database, { deadline: 5 })])
  const question = { model: 'brief', headers: headersOf(0), fields: { max_tokens: 2000 } }
  let begun = 0
  upstream.otherwise(async (exchange) => {
    begun++
    await exchange.wait(20_000)
  })
  // Each sets aside its retries too, so that two of them fill most of the day.
  const asking = Array.from({ length: 2 }, () => askAt(doomed.url, 'chat', question).catch(() => undefined))
  await expect.poll(() => begun).toBe(2)
  doomed.process.kill('SIGKILL')
  await Promise.all([...asking, doomed.ended])

  upstream.otherwise(answering('Fine.', { usage: { prompt: 30, completion: 2000 } }))
  expect((await askAt(next.url, 'chat', question)).status).toBe(429)
  // The deadline, and five seconds for a gateway that is slow to settle.
  await expect.poll(async () => (await askAt(next.url, 'chat', question)).status, { timeout: 30_000, interval: 250 }).toBe(200)
  next.process.kill('SIGTERM')
  await next.ended
})

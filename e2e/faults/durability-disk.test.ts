import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRuns, askAt, inLanes } from '../../packages/gateway/src/testing/address-client.ts'
import { startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { bundleCommand, type CommandBundle, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, errorOf, textOf, ways } from '../../packages/gateway/src/testing/wire.ts'

/** What the log says of the store. */
function alertsIn(lines: readonly string[]): string[] {
  return lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { event?: string; kind?: string; level?: string })
    .filter(({ event, level }) => event === 'store' || level === 'error')
    .map(({ kind }) => kind ?? 'other')
}

describe('H21 a folder that cannot be written', () => {
  let gateway: TestGateway
  let folder: string

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'stickler-disk-')), 'store')
    gateway = await startTestGateway({ folder, yaml: askYaml })
  })
  afterAll(async () => {
    await gateway.close()
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })

  const askYaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0, model: m }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], stream: hold } }
routes: [{ model: brief, upstream: up, contract: brief }]
ask: { upstreams: [up] }
`
  const sources = [{ urn: 'urn:a', payload: 'Tabs are 0x09.' }]

  test('answers go out, one alert, not ready; /ask, which never answers without an audit row, refuses; then it recovers', async () => {
    // The folder is gone, and another thing is in its place; permissions would not stop root.
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, '')
    for (const [api, how] of [...ways, ...ways]) {
      const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
      expect([reply.status, textOf(api, reply)]).toEqual([200, 'Hello.'])
    }
    const checked = await gateway.post('/v1/check', { contract: 'brief', text: 'Fine.' })
    expect(checked.status).toBe(200)
    for (const more of [{}, { provider: 'nobody' }])
      expect((await gateway.post('/ask', { question: 'Tabs?', sources, ...more })).status).toBe(503)
    await expect.poll(() => alertsIn(gateway.logLines)).toEqual(['journal-failing'])
    expect((await gateway.get('/readyz')).status).toBe(503)
    expect((await gateway.get('/healthz')).status).toBe(200)

    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    const reply = await ask(gateway, 'chat', { model: 'brief', headers: { 'x-request-id': 'after-the-fault' } })
    expect(reply.status).toBe(200)
    await expect.poll(() => alertsIn(gateway.logLines)).toEqual(['journal-failing', 'journal-recovered'])
    expect((await gateway.get('/readyz')).status).toBe(200)
    await expect.poll(async () => (await allRuns(gateway.url)).map(({ requestId }) => requestId)).toEqual(['after-the-fault'])
  })
})

describe('A17 answers are refused without a record where that is configured', () => {
  let gateway: TestGateway
  let folder: string

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'stickler-disk-')), 'store')
    const yaml = `
store: { url: "sqlite:${join(folder, 'stickler.db')}", onFull: refuse }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0, model: m }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], stream: hold } }
routes: [{ model: brief, upstream: up, contract: brief }, { model: plain, upstream: up }]
`
    gateway = await startTestGateway({ folder, yaml })
  })
  afterAll(async () => {
    await gateway.close()
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })
  const metric = async (name: string) =>
    Number(new RegExp(`^stickler_${name} (\\d+)$`, 'm').exec(await (await gateway.get('/metrics')).text())?.[1])

  test('503 before a model is called, a metric that tells, one request a second that tries, and all is well again', async () => {
    expect([await metric('store_full'), await metric('store_lost_total')]).toEqual([0, 0])
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, '')
    const before = gateway.upstream.requests.length
    const began = Date.now()
    for (const [api, how] of [...ways, ...ways]) {
      const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
      expect(reply.status).toBe(503)
      expect(reply.body).not.toContain('Hello.')
    }
    // One a second may try, however long the machine took.
    const seconds = Math.ceil((Date.now() - began) / 1000)
    expect(gateway.upstream.requests.length - before).toBeLessThanOrEqual(seconds + 1)
    expect(await metric('store_full')).toBe(1)
    expect(await metric('store_lost_total')).toBeGreaterThan(0)
    // What was shown before the store failed ends with an error, not as if it were whole.
    const showing = async () => {
      const shown = await ask(gateway, 'chat', { model: 'plain', stream: true })
      return [textOf('chat', shown), errorOf(shown)?.code, shown.body.includes('[DONE]')]
    }
    // Until it is the turn of one that tries.
    await expect.poll(showing, { timeout: 10_000, interval: 100 }).toEqual(['Hello.', 'store_full', false])
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    await expect.poll(async () => (await ask(gateway, 'chat', { model: 'brief' })).status, { timeout: 10_000 }).toBe(200)
    expect(await metric('store_full')).toBe(0)
  })
})

describe('H21 a disk that is full', () => {
  let bundle: CommandBundle
  beforeAll(async () => {
    bundle = await bundleCommand()
  })
  afterAll(() => bundle.remove())

  test('every answer goes out, few alerts, the process lives, and what was kept before is still there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stickler-disk-'))
    const upstream = await startProgrammableUpstream(answering('word '.repeat(20_000), { chunks: Array(5).fill('word '.repeat(4000)) }))
    const yaml = `
server: { port: 0 }
store: { url: "sqlite:stickler.db", keepText: true }
log: { level: warn }
upstreams: [{ name: up, kind: openai, baseUrl: "${upstream.url}/v1", retries: 0 }]
routes: [{ model: plain, upstream: up }]
`
    // No file may grow beyond a megabyte: the write fails as it does on a full disk.
    const served = await serveInProcess(bundle, { folder, yaml, before: 'ulimit -f 2048' })
    try {
      const statuses: number[] = []
      await inLanes(60, 6, async (index) => {
        const reply = await askAt(served.url, 'chat', { model: 'plain', stream: index % 2 === 0 })
        statuses.push(textOf('chat', reply).length === 100_000 ? reply.status : 0)
      })
      expect(statuses).toEqual(Array(60).fill(200))
      const alerts = alertsIn(served.said().split('\n'))
      expect(new Set(alerts)).toEqual(
        new Set(['database-failing', 'journal-failing', ...alerts.filter((kind) => kind.endsWith('recovered'))]),
      )
      // A smaller record may still fit where a larger one did not, so the journal can work once more in between.
      expect(alerts.length).toBeLessThan(10)
      expect((await allRuns(served.url)).length).toBeGreaterThan(0)
    } finally {
      served.process.kill('SIGKILL')
      await upstream.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a key with a budget gets no answer while its budget cannot be kept, and is not locked out for ever', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stickler-disk-'))
    const upstream = await startProgrammableUpstream(answering('word '.repeat(20_000)))
    const yaml = `
server: { port: 0, perKey: { tokensPerDay: 1000000000 } }
store: { url: "sqlite:stickler.db", keepText: true }
log: { level: error }
upstreams: [{ name: up, kind: openai, baseUrl: "${upstream.url}/v1", retries: 0 }]
routes: [{ model: plain, upstream: up }]
`
    const served = await serveInProcess(bundle, { folder, yaml, before: 'ulimit -f 2048' })
    try {
      const codes = new Set<unknown>()
      await inLanes(60, 6, async () => {
        const reply = await askAt(served.url, 'chat', { model: 'plain', fields: { max_tokens: 10 } })
        codes.add(reply.status === 200 ? 200 : errorOf(reply)?.code)
      })
      expect([...codes].sort()).toEqual([200, 'budget_unavailable'])
      expect((await fetch(`${served.url}/healthz`)).status).toBe(200)
    } finally {
      served.process.kill('SIGKILL')
      await upstream.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

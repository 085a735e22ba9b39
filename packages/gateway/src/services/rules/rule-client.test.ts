import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readGatewayConfig } from '../../config/reading/read-gateway-config.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { probeRules } from './rule-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-rules-'))
writeFileSync(
  join(folder, 'rule.mjs'),
  `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
appendFileSync('pids', process.pid + ' ')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, text } = JSON.parse(line)
  if (text.includes('crash')) { console.error('it broke over: ' + text); process.exit(1) }
  const at = text.indexOf('damn')
  const found = at < 0 ? [] : [{ code: 'TONE', message: 'Do not curse.', span: { start: at, end: at + 4 } }]
  const repairs = at < 0 ? [] : [{ class: 'lossy', span: { start: at, end: at + 4 }, before: 'damn', after: '****' }]
  setTimeout(() => console.log(JSON.stringify({ id, issues: found, repairs })), text.includes('slow') ? 400 : 0)
}
`,
)

let isWell = true
const seen: { readonly text: unknown; readonly headers: IncomingHttpHeaders }[] = []
const service = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    if (request.method === 'HEAD') return response.writeHead(405).end()
    const { id, text } = JSON.parse(body) as { id: string; text: string }
    seen.push({ text, headers: request.headers })
    const issues = text.includes('guarantee') ? [{ code: 'PROMISE', message: 'Do not guarantee anything.' }] : []
    return response.writeHead(isWell ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify({ id, issues }))
  })
})

const secret = 'canary-of-the-rules-1234'
let gateway: TestGateway
let yaml = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/judge?v=1`
  yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  kind:
    checks:
      - remote: { name: no_promises, url: "${url}", keyEnv: RULES_KEY }
      - command: { name: polite, run: [${process.execPath}, rule.mjs] }
    retries: 1
    allow: [lossy]
routes: [{ model: kind, upstream: up, contract: kind }]
`
  gateway = await startTestGateway({ yaml, folder, env: { RULES_KEY: secret } })
})
afterAll(async () => {
  await gateway.close()
  service.close()
  service.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

const check = async (text: string) =>
  (await (await gateway.post('/v1/check', { contract: 'kind', text })).json()) as Record<string, unknown>
const ask = async (stream = false) => {
  const response = await gateway.post('/v1/chat/completions', { model: 'kind', stream, messages: [{ role: 'user', content: 'Hi' }] })
  const body = await response.text()
  const frames = body.split('\n').filter((line) => line.startsWith('data: {'))
  const text = frames.map((line) => JSON.parse(line.slice(6)).choices?.[0]?.delta?.content ?? '').join('')
  return { status: response.status, body, text: stream ? text : JSON.parse(body).choices[0].message.content }
}
const pids = () => readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number)
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('rules outside of the gateway', () => {
  test.each([false, true])('lead to a retry and to a certified repair, streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('We guarantee it.'), answering('We try, damn it.'))
    const { status, body, text } = await ask(stream)
    expect([status, text]).toEqual([200, 'We try, **** it.'])
    expect(body).toContain('"before":"damn","after":"****"')
    expect(body).toContain('"attempts":2')
    const feedback = JSON.stringify(gateway.upstream.requests.at(-1)?.json)
    expect(feedback).toContain('PROMISE')
    expect(feedback).toContain('Follow the rule no_promises')
    expect(seen.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(body).not.toContain(secret)
  })

  test('judge what clients send to be checked, under their names in records and metrics', async () => {
    const checked = await check('I guarantee it.')
    expect(checked).toMatchObject({ status: 'unresolved', issues: [{ code: 'PROMISE', validator: 'no_promises' }] })
    expect(await (await gateway.get('/metrics')).text()).toMatch(/validator="no_promises"/)
    expect(await (await gateway.get('/api/v1/contracts')).text()).toContain('polite')
  })

  test('that fail leave answers unchecked, and the gateway degraded', async () => {
    expect(await (await gateway.get('/readyz')).json()).toMatchObject({ status: 'ready', checks: { rules: 'ok' } })
    isWell = false
    for (let call = 0; call < 6; call++) {
      const checked = await check('Hello.')
      expect(checked).toMatchObject({ status: 'unchecked', unchecked: [{ validator: 'no_promises', cause: 'unavailable' }] })
    }
    const ready = await gateway.get('/readyz')
    expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ status: 'degraded' })])
    expect(await (await gateway.get('/readyz')).json()).toMatchObject({ checks: { rules: 'failed' } })
    isWell = true
    const crashed = await check('crash')
    expect(crashed.unchecked).toContainEqual(expect.objectContaining({ validator: 'polite', reason: 'fault' }))
    await expect.poll(() => gateway.logLines.join('')).toContain('it broke over')
    expect(gateway.logLines.join('')).toMatch(/"event":"rule".*"validator":"no_promises".*"status":"open"/)
    expect(gateway.logLines.join('')).not.toContain(secret)
  })

  test('a reload in the middle: what has begun has its verdict, and nothing of the old rules is left', async () => {
    await gateway.post('/v1/check', { contract: 'kind', text: 'Hello.' })
    const before = pids().filter(isRunning)
    expect(before.length).toBeGreaterThan(0)
    const running = check('slow damn')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const next = yaml.replace('name: polite', 'name: kinder').replaceAll('$UP', gateway.upstream.url)
    const source = `server: { port: 0 }\nstore: { url: "sqlite:${join(folder, 'stickler.db')}" }\n${next}`
    await gateway.reload(
      await readGatewayConfig(source, 'test.yaml', { env: { RULES_KEY: secret }, cwd: folder, readFile: async () => '' }),
    )
    expect((await running).repairs).toMatchObject([{ after: '****' }])
    await expect.poll(() => before.filter(isRunning), { timeout: 10_000 }).toEqual([])
    expect((await check('damn')).fixed).toMatchObject([{ validator: 'kinder' }])
  })
})

test('a variable that is not set is an error with its place', async () => {
  const reading = readGatewayConfig(yaml.replaceAll('$UP', 'http://127.0.0.1:1'), 'stickler.yaml', {
    env: {},
    cwd: folder,
    readFile: async () => '',
  })
  await expect(reading).rejects.toThrow(
    /stickler\.yaml:6:\d+: contracts\.kind\.checks\.0\.remote\.keyEnv: the environment variable RULES_KEY is not set/,
  )
})

test('probes say which rule is not there, and judge nothing', async () => {
  const source = yaml.replace('rule.mjs', 'x').replace(process.execPath, 'stickler-none').replaceAll('$UP', 'http://127.0.0.1:1')
  const config = await readGatewayConfig(source, 'test.yaml', { env: { RULES_KEY: secret }, cwd: folder, readFile: async () => '' })
  const before = seen.length
  const found = await Promise.allSettled(probeRules(config, AbortSignal.timeout(5000)).map(({ result }) => result))
  expect(found).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { message: expect.stringContaining('not found') } }])
  expect(seen.length).toBe(before)
  expect(JSON.stringify(config)).not.toContain(secret)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allRuns, askAt, sendTo } from '../../packages/gateway/src/testing/address-client.ts'
import {
  type Behaviour,
  type ProgrammableUpstream,
  startProgrammableUpstream,
} from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { fallingSilent } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { bundleCommand, type CommandBundle, type ServedProcess, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'
import { type ApiName, apiNames, readReply, terminalsOf, textOf } from '../../packages/gateway/src/testing/wire.ts'

let bundle: CommandBundle
let upstream: ProgrammableUpstream
let folder: string
const running = new Set<ServedProcess>()

beforeAll(async () => {
  bundle = await bundleCommand()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stickler-shutdown-'))
  upstream = await startProgrammableUpstream(answering('Use spaces.'))
})
afterEach(async () => {
  const left = [...running]
  for (const { process } of left) process.kill('SIGKILL')
  await Promise.all([upstream.close(), ...left.map(({ ended }) => ended)])
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => bundle.remove())

const yamlOf = (server = '') => `
server: { port: 0${server} }
log: { level: warn }
upstreams: [{ name: up, kind: openai, baseUrl: "${upstream.url}/v1", apiKeyEnv: UP_KEY, retries: 0 }]
contracts: { live: { checks: [{ max_words: { limit: 500 } }] } }
routes: [{ model: live, upstream: up, contract: live }]
`
const env = { UP_KEY: 'sk-canary-of-the-upstream' }

async function serve(yaml: string, argv: readonly string[] = []): Promise<ServedProcess> {
  const served = await serveInProcess(bundle, { folder, yaml, env, argv })
  running.add(served)
  void served.ended.then(() => running.delete(served))
  return served
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** Answers whose streams begin, and end when the test says so. */
function heldStreams(): { readonly behaviour: Behaviour; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    async behaviour(exchange) {
      exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
      await exchange.write(chunk({ role: 'assistant', content: 'It begins. ' }))
      await Promise.race([released, exchange.request.closed])
      await exchange.write(`${chunk({ content: 'It ends.' })}${chunk({}, 'stop')}data: [DONE]\n\n`)
      exchange.response.end()
    },
    release: () => release(),
  }
}

/** Opens streams of every API and waits until all have begun. */
async function openStreams(url: string, count: number): Promise<{ readonly api: ApiName; readonly response: Response }[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const api = apiNames[index % 3] ?? 'chat'
      const response = await sendTo(url, api, { model: 'live', stream: true, headers: { 'x-request-id': `stream-${index}` } })
      expect(response.status).toBe(200)
      return { api, response }
    }),
  )
}

describe('H19 SIGTERM', () => {
  test('with 50 streams under way: not ready and no new work at once, every stream ends well, exit 0', async () => {
    const { behaviour, release } = heldStreams()
    upstream.otherwise(behaviour)
    const served = await serve(yamlOf(', shutdownGrace: 60'))
    const { url } = served
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const streams = await openStreams(url, 50)
    served.process.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const calls = upstream.requests.length
    for (const api of apiNames) {
      const refused = await askAt(url, api, { model: 'live' })
      expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual([503, '1', 'close'])
    }
    expect(upstream.requests.length).toBe(calls)
    release()
    for (const { api, response } of streams) {
      const reply = await readReply(response)
      expect([textOf(api, reply), terminalsOf(api, reply), reply.broken]).toEqual(['It begins. It ends.', ['done'], false])
    }
    expect(await served.ended).toBe(0)
    const again = await serve(yamlOf())
    const kept = (await allRuns(again.url)).map(({ requestId }) => requestId)
    expect(kept.sort()).toEqual(Array.from({ length: 50 }, (_, index) => `stream-${index}`).sort())
  })

  test('what does not end inside the grace is cut off, recorded, and the exit is still 0', async () => {
    upstream.otherwise(fallingSilent('These words come and then no more of them.', 4))
    const served = await serve(yamlOf(', shutdownGrace: 0.2'))
    const streams = await openStreams(served.url, 5)
    served.process.kill('SIGTERM')
    for (const { api, response } of streams) {
      const reply = await readReply(response)
      expect(terminalsOf(api, reply)).not.toContain('done')
    }
    expect(await served.ended).toBe(0)
    await Promise.all(upstream.requests.map(({ closed }) => closed))
    const again = await serve(yamlOf())
    expect((await allRuns(again.url)).map(({ status }) => status)).toEqual(Array(5).fill('failed'))
  })

  test('a second one ends the process at once', async () => {
    upstream.otherwise(heldStreams().behaviour)
    const served = await serve(yamlOf(', shutdownGrace: 600'))
    const streams = await openStreams(served.url, 3)
    served.process.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${served.url}/readyz`)).status).toBe(503)
    served.process.kill('SIGTERM')
    expect(await served.ended).toBe('SIGTERM')
    for (const { api, response } of streams) expect(terminalsOf(api, await readReply(response))).toEqual([])
  })
})

describe('H23 what cannot be served', () => {
  const bad: readonly (readonly [name: string, yaml: () => string, says: RegExp])[] = [
    ['an unknown key', () => `${yamlOf()}sever: {}\n`, /^stickler\.yaml:\d+:1: sever: unknown key "sever"; did you mean "server"\?\n$/],
    ['no YAML', () => 'server: [', /^stickler\.yaml:\d+:\d+: [^\n]+\n$/],
    [
      'a route to nowhere',
      () => yamlOf().replace('upstream: up,', 'upstream: down,'),
      /^stickler\.yaml:\d+:\d+: routes\.0\.upstream: [^\n]*"down"[^\n]*\n$/,
    ],
    [
      'a key that is not set',
      () => yamlOf().replace('UP_KEY', 'NO_KEY').replace(upstream.url, 'https://provider.example'),
      /^stickler\.yaml:\d+:\d+: [^\n]*NO_KEY is not set\n$/,
    ],
    ['a store that cannot be there', () => `${yamlOf()}store: { url: "sqlite:stickler.yaml/x.db" }\n`, /^[^\n]*store[^\n]*\n$/],
  ]
  test.each(bad)('H23 %s: one line, exit 2', async (_name, yaml, says) => {
    const served = await serve(yaml())
    expect([await served.ended, served.said()]).toEqual([2, expect.stringMatching(says)])
    expect(served.said()).not.toContain('canary')
  })

  test('H23 a port in use: one line, exit 2', async () => {
    const first = await serve(yamlOf())
    const second = await serve(yamlOf(), ['--port', new URL(first.url).port, '--store', 'sqlite:second.db'])
    expect([await second.ended, second.said()]).toEqual([
      2,
      expect.stringMatching(/^[^\n]*127\.0\.0\.1:\d+[^\n]* in use; choose another with --port[^\n]*\n$/),
    ])
    expect((await askAt(first.url, 'chat', { model: 'live' })).status).toBe(200)
  })

  test('H23 a bad configuration on SIGHUP changes nothing; a good one is taken over', async () => {
    const served = await serve(yamlOf())
    const file = join(folder, 'stickler.yaml')
    writeFileSync(file, `${yamlOf()}log: { level: loud }\n`)
    served.process.kill('SIGHUP')
    await expect.poll(served.said).toContain('was not reloaded')
    expect((await askAt(served.url, 'chat', { model: 'live' })).status).toBe(200)
    writeFileSync(file, yamlOf().replace('model: live', 'model: other'))
    served.process.kill('SIGHUP')
    await expect.poll(served.said).toContain('reloaded stickler.yaml')
    expect((await askAt(served.url, 'chat', { model: 'live' })).status).toBe(404)
    expect((await askAt(served.url, 'chat', { model: 'other' })).status).toBe(200)
    expect(served.said()).not.toContain('canary')
  })
})

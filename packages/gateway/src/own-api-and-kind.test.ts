import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromFunction } from '@stickler/core'
import { type Api, apis } from '@stickler/core/internal/apis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { readGatewayConfig } from './config/reading/read-gateway-config.ts'
import type { Gateway } from './gateway.ts'
import { startGateway } from './start-gateway.ts'
import { upstreamKinds } from './upstreams/kinds/index.ts'
import { runnerUpstream } from './upstreams/kinds/runner-upstream.ts'
import { defineKind, type UpstreamSettings } from './upstreams/kinds/upstream-kind.ts'
import { sharedKeys } from './upstreams/settings/written-upstream.ts'

const told = (kind: string, value: unknown): [name: string, data: string] => ['', JSON.stringify({ [kind]: value })]

/** An API of this test's own: a line goes in, a line comes out. */
const lines: Api = {
  name: 'lines',
  path: '/v1/lines',
  description: () => ({ summary: 'Say a line.', group: 'Models', replies: {} }),
  read(body) {
    const {
      model,
      line,
      stream = false,
    } = z.looseObject({ model: z.string(), line: z.string(), stream: z.boolean().optional() }).parse(body)
    return { chat: { model, messages: [{ role: 'user', content: line }] }, stream, includeUsage: false, body }
  },
  reply: (_request, { model, choices: [choice] }) => JSON.stringify({ model, says: choice?.text, verdict: choice?.verdict.status }),
  encoder: (_request, out) => ({
    begin: ({ model }) => out.event(...told('model', model)),
    text: (_choice, text) => out.event(...told('more', text)),
    fields: () => {},
    end: ({ verdict }) => out.event(...told('verdict', verdict.status)),
    finish: () => out.event(...told('over', true)),
    error: ({ message }) => out.event(...told('wrong', message)),
  }),
  heartbeat: ': still here\n\n',
  errorBody: ({ message }) => ({ wrong: message }),
}

const schema = z.strictObject({ ...sharedKeys, kind: z.literal('parrot'), words: z.string().describe('What it says first.') })
interface ParrotSettings extends UpstreamSettings {
  readonly words: string
}

/** A kind of upstream of this test's own: it says its words, and the question itself when it is asked again. */
const parrot = defineKind<z.output<typeof schema>, ParrotSettings>({
  name: 'parrot',
  schema,
  provider: 'parrot',
  traits: { readsOnlyText: true },
  advice: 'Feed it.',
  read: ({ words }, { kind, name }) => ({ settings: { kind, name, words, retry: { retries: 0 }, breaker: false }, shown: words }),
  load: async () => ({
    create: ({ name, words }) =>
      runnerUpstream(
        name,
        fromFunction(async (prompt) => (typeof prompt !== 'string' && prompt.length > 1 ? String(prompt[0]?.content) : words)),
      ),
  }),
})

const yaml = (folder: string) => `
server: { port: 0 }
store: { url: "sqlite:${join(folder, 'stickler.db')}" }
upstreams: [{ name: polly, kind: parrot, words: Polly wants a very large cracker now }]
contracts: { brief: { checks: [{ max_words: { limit: 4 } }], retries: 1, stream: hold } }
routes: [{ model: brief, upstream: polly, contract: brief }, { model: free, upstream: polly }]
`

const around = () => ({ env: {}, cwd: folder, kinds: [...upstreamKinds, parrot], readFile: () => Promise.reject(new Error('no files')) })

let gateway: Gateway
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-own-'))
  const config = await readGatewayConfig(yaml(folder), 'own.yaml', around())
  gateway = await startGateway({ config, log: { write: () => {} }, apis: [...apis, lines] })
})
afterAll(async () => {
  await gateway?.close(0)
  await rm(folder, { recursive: true, force: true })
})

const ask = (path: string, body: object) =>
  fetch(`${gateway.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('an API and a kind from outside answer, whole and streamed, with a contract and without', async () => {
  const whole = await ask('/v1/lines', { model: 'brief', line: 'Hello, dear parrot.' })
  expect([whole.status, await whole.json()]).toEqual([200, { model: 'brief', says: 'Hello, dear parrot.', verdict: 'valid' }])
  expect(whole.headers.get('x-stickler-attempts')).toBe('2')

  const streamed = await (await ask('/v1/lines', { model: 'brief', line: 'Hello, dear parrot.', stream: true })).text()
  const frames = [...streamed.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, unknown>)
  expect(frames.flatMap(({ more = [] }) => more).join('')).toBe('Hello, dear parrot.')
  expect(frames.filter((one) => !('more' in one))).toEqual([{ model: 'brief' }, { verdict: 'valid' }, { over: true }])

  const free = await ask('/v1/lines', { model: 'free', line: 'Hello.' })
  expect(await free.json()).toMatchObject({ says: 'Polly wants a very large cracker now', verdict: 'unenforced' })
})

test('its errors are in its own words, and the APIs and tools of this package know both', async () => {
  const unknown = await ask('/v1/lines', { model: 'brie', line: 'x' })
  expect([unknown.status, Object.keys((await unknown.json()) as object)]).toEqual([404, ['wrong']])
  const chat = await ask('/v1/chat/completions', { model: 'free', messages: [{ role: 'user', content: 'x' }] })
  expect(await chat.json()).toMatchObject({ choices: [{ message: { content: 'Polly wants a very large cracker now' } }] })
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toMatch(/^stickler_requests_total\{api="lines",.*outcome="ok"\} [1-9]/m)
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: Record<string, unknown> }
  expect(document.paths).toHaveProperty('/v1/lines')
  const apisOfRuns = async () => {
    const { items } = (await (await fetch(`${gateway.url}/api/v1/runs`)).json()) as { items: Record<string, unknown>[] }
    return items.map(({ api }) => api)
  }
  // Runs are written a moment later.
  await expect.poll(apisOfRuns, { timeout: 10_000 }).toEqual(expect.arrayContaining(['lines', 'chat']))
  for (const name of ['lines', 'chat']) {
    const found = (await (await fetch(`${gateway.url}/api/v1/runs?api=${name}`)).json()) as { items: Record<string, unknown>[] }
    expect(new Set(found.items.map(({ api }) => api))).toEqual(new Set([name]))
  }
  expect((await fetch(`${gateway.url}/api/v1/runs?api=rows`)).status).toBe(400)
})

test('a key that the kind does not have is named with its place', async () => {
  const wrong = yaml(folder).replace('words:', 'phrases:')
  await expect(readGatewayConfig(wrong, 'own.yaml', around())).rejects.toThrow(/own\.yaml:\d+:\d+/)
})

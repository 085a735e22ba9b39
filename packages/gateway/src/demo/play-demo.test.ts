import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { overrideConfig } from '../config/reading/read-gateway-config.ts'
import { type Gateway, startGateway } from '../gateway.ts'
import type { RunRecord, RunSummary } from '../records/run/run-record.ts'
import { indexDemo } from '../services/retrieving/index-demo.ts'
import { demoConfig } from './demo-config.ts'
import { demoRoutes } from './demo-models.ts'
import { demoKeyOf, demoScenes } from './demo-scenes.ts'
import { playDemo } from './play-demo.ts'

let folder: string
let gateway: Gateway
let runs: readonly RunSummary[] = []
let details: readonly RunRecord[] = []
const log: string[] = []
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

interface Page {
  readonly items: readonly RunSummary[]
}

async function get<Body>(path: string, key?: string): Promise<Body> {
  const response = await fetch(`${gateway.url}${path}`, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } })
  return (await response.json()) as Body
}

async function start(): Promise<void> {
  const config = overrideConfig(await demoConfig(folder), { port: 0 }, folder)
  await indexDemo(config)
  gateway = await startGateway({ config, log: { write: (lines) => void log.push(lines) } })
}

beforeAll(async () => {
  process.on('unhandledRejection', note)
  folder = await mkdtemp(join(tmpdir(), 'stickler-demo-'))
  await start()
  await playDemo(gateway.url, { signal: new AbortController().signal, durationMs: 500 })
  await vi.waitFor(async () => {
    runs = (await get<Page>('/api/v1/runs?limit=200')).items
    expect(runs).toHaveLength(2 * demoScenes.length)
  }, 60_000)
  details = await Promise.all(runs.map(({ id }) => get<RunRecord>(`/api/v1/runs/${id}`)))
}, 240_000)
afterAll(async () => {
  await gateway.close(0)
  await rm(folder, { recursive: true, force: true })
  process.off('unhandledRejection', note)
})

const valuesOf = (name: keyof RunSummary): unknown[] => [...new Set(runs.map((run) => run[name]))].sort()

describe('the traffic of the demo', () => {
  it('ends in every status', () => {
    expect(valuesOf('status')).toEqual(['failed', 'repaired', 'unchecked', 'unenforced', 'unresolved', 'valid'])
  })

  it('has every class of repair, retries, calls of tools, texts and money', () => {
    expect(new Set(details.flatMap(({ repairs }) => repairs.map((one) => one.class)))).toEqual(new Set(['lossless', 'lossy', 'guess']))
    expect(details.some(({ attempts, status }) => attempts.length === 2 && status === 'valid')).toBe(true)
    expect(details.some(({ model, attempts }) => model === 'agent' && attempts[0]?.finishReason === 'tool_calls')).toBe(true)
    expect(details.some(({ fallback }) => fallback)).toBe(true)
    expect(details.every(({ status, api, request }) => api === 'ask' || status === 'failed' || request !== '')).toBe(true)
    expect(runs.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0)).toBeGreaterThan(0.01)
  })

  it('names the model of the upstream that took over, and failures as they are', () => {
    const served = details.filter(({ model }) => model === 'archive-safe').map(({ upstream, upstreamModel }) => [upstream, upstreamModel])
    expect(served).toEqual([
      ['nimbus', 'nimbus-mini'],
      ['nimbus', 'nimbus-mini'],
    ])
    const failures = details.flatMap(({ httpStatus, failure }) => (failure === undefined ? [] : [{ httpStatus, ...failure }]))
    expect(failures).toHaveLength(4)
    for (const { httpStatus, kind, status, message } of failures) {
      expect([httpStatus, kind, status, message]).toEqual(
        kind === 'http'
          ? [500, 'http', 500, 'the provider answered with status 500']
          : [502, 'connection', undefined, 'the provider refused the connection'],
      )
    }
  })

  it('uses every model, and each API streamed and whole', () => {
    expect(valuesOf('model')).toEqual([...demoRoutes.map(({ model }) => model), 'nova'].sort())
    const ways = new Set(runs.map(({ api, stream }) => `${api}${stream ? ' stream' : ''}`))
    expect([...ways].sort()).toEqual(['ask', 'chat', 'chat stream', 'messages', 'messages stream', 'responses', 'responses stream'])
    expect(valuesOf('key')).toEqual(['ci', 'help-desk', 'mobile-app', 'web-shop'])
  })

  it('answers each scene alike in both rounds', () => {
    const played = runs.map(({ model, api, stream, status, attempts, repairs, key }) =>
      [model, api, stream, status, attempts, repairs, key].join(),
    )
    for (const one of new Set(played)) expect(played.filter((other) => other === one).length % 2, one).toBe(0)
  })

  it('leaves something in every list', async () => {
    const { items: sessions } = await get<{ items: readonly { session: string }[] }>('/api/v1/sessions')
    expect(sessions.map(({ session }) => session)).toContain('returns-portal-2')
    expect(await get('/api/v1/sessions/returns-portal-1')).toMatchObject({
      status: 'done',
      steps: ['what', 'why', 'generate', 'done'].map((step) => ({ step })),
    })
    expect((await get<{ items: unknown[] }>('/api/v1/audit')).items).toHaveLength(2)
    expect((await get<{ items: unknown[] }>('/api/v1/contracts')).items.length).toBeGreaterThan(10)
    const summary = await get<Record<string, readonly unknown[]>>('/api/v1/summary')
    for (const list of ['contracts', 'keys', 'failures', 'codes', 'validators']) expect(summary[list], list).not.toEqual([])
  })

  it('shows no value that was redacted', () => {
    const stored = JSON.stringify(details)
    expect(stored).not.toContain('jane.miller@')
    expect(stored).not.toContain('4111 1111')
    expect(stored).toContain('[EMAIL]')
  })

  it('shows where a shadow contract differs', async () => {
    await vi.waitFor(async () => {
      const { items } = await get<Page>('/api/v1/runs?limit=200')
      const verdicts = items.flatMap(({ model, shadow }) => (model === 'support' ? [shadow] : []))
      expect(verdicts.length).toBe(10)
      expect(verdicts.every((one) => one?.contract === 'support-next')).toBe(true)
      expect(verdicts.some((one) => one?.status !== one?.liveStatus)).toBe(true)
    }, 30_000)
  })

  it('breaks nothing', () => {
    expect(unhandled).toEqual([])
    expect(log).toEqual([])
  })

  it('leaves everything open to visitors, while a key shows the runs of one client', async () => {
    expect((await get<Page>('/api/v1/runs?limit=200')).items.length).toBe(runs.length)
    const { items } = await get<Page>('/api/v1/runs?limit=200', demoKeyOf('ci'))
    expect(new Set(items.map(({ key }) => key))).toEqual(new Set(['ci']))
    const other = await get<Page>('/api/v1/runs?limit=200', 'any-other-key')
    expect(other.items.length).toBe(runs.length)
    expect(await get('/api/v1/audit', demoKeyOf('ci'))).toMatchObject({ error: { code: 'role_not_allowed' } })
  })
})

test('a stop ends the traffic at once, also in the middle of an answer', async () => {
  const stop = new AbortController()
  const played = playDemo(gateway.url, { signal: stop.signal, durationMs: 600_000 })
  stop.abort()
  await played
  const slow = new AbortController()
  const busy = playDemo(gateway.url, { signal: slow.signal, durationMs: 1 })
  setTimeout(() => slow.abort(), 100)
  await busy
})

test('a gateway that is gone ends nothing but the request', async () => {
  await expect(playDemo('http://127.0.0.1:1', { signal: new AbortController().signal, durationMs: 1 })).resolves.toBeUndefined()
})

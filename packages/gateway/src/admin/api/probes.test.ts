import { manualClock } from '@stickler/core/testing'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { createMetrics } from '../../observe/metrics/metrics.ts'
import { startFront, type TestFront } from '../../testing/http-front.ts'
import { contractsRoute, modelsRoutes } from './api-routes.ts'
import { type HealthRoutesParts, healthRoutes } from './health-routes.ts'

let front: TestFront | undefined
afterEach(() => front?.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${front?.port}${path}`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
const metrics = createMetrics({ names: { contracts: [], models: [], upstreams: [] } })

describe('probes', () => {
  const start = async (parts: Partial<HealthRoutesParts>, keys = '') => {
    front = await startFront(healthRoutes({ draining: () => false, checks: {}, metrics, clock: manualClock(), ...parts }), { keys })
  }
  const fails = (): boolean => {
    throw new Error('secret')
  }

  it('liveness is open and depends on nothing', async () => {
    await start({ draining: () => true, checks: { store: fails } }, 'secret-key-1')
    expect(await get('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
    expect([(await get('/readyz')).status, (await get('/metrics')).status]).toEqual([401, 401])
  })

  it.each([
    ['ready', 200, { checks: { store: () => true, config: async () => true } }],
    ['ready', 200, {}],
    ['unready', 503, { checks: { store: () => false } }],
    ['unready', 503, { checks: { store: fails } }],
    ['unready', 503, { checks: { store: () => Promise.reject(new Error('secret')) } }],
    ['unready', 503, { checks: { store: () => 'yes' as unknown as boolean } }],
    ['draining', 503, { draining: () => true, checks: { store: () => true } }],
  ] satisfies [string, number, Partial<HealthRoutesParts>][])('readiness says %s with %i', async (status, code, parts) => {
    await start(parts)
    const answer = await get('/readyz')
    expect([answer.status, (JSON.parse(answer.text) as { status: string }).status]).toEqual([code, status])
    expect(answer.text).not.toContain('secret')
  })

  it('does not wait for ever', async () => {
    const clock = manualClock()
    await start({ clock, checks: { store: () => new Promise(() => {}) } })
    const asked = get('/readyz')
    while (clock.pending === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    clock.advance(1000)
    expect((await asked).status).toBe(503)
  })

  it('metrics are in the format of Prometheus', async () => {
    await start({})
    expect(await get('/metrics')).toMatchObject({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: expect.stringContaining('# TYPE stickler_in_flight gauge\nstickler_in_flight 0\n'),
    })
  })
})

describe('models', () => {
  const evil = 'm"><script>'
  const start = async (models = ['small', evil, 'small', '*', 'large']) => {
    front = await startFront(modelsRoutes({ models: () => models, configuredAt: () => 1_700_000_000_999 }))
  }

  it('are listed once each, for the official client', async () => {
    await start()
    const client = new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${front?.port}/v1` })
    const listed: string[] = []
    for await (const { id } of client.models.list()) listed.push(id)
    expect(listed).toEqual(['small', evil, 'large'])
    expect(await client.models.retrieve(evil)).toEqual({ id: evil, object: 'model', created: 1_700_000_000, owned_by: 'stickler' })
    await expect(client.models.retrieve('smal')).rejects.toThrow('did you mean "small"?')
  })

  it.each(['/v1/models/*', '/v1/models/none', '/v1/models/__proto__'])('%s is a 404', async (path) => {
    await start()
    const { status, text } = await get(path)
    expect([status, JSON.parse(text)]).toMatchObject([404, { error: { param: 'model', code: 'model_not_found' } }])
  })
})

it('contracts tell what they check and do', async () => {
  const contracts = new Map([
    ['answers', contract({ checks: ['step_marker', { max_words: { limit: 5 } }], retries: 1 })],
    ['</script>', contract({ checks: [] })],
  ])
  front = await startFront([contractsRoute(() => contracts)])
  const { items } = JSON.parse((await get('/api/v1/contracts')).text) as { items: unknown[] }
  expect(items).toMatchObject([
    {
      name: 'answers',
      validators: [
        { name: 'step_marker', repairs: true, incremental: true, codes: { MISSING_STEP_MARKER: { severity: 'error' } } },
        { name: 'max_words', options: { limit: 5 }, instruction: 'Answer in at most 5 words.' },
      ],
      policy: { mode: 'strict', retries: 1, repair: 'first' },
      instructions: expect.stringContaining('Answer in at most 5 words.'),
    },
    { name: '</script>', validators: [], instructions: '' },
  ])
})

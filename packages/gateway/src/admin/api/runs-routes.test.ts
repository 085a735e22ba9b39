import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../records/store/store-unavailable.ts'
import { startFront, type TestFront } from '../../testing/http-front.ts'
import { MemoryQueries, runRecord } from '../../testing/memory-queries.ts'
import { exportRoutes } from './export-route.ts'
import { runsRoutes } from './runs-routes.ts'

const now = 1_750_000_000_000
const apis = [{ name: 'chat' }, { name: 'messages' }]
let queries: MemoryQueries
let front: TestFront

beforeEach(async () => {
  queries = new MemoryQueries()
  front = await startFront([...runsRoutes({ queries, apis, now: () => now }), ...exportRoutes(queries, { apis })])
})
afterEach(() => front.close())

const get = (path: string) => fetch(`http://127.0.0.1:${front.port}${path}`)
const getJson = async (path: string) => {
  const response = await get(path)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('lists', () => {
  it('go from page to page', async () => {
    for (let index = 0; index < 5; index++) queries.runs.push(runRecord(`r${index}`))
    const first = await getJson('/api/v1/runs?limit=3')
    expect(first).toMatchObject({ status: 200, body: { items: [{ id: 'r4' }, { id: 'r3' }, { id: 'r2' }], next: 'c3' } })
    const second = await getJson(`/api/v1/runs?limit=3&cursor=${first.body.next}`)
    expect(second.body).toMatchObject({ items: [{ id: 'r1' }, { id: 'r0' }] })
    expect(second.body).not.toHaveProperty('next')
  })

  it.each([
    [`?q=${'x'.repeat(300)}`, 'q', '"q" may have at most 256 characters.'],
    [`?${Array.from({ length: 21 }, (_, at) => `code=C${at}`).join('&')}`, 'code', '"code" may be given at most 20 times.'],
    ['?limit=0', 'limit', expect.stringMatching(/^"limit" must be a whole number from 1 to/)],
    ['?limit=1&limit=2', 'limit', 'Give "limit" only once.'],
    ['?Limit=1', 'Limit', expect.stringMatching(/^Unknown parameter "Limit"; did you mean "limit"/)],
  ])('name a wrong parameter as it is sent: %#', async (query, param, message) => {
    const { status, body } = await getJson(`/api/v1/runs${query}`)
    expect([status, body.error]).toMatchObject([400, { param, message }])
  })

  it.each([
    ['', { limit: 50 }],
    ['?contract=&limit=', { limit: 50 }],
    [
      '?contract=a&status=repaired&api=messages&model=m%22%0A&session=s&code=C&cursor=c1',
      {
        limit: 50,
        contract: 'a',
        status: 'repaired',
        api: 'messages',
        model: 'm"\n',
        session: 's',
        code: 'C',
        before: 'c1',
      },
    ],
    ['?since=1000&until=2026-01-31T12:00:00Z', { limit: 50, since: 1000, until: Date.UTC(2026, 0, 31, 12) }],
    ['?since=2026-01-31', { limit: 50, since: Date.UTC(2026, 0, 31) }],
    ['?limit=200', { limit: 200 }],
  ])('%s is understood', async (query, filter) => {
    expect((await get(`/api/v1/runs${query}`)).status).toBe(200)
    expect(queries.asked).toEqual([filter])
  })

  it.each([
    ['/api/v1/runs?limit=0', 'limit'],
    ['/api/v1/runs?limit=201', 'limit'],
    ['/api/v1/runs?limit=99999999999999999999', 'limit'],
    ['/api/v1/runs?limit=-1', 'limit'],
    ['/api/v1/runs?limit=1e2', 'limit'],
    ['/api/v1/runs?limit=1&limit=2', 'limit'],
    ['/api/v1/runs?since=yesterday', 'since'],
    ['/api/v1/runs?since=9999999999999999', 'since'],
    ['/api/v1/runs?since=2026-13-41T00:00:00Z', 'since'],
    ['/api/v1/runs?since=5&until=5', 'until'],
    ['/api/v1/runs?status=good', 'status'],
    ['/api/v1/runs?api=CHAT', 'api'],
    [`/api/v1/runs?model=${'m'.repeat(257)}`, 'model'],
    ['/api/v1/runs?cursor=%0d%0aset-cookie:x', 'cursor'],
    ["/api/v1/runs?cursor=c1'%20or%201=1", 'cursor'],
    [`/api/v1/runs?cursor=${'c'.repeat(257)}`, 'cursor'],
    ['/api/v1/runs?cursor=nobody-made-this', 'cursor'],
    ['/api/v1/runs?conract=x', 'conract'],
    ['/api/v1/runs?__proto__=x', '__proto__'],
    ['/api/v1/sessions?limit=1000', 'limit'],
    ['/api/v1/sessions?status=good', 'status'],
    ['/api/v1/audit?limit=x', 'limit'],
    ['/api/v1/stats?bucketMs=1', 'bucketMs'],
    ['/api/v1/stats?bucketMs=99999999999999', 'bucketMs'],
    ['/api/v1/sessions?since=2000&until=1000', 'until'],
    ['/api/v1/sessions?code=X', 'code'],
    ['/api/v1/sessions?since=soon', 'since'],
    ['/api/v1/stats?since=2000&until=1000', 'until'],
    ['/api/v1/summary?since=2000&until=1000', 'until'],
    ['/api/v1/summary?status=valid', 'status'],
    [`/api/v1/summary?key=${'k'.repeat(257)}`, 'key'],
    ['/api/v1/runs.csv?limit=50001', 'limit'],
    ['/api/v1/runs.csv?cursor=nobody-made-this', 'cursor'],
  ])('%s is a 400 that names %s', async (path, param) => {
    const { status, body } = await getJson(path)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { message: expect.any(String), type: 'invalid_request_error', param, code: expect.any(String) } })
  })

  it('guesses what a parameter was meant to be', async () => {
    expect((await getJson('/api/v1/runs?conract=x')).body).toMatchObject({
      error: { message: 'Unknown parameter "conract"; did you mean "contract"?' },
    })
  })
})

describe('one of them', () => {
  it('is found, whatever stands in it', async () => {
    const model = '</script><script>alert(1)</script>\r\nset-cookie: a=b'
    queries.runs.push(runRecord('r1', { model, session: 's1' }))
    const response = await get('/api/v1/runs/r1')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await response.json()).toMatchObject({ id: 'r1', model, attempts: [{ number: 1 }] })
    expect((await getJson('/api/v1/sessions/s1')).body).toMatchObject({ session: 's1', newest: { items: [{ id: 'r1', attempts: 1 }] } })
  })

  it.each(['/api/v1/runs/none', '/api/v1/sessions/none', `/api/v1/runs/${'x'.repeat(300)}`, '/api/v1/runs/%2e%2e', '/api/v1/runs/a%0ab'])(
    '%s is a 404',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )
})

it('tells statistics of the last day, in about a hundred parts', async () => {
  expect((await getJson('/api/v1/stats')).body).toMatchObject({ since: now - 86_400_000, until: now, bucketMs: 900_000, buckets: [] })
})

describe('when the store fails', () => {
  it.each(['/api/v1/runs', '/api/v1/runs/x', '/api/v1/sessions', '/api/v1/stats', '/api/v1/summary', '/api/v1/audit', '/api/v1/runs.csv'])(
    '%s is a 503 that says nothing of it',
    async (path) => {
      queries.failure = new StoreUnavailable('database', 'secret place', '57P03')
      const response = await get(path)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await response.text()).not.toContain('secret')
    },
  )
  it('anything else is a 500', async () => {
    queries.failure = new Error('secret')
    const response = await get('/api/v1/runs')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
  })
})

it('nothing here can be written to', async () => {
  const response = await fetch(`http://127.0.0.1:${front.port}/api/v1/runs`, { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

describe('the export', () => {
  it('has a line for every run, page by page', async () => {
    for (let index = 0; index < 450; index++) queries.runs.push(runRecord(`r${index}`))
    const response = await get('/api/v1/runs.csv')
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="runs.csv"')
    const lines = (await response.text()).split('\r\n')
    expect(lines[0]).toMatch(/^id,at,request,session,api,/)
    expect(lines[1]).toMatch(/^r449,2023-11-14T22:13:20\.000Z,request-r449,,chat,false,small,/)
    expect([lines.length, lines.at(-1)]).toEqual([452, ''])
    expect(queries.asked).toHaveLength(3)
  })

  it('ends where it is told to', async () => {
    for (let index = 0; index < 450; index++) queries.runs.push(runRecord(`r${index}`))
    expect((await (await get('/api/v1/runs.csv?limit=250')).text()).split('\r\n')).toHaveLength(252)
  })

  it('gives a spreadsheet nothing to run', async () => {
    queries.runs.push(
      runRecord('r1', {
        model: '=cmd|"/c calc"!A1',
        session: '@SUM(1,2)',
        at: Number.NaN,
        usage: { promptTokens: Number.NaN, completionTokens: 1 },
      }),
    )
    const [, line] = (await (await get('/api/v1/runs.csv')).text()).split('\r\n')
    expect(line).toContain(`"'=cmd|""/c calc""!A1"`)
    expect(line).toContain(`"'@SUM(1,2)"`)
    expect(line).not.toContain('NaN')
  })

  it('answers a HEAD', async () => {
    const response = await fetch(`http://127.0.0.1:${front.port}/api/v1/runs.csv`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireBuilt } from '../../../../../e2e/support/require-built.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { createGrouping } from './browser/create-grouping.ts'
import { pageHtml } from './page-html.ts'
import { pageStyle } from './page-style.ts'

const files = [
  ['/', 'text/html; charset=utf-8'],
  ['/page.css', 'text/css; charset=utf-8'],
  ['/page/main.js', 'text/javascript; charset=utf-8'],
] as const
const secretName = 'contract-of-a-customer'

let gateway: TestGateway
beforeAll(async () => {
  requireBuilt(['gateway'])
  gateway = await startTestGateway({
    yaml: `
server: { port: 0, keysEnv: KEYS }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY }]
contracts: { ${secretName}: { checks: [{ max_words: { limit: 5 } }] } }
routes: [{ model: model-of-a-customer, upstream: up, contract: ${secretName} }]
`,
    env: { KEYS: 'alice:secret-key-1' },
  })
})
afterAll(() => gateway.close())

describe.each(files)('%s', (path, type) => {
  it('comes without a key, in the type that it is, and may be read by no other page', async () => {
    const response = await gateway.get(path)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('holds no data, and is the same for those who have a key', async () => {
    const text = await (await gateway.get(path)).text()
    for (const secret of [secretName, 'model-of-a-customer', 'alice', 'secret-key-1', 'upstream-secret-key', gateway.folder]) {
      expect(text).not.toContain(secret)
    }
    expect(await (await gateway.get(path, { authorization: 'Bearer secret-key-1' })).text()).toBe(text)
  })

  it('knows no other host', async () => {
    const addresses = (await (await gateway.get(path)).text()).match(/(?:https?:)?\/\/[\w.-]+\.\w+[^'"\s]*/g) ?? []
    // The name of the SVG namespace is no address: nothing is loaded from it.
    expect(addresses.filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([])
  })

  it('has a head', async () => {
    const [got, head] = [await gateway.get(path), await fetch(`${gateway.url}${path}`, { method: 'HEAD' })]
    expect([head.status, head.headers.get('content-type')]).toEqual([200, type])
    expect(head.headers.get('content-length')).toBe(String((await got.arrayBuffer()).byteLength))
    expect(await head.text()).toBe('')
  })

  it('takes nothing', async () => {
    const response = await gateway.post(path, {})
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the page', () => {
  it('allows nothing inline, nothing from elsewhere, and no way from text to markup', async () => {
    const { headers } = await gateway.get('/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    )
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  it('has no inline script, style or handler', () => {
    expect(pageHtml).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
    expect(pageHtml.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="page/main.js">'])
    expect(pageStyle).not.toMatch(/url\(|@import/)
  })

  it('finds every module that it imports, and no other file', async () => {
    const seen = new Set<string>()
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const response = await gateway.get(path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/javascript; charset=utf-8'])
      const text = await response.text()
      const imports = [...text.matchAll(/^import\b[^'"]*['"]([^'"]+)['"]/gm)].map(([, from = '']) => from)
      expect(imports.filter((from) => !/^\.\/[a-z-]+\.js$/.test(from))).toEqual([])
      await Promise.all(imports.map((from) => follow(new URL(from, `http://page${path}`).pathname)))
    }
    await follow('/page/main.js')
    expect(seen.size).toBeGreaterThan(10)
    for (const other of ['start-page.ts', 'main.d.ts', '..%2Fpage-html.js', '%2Fetc%2Fpasswd', 'main.js%00', 'constructor'])
      expect([other, (await gateway.get(`/page/${other}`)).status]).toEqual([other, 404])
  })

  it('offers every status as a filter', () => {
    const options = [...pageHtml.matchAll(/<option>(\w+)</g)].map(([, status]) => status)
    expect(options).toEqual(createGrouping().statuses)
  })

  it('asks an API that is closed without a key', async () => {
    for (const path of ['stats', 'runs', 'contracts', 'live', 'sessions']) expect((await gateway.get(`/api/v1/${path}`)).status).toBe(401)
  })
})

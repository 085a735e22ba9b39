import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireBuilt } from '../../../../../e2e/support/require-built.ts'
import { RawClient, rawRequest } from '../../testing/http-front.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const secretName = 'contract-of-a-customer'

let gateway: TestGateway
let files: readonly (readonly [path: string, type: string])[]
beforeAll(async () => {
  requireBuilt(['dashboard'])
  gateway = await startTestGateway({
    yaml: `
server: { port: 0, keysEnv: KEYS }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY }]
contracts: { ${secretName}: { checks: [{ max_words: { limit: 5 } }] } }
routes: [{ model: model-of-a-customer, upstream: up, contract: ${secretName} }]
`,
    env: { KEYS: 'alice:secret-key-1' },
  })
  files = [['/', 'text/html; charset=utf-8'], ...(await assets())]
})
afterAll(() => gateway.close())

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The files that the page names, and those that its modules import. */
async function assets(): Promise<(readonly [path: string, type: string])[]> {
  const seen = new Set<string>()
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const text = await (await gateway.get(path)).text()
    const named = [...text.matchAll(/["'`](?:assets\/|\.\/)([\w.-]+\.(?:js|css|svg))["'`]/g)].map(([, name = '']) => `/assets/${name}`)
    await Promise.all(named.map(follow))
  }
  await follow('/')
  return [...seen].filter((path) => path !== '/').map((path) => [path, types[path.slice(path.lastIndexOf('.') + 1)] ?? ''])
}

async function sent(path: string, encoding: string): Promise<{ readonly headers: ReadonlyMap<string, string>; readonly body: Buffer }> {
  const client = new RawClient(Number(new URL(gateway.url).port))
  client.send(rawRequest('GET', path, [`Accept-Encoding: ${encoding}`, 'Connection: close']))
  await client.end()
  const whole = client.received
  const end = whole.indexOf('\r\n\r\n')
  const lines = whole.subarray(0, end).toString('latin1').split('\r\n').slice(1)
  return {
    headers: new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)])),
    body: whole.subarray(end + 4),
  }
}

describe('every file of the dashboard', () => {
  it('comes without a key, in the type that it is, and may be read by no other page', async () => {
    expect(files.map(([path]) => path.replace(/-[\w-]{8}\./, '.'))).toEqual(
      expect.arrayContaining(['/', '/assets/main.js', '/assets/style.css', '/assets/mark.svg']),
    )
    for (const [path, type] of files) {
      const response = await gateway.get(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'cache-control': path === '/' ? 'no-cache' : 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'accept-encoding',
      })
    }
  })

  it('holds no data, is the same for those who have a key, and knows no other host', async () => {
    for (const [path] of files) {
      const text = await (await gateway.get(path)).text()
      for (const secret of [secretName, 'model-of-a-customer', 'alice', 'secret-key-1', 'upstream-secret-key', gateway.folder]) {
        expect(text).not.toContain(secret)
      }
      expect(await (await gateway.get(path, { authorization: 'Bearer secret-key-1' })).text()).toBe(text)
      const addresses = text.match(/(?:https?:)?\/\/[\w.-]+\.\w+[^'"`\s]*/g) ?? []
      // The names of namespaces are not addresses: nothing is loaded from them.
      expect(addresses.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([])
    }
  })

  it('comes compressed in the form that the client reads, with the same content', async () => {
    for (const [path] of files) {
      const plain = await sent(path, 'identity')
      expect([path, plain.headers.has('content-encoding')]).toEqual([path, false])
      const [br, gzip, refused] = [await sent(path, 'gzip, br'), await sent(path, 'deflate, GZIP'), await sent(path, 'br;q=0, gzip;q=0.0')]
      expect([br.headers.get('content-encoding'), gzip.headers.get('content-encoding')]).toEqual(['br', 'gzip'])
      expect(refused.headers.has('content-encoding')).toBe(false)
      expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    }
  })

  it('loads at most 60 kB for any page, compressed by gzip, and all pages together are at most 92 kB', async () => {
    const sizes = new Map<string, number>()
    const texts = new Map<string, string>()
    for (const [path] of files) {
      const { body } = await sent(path, 'gzip')
      sizes.set(path, body.length)
      texts.set(path, gunzipSync(body).toString())
    }
    const names = (path: string, how: RegExp) => [...(texts.get(path) ?? '').matchAll(how)].map(([, name = '']) => `/assets/${name}`)
    const statics = (path: string): string[] => names(path, /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    const dynamics = (path: string): string[] => names(path, /import\(\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    /** What a module loads, at once and later; other pages are loaded by those who open them. */
    const loaded = (path: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(path)) return seen
      seen.add(path)
      for (const next of [...statics(path), ...dynamics(path).filter((one) => !/-page-/.test(one))]) loaded(next, seen)
      return seen
    }
    const sum = (paths: Iterable<string>) => [...paths].reduce((all, path) => all + (sizes.get(path) ?? 0), 0)
    const all = files.map(([path]) => path)
    const first = all.filter((path) => !path.endsWith('.js') || path.includes('/main-'))
    const pages = all.filter((path) => /-page-/.test(path))
    expect(pages).toHaveLength(5)
    const heaviest = Math.max(...pages.map((page) => sum([...first, page].reduce((seen, path) => loaded(path, seen), new Set<string>()))))
    expect(heaviest).toBeGreaterThan(30_000)
    expect(heaviest).toBeLessThanOrEqual(60_000)
    expect(sum(sizes.keys())).toBeLessThanOrEqual(92_000)
  })

  it('has a head, and takes nothing', async () => {
    for (const [path, type] of files) {
      const head = await fetch(`${gateway.url}${path}`, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, type, ''])
      const response = await gateway.post(path, {})
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('is one of those that were built', async () => {
    const names = [
      'main.js',
      'index.html',
      'style.css.gz',
      '..%2Findex.html',
      '%2Fetc%2Fpasswd',
      'main.js%00',
      'constructor',
      '..%2Fbundle.json',
    ]
    for (const name of names) expect([name, (await gateway.get(`/assets/${name}`)).status]).toEqual([name, 404])
  })
})

describe('the page', () => {
  it('is served at the path of every view', async () => {
    const page = await (await gateway.get('/')).text()
    const lists = ['/runs', '/sessions', '/contracts', '/evaluations']
    for (const path of ['/upstreams', '/keys', ...lists]) expect([path, await (await gateway.get(path)).text()]).toEqual([path, page])
    const deeper = page.replaceAll('"assets/', '"../assets/')
    for (const path of lists.map((list) => `${list}/some%20name`)) {
      expect([path, await (await gateway.get(path)).text()]).toEqual([path, deeper])
    }
    expect((await gateway.get('/elsewhere')).status).toBe(404)
  })

  it('allows nothing inline, nothing from elsewhere, and no way from text to markup', async () => {
    const response = await gateway.get('/runs/some-id')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]),
    )
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    const page = await response.text()
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
    expect(page.match(/<script[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\.\.\/assets\/main-[\w-]+\.js">$/),
    ])
  })

  it('asks an API that is closed without a key', async () => {
    for (const path of ['stats', 'runs', 'contracts', 'live', 'sessions']) expect((await gateway.get(`/api/v1/${path}`)).status).toBe(401)
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contract } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../records/run/run-record.ts'
import type { Stats, StatsQuery } from '../../records/store/queries/stats.ts'
import { emptyBucket } from '../../records/store/queries/stats-bucket.ts'
import type { StoreQueries } from '../../records/store/store.ts'
import { startFront, type TestFront } from '../../testing/http-front.ts'
import { MemoryQueries, runRecord } from '../../testing/memory-queries.ts'
import { contractsRoute, parserRoute } from '../api/api-routes.ts'
import { LiveFeed } from '../api/live-feed.ts'
import { liveRoute } from '../api/live-route.ts'
import { runsRoutes } from '../api/runs-routes.ts'
import { pageRoutes } from './page-routes.ts'

/** The part of playwright-core that is used here. */
interface Page {
  goto(url: string): Promise<unknown>
  on(event: string, listener: (told: { url(): string; text(): string; message: string }) => void): void
  evaluate<Value>(source: string): Promise<Value>
  addInitScript(source: string): Promise<void>
  fill(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  focus(selector: string): Promise<void>
  isVisible(selector: string): Promise<boolean>
  textContent(selector: string): Promise<string | null>
  readonly keyboard: { press(key: string): Promise<void> }
  close(): Promise<void>
}
interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}
interface Launcher {
  readonly chromium: { launch(options: object): Promise<Browser> }
}
interface Binary {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> }
}

// By name, so that the suite runs where no browser is installed.
const optional = <Module>(name: string): Promise<Module | undefined> => import(/* @vite-ignore */ name).catch(() => undefined)
const launcher = await optional<Launcher>('playwright-core')
const binary = await optional<Binary>('@sparticuz/chromium')

/** Statistics whose names are as hostile as those of runs. */
function hostileStats(query: StatsQuery, payload: string): Stats {
  const buckets = [{ ...emptyBucket(0), runs: 3, statuses: { [payload]: 1, valid: 2 } }]
  return { ...query, runs: 3, buckets, codes: [{ validator: payload, code: payload, runs: 3 }], codesByContract: [], codesByModel: [] }
}

/** The way through a graph whose names are as hostile as everything else. */
function hostileNodes(payload: string): NonNullable<RunRecord['pipeline']> {
  const fallback = payload
  return [
    { node: 'reformulate', ms: 1, query: payload },
    { node: 'retrieve', ms: 12, chunks: [{ urn: payload, score: 0.0328 }], degraded: payload },
    { node: 'check_context_relevance', ms: 1, relevance: { relevant: false, strategy: 'lexical', score: 0.123, fallback } },
    { node: 'generate', ms: 900, attempts: 2 },
  ]
}

function hostileRun(id: string, payload: string): RunRecord {
  const issue = { code: payload, severity: 'error', validator: payload, message: payload, hint: payload, suggestion: payload } as const
  const repair = { rule: payload, class: 'lossy', span: { start: 0, end: 1 }, before: payload, after: payload, path: [payload] } as const
  return runRecord(id, {
    ...{
      model: payload,
      session: payload.replaceAll('/', '').slice(0, 150),
      key: payload,
      contract: payload,
      upstream: payload,
      upstreamModel: payload,
      reason: payload,
    },
    ...{
      requestId: payload,
      request: payload,
      facts: { [payload]: payload },
      text: payload.repeat(100),
      failure: { kind: payload, message: payload },
    },
    ...{ issues: [issue], fixed: [issue], repairs: [repair], unchecked: [{ validator: payload, cause: 'crash', message: payload }] },
    pipeline: hostileNodes(payload),
    attempts: [
      { number: 1, call: 'run', ms: 1, issues: [issue], text: payload, feedback: payload, decision: payload, finishReason: payload },
    ],
  })
}

describe.runIf(launcher !== undefined && binary !== undefined)('the page in Chromium', () => {
  const called: string[] = []
  const canary = createServer((request, response) => {
    called.push(request.url ?? '')
    response.end()
  })
  let browser: Browser
  const queries = new MemoryQueries()
  let front: TestFront
  let payload = ''
  let address = ''

  beforeAll(async () => {
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const trap = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
    payload = [
      `"'><script>window.hit = 1; fetch('${trap}/script')</script>`,
      `<img src=${trap}/img onerror="window.hit = 2"><svg onload="window.hit = 3"><iframe src="javascript:parent.hit = 4"></iframe>`,
      `javascript:window.hit=5 ${trap}/link [x](${trap}/md) <a href="javascript:hit=6">x</a></pre></table>{{hit=7}}\${hit=8}`,
    ].join('')
    const store: StoreQueries = Object.assign(queries, { stats: async (query: StatsQuery) => hostileStats(query, payload) })
    const feed = new LiveFeed({ queries, clock: systemClock, log: pino({ level: 'silent' }), pollMs: 10 })
    const contracts = new Map([[payload, contract({ checks: [{ max_words: { limit: 5 } }] })]])
    const routes = [
      ...pageRoutes(),
      ...runsRoutes({ queries: store, apis: [], now: Date.now }),
      liveRoute({ apis: [], queries, feed }),
      contractsRoute(() => contracts),
      parserRoute(() => undefined),
    ]
    front = await startFront(routes, { operatorKeys: 'alice:secret-key-1' })
    address = `http://127.0.0.1:${front.port}`
    const executablePath = await binary?.default.executablePath()
    // In a single process no page can be closed without the others.
    const args = binary?.default.args.filter((arg) => arg !== '--single-process')
    const started = await launcher?.chromium.launch({ executablePath, args, headless: true })
    if (started === undefined) throw new Error('no browser')
    browser = started
  })
  afterAll(async () => {
    await browser?.close()
    await front?.close()
    canary.close()
  })

  /** Opens the page with the key; whatever it asks for or complains about is noted. */
  async function open() {
    const asked: string[] = []
    const complaints: string[] = []
    const page = await browser.newPage()
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (line) => complaints.push(line.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', () => complaints.push('a dialog'))
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => console.log(event.violatedDirective))`)
    await page.goto(`${address}/`)
    await expect.poll(() => page.isVisible('#key-form')).toBe(true)
    await page.fill('#key', 'secret-key-1')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.textContent('#status')).toBe('Live.')
    return { page, asked, complaints: () => complaints.filter((line) => !line.includes('401')) }
  }

  it('the trap works', async () => {
    await fetch(`http://127.0.0.1:${(canary.address() as AddressInfo).port}/itself`)
    expect(called.splice(0)).toEqual(['/itself'])
  })

  it('runs and loads nothing of what clients and models say, in lists, live rows and details', async () => {
    queries.runs.push(hostileRun(payload, payload))
    const { page, asked, complaints } = await open()
    queries.runs.push(hostileRun('run-live', payload))
    await expect.poll(() => page.evaluate(`document.querySelectorAll('#runs tr').length`)).toBe(2)
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`)
    await page.click('#runs tr:first-child button')
    await expect.poll(() => page.textContent('#run')).toContain('Delivered text')
    expect(await page.textContent('#run ol.nodes')).toMatch(
      /retrieve 12.*0\.0328.*check_context_relevance.*insufficient, lexical, score 0\.123.*2 times/s,
    )
    expect(await page.textContent('#run ol.nodes')).toContain('<script>window.hit')
    await page.evaluate(`document.querySelectorAll('#run details').forEach((one) => { one.open = true })`)
    await page.click('#run > div > button')
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')

    // It was shown, to the letter.
    expect(await page.evaluate(`document.querySelector('#run').lastElementChild.textContent`)).toBe(payload.repeat(100))
    await page.keyboard.press('Escape')
    await page.click('#runs tr:first-child td:last-child button')
    await expect.poll(() => page.textContent('#run')).toContain('Newest runs')
    // The first request and the steps of its session, too.
    expect(await page.textContent('#run')).toContain('<script>window.hit')
    expect(await page.textContent('#codes')).toContain('<script>window.hit')
    expect(await page.textContent('#contracts')).toContain('<script>window.hit')
    // And was nothing but text.
    expect(await page.evaluate(`'hit' in window`)).toBe(false)
    expect(
      await page.evaluate(
        `document.querySelectorAll('img, iframe, a, object, embed, script:not([src="page/main.js"]), #content svg svg').length`,
      ),
    ).toBe(0)
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on'))`,
      ),
    ).toEqual([])
    expect(asked.filter((url) => !url.startsWith(`${address}/`) && url !== 'data:,')).toEqual([])
    expect(called).toEqual([])
    expect(complaints()).toEqual([])
    await page.close()
  })

  it('can be used with the keyboard, and keeps the key for this tab only', async () => {
    const { page } = await open()
    expect(await page.evaluate(`[sessionStorage.getItem('stickler.key'), localStorage.length, document.cookie, location.search]`)).toEqual([
      'secret-key-1',
      0,
      '',
      '',
    ])
    await page.focus('#runs tr button')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.isVisible('#run-dialog')).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.isVisible('#run-dialog')).toBe(false)
    expect(await page.evaluate(`document.activeElement.closest('#runs') !== null`)).toBe(true)
    await page.click('#forget-key')
    await expect.poll(() => page.isVisible('#key-form')).toBe(true)
    expect(await page.evaluate(`[sessionStorage.length, document.querySelectorAll('#runs tr').length]`)).toEqual([0, 0])
    await page.close()
  })
})

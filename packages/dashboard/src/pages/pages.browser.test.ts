import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, seriousFindings, type TestBrowser } from '../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../testing/fake-api.ts'
import { hostile, payload } from '../testing/hostile.ts'
import { pageRoutes, seedPages } from '../testing/page-routes.ts'
import { seedGateway, seedMe, seedRuns } from '../testing/seed.ts'
import { seedContractStats, seedContracts, seedEvaluation, seedRunning, seedSession, seedSessions } from '../testing/seed-pages.ts'
import { seedRun } from '../testing/seed-run.ts'

const browser: TestBrowser | undefined = await launchBrowser()
/** As far as an address can hold it. */
const inPath = `<img src=x onerror="alert(1)">'\u202e ${'wide'.repeat(30)}`
const runs = seedRuns(60)
const sessions = seedSessions().map((session) => seedSession(session, runs))

/** Each page, and what it must have shown. */
const pages = [
  ['/runs/run_1', '.answer .marked'],
  ['/contracts', 'table.table tbody tr'],
  ['/contracts/support-answer?run=run_1', '.try-report .marked'],
  ['/sessions', 'table.table tbody tr'],
  ['/sessions/chat-8812', '.steps li'],
  ['/upstreams', '.cards .panel'],
  ['/keys', '.budgets .meter'],
  ['/evaluations', 'table.table tbody tr'],
  [`/evaluations/${seedEvaluation().id}`, '.matrix'],
] as const

const looks = [
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 1024, colorScheme: 'light' },
  { width: 1024, colorScheme: 'dark' },
  { width: 1920, colorScheme: 'dark' },
  { width: 1920, colorScheme: 'light' },
] as const

describe.runIf(browser !== undefined)('pages of single things in Chromium', () => {
  let open: FakeDashboard
  let evil: FakeDashboard
  let empty: FakeDashboard
  beforeAll(async () => {
    open = await startFakeDashboard({ runs }, { routes: pageRoutes(seedPages({ run: (id) => seedRun(id), sessions })).routes })
    const named = { ...hostile(seedEvaluation(), ['id']) }
    const data = seedPages({
      run: (id) => ({ ...hostile(seedRun(id)), id, contract: payload }),
      contracts: hostile(seedContracts()).map((one) => ({ ...one, name: inPath })),
      stats: hostile(seedContractStats()).map((one) => ({ ...one, contract: inPath })),
      sessions: hostile(sessions).map((one) => ({ ...one, session: inPath })),
      evaluations: [named],
      running: hostile(seedRunning()),
    })
    const me = { ...hostile(seedMe()), role: 'operator' as const }
    evil = await startFakeDashboard({ runs: hostile(runs), gateway: hostile(seedGateway()), me }, { routes: pageRoutes(data).routes })
    const none = seedPages({ contracts: [], stats: [], sessions: [], evaluations: [], running: [] })
    empty = await startFakeDashboard({ gateway: seedGateway({ upstreams: [], keys: [] }) }, { routes: pageRoutes(none).routes })
  })
  afterAll(async () => {
    await browser?.close()
    for (const one of [open, evil, empty]) await one?.close()
  })
  const visit = (url: string, options: object = {}) => {
    if (browser === undefined) throw new Error('no browser')
    return openWatched(browser, url, options)
  }

  it.each(pages)('%s fits three widths in both themes, without complaints or serious findings', async (path, selector) => {
    const { page, complaints, asked } = await visit(`${open.url}${path}`)
    await page.waitForSelector(selector)
    for (const { width, colorScheme } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.waitForTimeout(60)
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(width)
      if (width !== 1024) expect(await seriousFindings(page), `${width} ${colorScheme}`).toEqual([])
    }
    expect(complaints).toEqual([])
    expect(asked.filter((url) => !url.startsWith(open.url))).toEqual([])
    await page.close()
  })

  it.each([
    ['/runs/run_1', '.answer'],
    ['/contracts', 'table.table tbody tr'],
    [`/contracts/${encodeURIComponent(inPath)}?run=run_1`, '.try'],
    ['/sessions', 'table.table tbody tr'],
    [`/sessions/${encodeURIComponent(inPath)}`, '.steps'],
    ['/upstreams', '.cards .panel'],
    ['/keys', 'table.table tbody tr'],
    ['/evaluations', 'table.table tbody tr'],
    [`/evaluations/${seedEvaluation().id}`, '.evaluation'],
  ])('%s shows hostile text as text', async (path, selector) => {
    const { page, complaints } = await visit(`${evil.url}${path}`, { viewport: { width: 390, height: 800 } })
    await page.waitForSelector(selector)
    await page.waitForTimeout(100)
    expect(await page.textContent('main')).toContain('onerror="alert(1)"')
    expect(await page.evaluate(`document.querySelectorAll('img, b:not(.tooltip b), script:not([src])').length`)).toBe(0)
    // What is written in a field must stay as it is.
    await page.evaluate(`for (const field of document.querySelectorAll('textarea')) field.remove()`)
    expect(await page.evaluate(`/[\\u202e\\u0000\\u0007]/.test(document.body.innerText + document.title)`)).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows evaluations under way, with their queue and workers, and which of them have stopped', async () => {
    const { page, complaints } = await visit(`${open.url}/evaluations`)
    await page.waitForSelector('.running tbody tr')
    const rows = await page.evaluate<string[]>(`[...document.querySelectorAll('.running tbody tr')].map(({ innerText }) => innerText)`)
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^recordings.jsonl brief running 120K 40 ?% 4,100 6,400 3 /),
      expect.stringMatching(/^recordings.jsonl brief stopped 17 – 0 – – /),
    ])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows the report of an evaluation that ends while another one starts', async () => {
    const [first, second] = seedRunning()
    if (first === undefined || second === undefined) throw new Error('there are two')
    const data = seedPages({ evaluations: [], running: [first] })
    const changing = await startFakeDashboard({}, { routes: pageRoutes(data).routes })
    const { page } = await visit(`${changing.url}/evaluations`)
    await page.waitForSelector('.running tbody tr')
    await page.waitForSelector('.empty')
    data.evaluations = [seedEvaluation()]
    data.running = [second]
    await page.waitForSelector(`a[href$="/evaluations/${seedEvaluation().id}"]`, { timeout: 15_000 })
    await page.close()
    await changing.close()
  })

  it.each(['contracts', 'sessions', 'upstreams', 'keys', 'evaluations'])(
    '/%s says what will appear, when there is nothing',
    async (path) => {
      const { page } = await visit(`${empty.url}/${path}`)
      await page.waitForSelector('.empty')
      expect(((await page.textContent('.empty')) ?? '').length).toBeGreaterThan(40)
      expect(await seriousFindings(page)).toEqual([])
      await page.close()
    },
  )

  it.each(['contracts/nothing', 'sessions/nothing', 'evaluations/nothing'])('/%s says that there is no such thing', async (path) => {
    const { page } = await visit(`${open.url}/${path}`)
    await page.waitForSelector('.empty')
    expect(await page.textContent('.empty')).toContain('There is no such')
    await page.close()
  })

  it.each([
    ['support-answer', 'what the model would be told with instruct: true'],
    ['invoice-json', 'what the model is told up front'],
  ])('says whether the model is told the rules of %s', async (name, note) => {
    const { page } = await visit(`${open.url}/contracts/${name}`)
    await page.waitForSelector('.contract')
    expect(await page.textContent('.contract > .panel:last-child header')).toBe(`Instructions${note}`)
    await page.close()
  })

  it('tries an answer while the contract is written, marks a wrong line, and copies the YAML', async () => {
    const { page, complaints } = await visit(`${open.url}/contracts/support-answer`)
    await page.fill('#try-answer', 'Look at [this](javascript:x) now, please.')
    await page.waitForSelector('.try-report .pill.repaired')
    expect(await page.textContent('.try-report del')).toBe('javascript:x')
    const yaml = seedContracts()[0]?.yaml ?? ''
    await page.fill('.editor-text', yaml.replace('limit: 60', 'limit: 2'))
    await page.waitForSelector('.try-report .pill.unresolved')
    expect(await page.textContent('.findings')).toContain('MAX_WORDS')
    await page.fill('.editor-text', yaml.replace('step_marker', 'unknown_rule'))
    await page.waitForSelector('.editor-lines .wrong')
    expect(await page.textContent('.editor-lines .wrong')).toBe('5')
    expect(await page.textContent('#contract-errors')).toContain('did you mean')
    await page.click('text=Undo changes')
    await page.waitForSelector('.try-report .pill.repaired')
    expect(await page.isVisible('.editor-lines .wrong')).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('leads from a rule to its runs, and opens a session by its name', async () => {
    const { page } = await visit(`${open.url}/contracts/support-answer`)
    await page.click('a:has-text("MAX_WORDS")')
    await expect.poll(() => page.url()).toContain('validator=max_words&code=MAX_WORDS')
    await page.goto(`${open.url}/sessions`)
    await page.waitForSelector('tbody tr')
    await page.fill('.open-session input', 'chat-8812')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/sessions/chat-8812')
    await page.waitForSelector('.steps')
    await page.click('tbody a')
    await page.waitForSelector('.answer')
    await page.close()
  })
})

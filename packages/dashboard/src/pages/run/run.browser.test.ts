import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, seriousFindings, type TestBrowser, type TestPage } from '../../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../../testing/fake-api.ts'
import { pageRoutes, seedPages } from '../../testing/page-routes.ts'
import { type RealGateway, startRealRuns } from '../../testing/real-runs.ts'
import { seedMe, seedRuns } from '../../testing/seed.ts'
import { seedCallingRun, seedRun, seedRunWithoutTexts } from '../../testing/seed-run.ts'

const browser: TestBrowser | undefined = await launchBrowser()
const megabyte = 'A line of an answer that is far too long to be shown.\n'.repeat(20_000)

/** The text of the answer without what was removed. */
const shown = (page: TestPage, without: string) =>
  page.evaluate<string>(
    `(() => { const pre = document.querySelector('.answer .marked pre').cloneNode(true); for (const node of pre.querySelectorAll('${without}')) node.remove(); return pre.textContent })()`,
  )

describe.runIf(browser !== undefined)('one run in Chromium', () => {
  let fake: FakeDashboard
  let labels: Map<string, unknown>
  const listed = seedRuns(30)
  beforeAll(async () => {
    const run = (id: string) =>
      id === 'missing'
        ? undefined
        : id === 'calling'
          ? seedCallingRun(id)
          : id === 'silent'
            ? seedRunWithoutTexts(id)
            : id === 'huge'
              ? seedRun(id, {
                  ...{ repairs: [], fixed: [], text: megabyte, counts: { attempts: 0, issues: 200, fixed: 0, repairs: 0 }, attempts: [] },
                  issues: Array.from({ length: 200 }, (_, at) => ({
                    ...{ code: 'LONG', severity: 'error', validator: 'max_words', message: 'Too long.' },
                    span: { start: at * 5000, end: megabyte.length - at },
                  })),
                })
              : seedRun(id)
    const pages = pageRoutes(seedPages({ run }))
    labels = pages.labels
    fake = await startFakeDashboard({ runs: listed }, { routes: pages.routes })
  })
  afterAll(async () => {
    await browser?.close()
    await fake?.close()
  })
  const visit = async (path: string, options: object = {}) => {
    if (browser === undefined) throw new Error('no browser')
    return openWatched(browser, path.startsWith('http') ? path : `${fake.url}${path}`, options)
  }

  it('shows the answer with repairs in place, and both texts', async () => {
    const { page, complaints } = await visit('/runs/run_1')
    await page.waitForSelector('.answer .marked')
    const { text = '', attempts } = seedRun('run_1')
    expect(await shown(page, 'del')).toBe(text.replaceAll('\r', ''))
    expect(await shown(page, 'ins')).toBe((attempts[1]?.text ?? '').replaceAll('\r', '').replaceAll('[EMAIL]', '[hidden]'))
    await page.click('.answer-text ins >> nth=0')
    expect(await page.textContent('.repair-entry.chosen')).toContain('characters 75 to 92')
    await page.click('text=As written')
    expect(await page.textContent('.answer .marked pre')).toContain('Sure, here is the answer')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows what the shadow contract says, and where it differs', async () => {
    const { page } = await visit('/runs/run_1')
    await page.waitForSelector('.shadow')
    const text = (await page.textContent('.shadow')) ?? ''
    for (const part of [
      'support-answer-nextunresolved',
      'First answer, by the shadow contract',
      'by the live contractrepaired',
      'only shadow: MAX_WORDS, TOO_FORMAL',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toContain('only live: PREAMBLE')
    await page.close()
  })

  it('shows tool calls with their arguments, issues at their paths, and repairs with certificates', async () => {
    const { page, complaints } = await visit('/runs/calling')
    await page.waitForSelector('.answer .call')
    expect(await page.textContent('.answer')).toContain('the model only called tools.')
    const [first, second] = await page.evaluate<string[]>(`[...document.querySelectorAll('.answer .call')].map((one) => one.textContent)`)
    expect(first).toContain('refund_order')
    expect(await page.textContent('.answer .call .marked del')).toBe('"12.50"')
    expect(await page.textContent('.answer .call .marked ins')).toBe('12.50')
    for (const part of ['lossless', 'coerce-number', 'arguments, amount', 'fixed', 'Give amount as a number.'])
      expect(first).toContain(part)
    expect(second).toContain('"lines": [\n    "Hello",\n    "Bye"\n  ]')
    const attempt = (await page.textContent('.attempt')) ?? ''
    for (const part of ['not JSON', '{"order": 17, "amount": "12.50"', 'tool_calls[0].arguments']) expect(attempt).toContain(part)
    await page.click('.panel >> text=Case')
    const line = (await page.textContent('section[aria-label="The run as case"] pre')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ tool_calls: [{ name: 'refund_order' }, { name: 'send_mail' }] })
    expect(await seriousFindings(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('compares attempts, and plays what a reader saw', async () => {
    const { page } = await visit('/runs/run_1')
    await page.click('text=Changes since the attempt before')
    await page.waitForSelector('.attempt .diff del')
    expect(await page.textContent('.attempt .diff del')).toContain('As a company')
    await page.focus('.timeline-slider input')
    await page.keyboard.press('Home')
    expect(await page.textContent('.timeline')).toContain('had 0 of 169 characters')
    await page.keyboard.press('End')
    expect(await page.textContent('.timeline .later')).toBe('')
    expect(await page.textContent('.timeline')).toContain('Never shown: 37 characters of attempt 1')
    await page.click('.panel >> text=Case')
    expect(JSON.parse((await page.textContent('section[aria-label="The run as case"] pre')) ?? '')).toMatchObject({
      id: 'run_1',
      finish_reason: 'stop',
    })
    await page.close()
  })

  it('is labelled good or bad with a note, and unlabelled again', async () => {
    const { page } = await visit('/runs/run_1')
    await page.fill('.label-form input', 'Says what was asked.')
    await page.click('.label-good')
    await page.waitForSelector('.label-good[aria-pressed="true"]')
    expect(labels.get('run_1')).toMatchObject({ label: 'good', note: 'Says what was asked.' })
    await page.reload()
    await page.waitForSelector('.label-good[aria-pressed="true"]')
    await page.fill('.label-form input', 'reject this')
    await page.click('text=Save note')
    await page.waitForSelector('.label-form [role="alert"]')
    await page.click('.label-good')
    await page.waitForSelector('.label-good[aria-pressed="false"]')
    expect(labels.size).toBe(0)
    fake.me = seedMe({ role: 'client', key: 'checkout' })
    await page.reload()
    await page.waitForSelector('.answer')
    expect(await page.isVisible('.label-form')).toBe(false)
    fake.me = seedMe()
    await page.close()
  })

  it('says why there are no texts and shows the rest, and says when there is no run', async () => {
    fake.me = seedMe({ keepText: false })
    const { page } = await visit('/runs/silent')
    await page.waitForSelector('.answer')
    expect(await page.textContent('.answer')).toContain('store.keepText')
    expect(await page.textContent('.findings')).toContain('drop-preamble')
    expect(await page.textContent('.attempts')).toContain('MAX_WORDS')
    expect(await page.textContent('main')).not.toContain('on its way')
    await page.goto(`${fake.url}/runs/missing`)
    await page.waitForSelector('.empty')
    expect(await page.textContent('.empty')).toContain('There is no such run')
    fake.me = seedMe()
    await page.close()
  })

  it('cuts an answer of a megabyte with 200 overlapping issues, and marks few places', async () => {
    const { page } = await visit('/runs/huge')
    await page.waitForSelector('.answer .marked')
    expect(await page.textContent('.code-note')).toContain('more')
    const [length, marks] = await page.evaluate<[number, number]>(
      `(() => { const pre = document.querySelector('.answer pre'); document.querySelector('.finding-place').click(); return new Promise((done) => requestAnimationFrame(() => done([pre.textContent.length, pre.querySelectorAll('mark').length]))) })()`,
    )
    expect(length).toBeLessThanOrEqual(60_000)
    expect(marks).toBeLessThan(1000)
    await page.close()
  })

  it('leads to its neighbours with keys, and back to the list', async () => {
    const { page } = await visit('/runs')
    await expect.poll(() => page.evaluate('document.querySelectorAll("[role=row], tbody tr").length')).toBeGreaterThan(1)
    await page.evaluate(`history.pushState(null, '', '/runs/${listed[1]?.id}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.waitForSelector('.answer')
    await page.keyboard.press(']')
    await expect.poll(() => page.url()).toContain(`/runs/${listed[2]?.id}`)
    await page.waitForSelector('.answer')
    await page.keyboard.press('[')
    await expect.poll(() => page.url()).toContain(`/runs/${listed[1]?.id}`)
    await page.waitForSelector('.answer')
    await page.keyboard.press('[')
    await expect.poll(() => page.url()).toContain(`/runs/${listed[0]?.id}`)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).toMatch(/\/runs(\?.*)?$/)
    await page.close()
  })

  describe('of a real gateway', () => {
    let real: RealGateway
    beforeAll(async () => {
      real = await startRealRuns()
    })
    afterAll(() => real?.gateway.close())

    it.each([
      ['/contracts', 'td a'],
      ['/contracts/support', '.rules'],
      ['/sessions', '.empty'],
      ['/upstreams', '.cards .panel'],
      ['/keys', '.empty'],
      ['/evaluations', '.empty'],
    ])('fills %s', async (path, selector) => {
      const { page, complaints } = await visit(`${real.gateway.url}${path}`)
      await page.waitForSelector(selector)
      await page.waitForTimeout(200)
      expect(await page.isVisible('.failure')).toBe(false)
      expect(complaints).toEqual([])
      await page.close()
    })

    it('tries the contract of a run with its answer', async () => {
      const { page } = await visit(`${real.gateway.url}/runs/${real.runs.repaired}`)
      await page.click('text=Try the contract')
      await page.waitForSelector('.try-report .pill.repaired')
      await page.fill('.editor-text', 'checks:\n  - max_words: { limit: 3 }\n  - unknown_check\n')
      await page.waitForSelector('.editor-lines .wrong')
      await page.fill('.editor-text', 'checks:\n  - max_words: { limit: 3 }\n')
      await page.waitForSelector('.try-report .pill.unresolved')
      expect(await page.textContent('.findings')).toContain('MAX_WORDS')
      await page.close()
    })

    it('tries the contract of a run with its tool calls, and nothing of one that failed', async () => {
      const { page } = await visit(`${real.gateway.url}/runs/${real.runs.called}`)
      await page.click('text=Try the contract')
      await page.waitForSelector('.try-report .pill.repaired')
      expect(await page.textContent('.try')).toContain('Judged with the tool calls of the run: ping')
      await page.fill('.take-run input', real.runs.failed)
      await page.click('text=Take its answer')
      await page.waitForSelector('.take-run .problem')
      expect(await page.textContent('.take-run .problem')).toBe('It failed, and there is no answer to judge.')
      await page.close()
    })

    it.each(['repaired', 'retried', 'unresolved', 'streamed', 'shadowed', 'failed', 'called'] as const)('%s', async (kind) => {
      const { gateway, runs } = real
      const { page, complaints } = await visit(`${gateway.url}/runs/${runs[kind]}`)
      await page.waitForSelector('.answer')
      const run = (await (await gateway.get(`/api/v1/runs/${runs[kind]}`)).json()) as {
        text: string
        repairs: unknown[]
        fixed: { span?: unknown }[]
      }
      if (run.text !== '') expect(await shown(page, 'del')).toBe(run.text.replaceAll('\r', ''))
      expect(await page.evaluate('document.querySelectorAll(".repair-entry").length')).toBe(run.repairs.length)
      if (run.repairs.length > 0) expect(await page.isVisible('.answer-text ins')).toBe(true)
      expect(await page.isVisible('.timeline')).toBe(kind === 'streamed')
      expect(await page.isVisible('.answer .call')).toBe(kind === 'called')
      if (kind === 'called') expect(await page.textContent('.answer .call .marked ins')).toBe('3')
      expect(await page.textContent('.messages')).toContain('You are the help desk of a shop.')
      expect(await page.textContent('.answer')).not.toContain('are not known')
      expect(await seriousFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await page.close()
    })
  })
})

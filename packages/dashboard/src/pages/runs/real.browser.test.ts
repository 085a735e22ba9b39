import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answering } from '../../../../gateway/src/testing/programmable-upstream-answers.ts'
import { launchBrowser, openWatched, type TestBrowser } from '../../testing/browser.ts'
import { type RealGateway, startRealRuns } from '../../testing/real-runs.ts'

const browser = await launchBrowser()

describe.runIf(browser !== undefined)('runs of a real gateway in Chromium', () => {
  let real: RealGateway
  beforeAll(async () => {
    real = await startRealRuns()
  })
  afterAll(async () => {
    await browser?.close()
    await real?.gateway.close()
  })
  const visit = (path: string) => openWatched(browser as TestBrowser, `${real.gateway.url}${path}`)

  it('are summed on the overview, with the state of the gateway', async () => {
    const { page, complaints } = await visit('/?range=15m')
    await expect.poll(() => page.textContent('.tile-value'), { timeout: 20_000 }).toBe('7')
    await page.waitForSelector('.u-over')
    expect(await page.textContent('table[aria-label="Models"]')).toContain('support')
    expect(await page.textContent('table[aria-label="Rules that fail most"]')).toContain('MAX_WORDS')
    await expect.poll(() => page.textContent('section[aria-label="Upstreams"]')).toContain('up')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('are listed, filtered and searched, and new ones come by themselves', async () => {
    const { page, complaints } = await visit('/runs?range=15m')
    const rows = () => page.evaluate<number>(`document.querySelectorAll('.list-row').length`)
    await expect.poll(rows, { timeout: 10_000 }).toBe(7)
    await expect.poll(() => page.textContent('.live')).toBe('Live')
    real.gateway.upstream.enqueue(answering('Two words.'))
    const body = { model: 'brief', messages: [{ role: 'user', content: 'Once more, with a cucumber?' }] }
    await (await real.gateway.post('/v1/chat/completions', body)).text()
    await expect.poll(rows, { timeout: 10_000 }).toBe(8)
    expect(await page.textContent('.list-row')).toContain('Two words.')
    // Words are indexed in the background.
    const found = async () => {
      await page.goto(`${real.gateway.url}/runs?q=cucumber`)
      await page.waitForSelector('.list-row, .empty')
      return rows()
    }
    await expect.poll(found, { timeout: 30_000, interval: 500 }).toBe(1)
    for (const filter of [
      'status=repaired',
      'code=MAX_WORDS',
      'validator=max_words',
      'class=lossy',
      'model=support',
      'upstream=up',
      'api=chat',
    ]) {
      await page.goto(`${real.gateway.url}/runs?${filter}`)
      await page.waitForSelector('.list-row')
      expect([filter, (await rows()) <= 8]).toEqual([filter, true])
    }
    await page.click('button:has-text("Export")')
    await expect.poll(() => page.textContent('[role="status"]')).toMatch(/^[1-8] runs? w(?:as|ere) exported\.$/)
    await page.click('.list-row')
    await page.waitForSelector('.run-panel .panel')
    expect(new URL(page.url()).searchParams.get('run')).toMatch(/^run_/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.isVisible('.run-panel')).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })
})

import { HttpError } from '@stickler/core/internal/apis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, type TestBrowser, type TestPage } from '../../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../../testing/fake-api.ts'
import { seedMe, seedNow, seedRuns } from '../../testing/seed.ts'
import { inspectViews } from '../../testing/views.ts'

const browser = await launchBrowser()
const seeded = seedRuns(1000)

describe.runIf(browser !== undefined)('runs in Chromium', () => {
  let fake: FakeDashboard
  beforeAll(async () => {
    fake = await startFakeDashboard()
  })
  afterEach(() => {
    Object.assign(fake, { runs: [...seeded], me: seedMe(), failure: undefined, pageSize: undefined })
    fake.asked.length = 0
  })
  afterAll(async () => {
    await browser?.close()
    await fake?.close()
  })
  const visit = async (path: string): Promise<TestPage> => {
    if (fake.runs.length === 0) fake.runs = [...seeded]
    const { page } = await openWatched(browser as TestBrowser, `${fake.url}${path}`)
    return page
  }
  const parameters = (page: TestPage) => new URL(page.url()).searchParams
  const lists = () => fake.asked.filter((path) => path.startsWith('runs?'))
  const statuses = (page: TestPage) =>
    page.evaluate<string[]>(`[...new Set([...document.querySelectorAll('.list-row .pill')].map((pill) => pill.textContent))].sort()`)

  it('shows a page with one request for the list', async () => {
    const page = await visit('/runs?live=off')
    await page.waitForSelector('.list-row')
    expect(lists()).toHaveLength(1)
    expect(fake.asked).toHaveLength(2)
    const first = await page.textContent('.list-row')
    expect(first).toContain(seeded[0]?.model)
    await page.close()
  })

  it('filters by what the menu offers: chips, address and request agree, after a reload too', async () => {
    const page = await visit('/runs')
    await page.waitForSelector('.list-row')
    await page.click('button:has-text("Filter")')
    await page.click('.menu-entry:text-is("Status")')
    await page.click('.menu-entry:has-text("failed")')
    await page.click('.menu-entry:has-text("unresolved")')
    await page.keyboard.press('Escape')
    await expect.poll(() => statuses(page)).toEqual(['failed', 'unresolved'])
    expect(parameters(page).getAll('status')).toEqual(['failed', 'unresolved'])
    expect(lists().at(-1)).toContain('status=failed&status=unresolved&since=')
    await page.reload()
    await expect.poll(() => statuses(page)).toEqual(['failed', 'unresolved'])
    expect(await page.evaluate(`document.querySelectorAll('.chip').length`)).toBe(2)
    await page.click('.chip:has-text("unresolved") .chip-close')
    await expect.poll(() => statuses(page)).toEqual(['failed'])
    await page.goBack()
    await expect.poll(() => statuses(page)).toEqual(['failed', 'unresolved'])
    await page.close()
  })

  it('filters by a value that is clicked, and by one that is typed', async () => {
    const page = await visit('/runs')
    await page.click('.list-row .value:has-text("invoice-json") >> nth=0')
    await expect.poll(() => parameters(page).get('contract')).toBe('invoice-json')
    await page.click('button:has-text("Filter")')
    await page.click('.menu-entry:text-is("Code")')
    await page.keyboard.type('MAX_WORDS')
    await page.keyboard.press('Enter')
    await expect.poll(() => parameters(page).get('code')).toBe('MAX_WORDS')
    await expect.poll(() => page.textContent('.list-row')).toContain('MAX_WORDS')
    await page.click('text=Clear all')
    await expect.poll(() => page.url()).toBe(`${fake.url}/runs`)
    await page.close()
  })

  it('says that nothing matches, what will appear, and what failed', async () => {
    const page = await visit('/runs?session=none')
    await page.waitForSelector('.empty')
    expect(await page.textContent('.empty')).toContain('No run matches')
    fake.runs = [{ ...(seeded[0] as (typeof seeded)[0]), at: 0 }]
    await page.goto(`${fake.url}/runs`)
    await expect.poll(() => page.textContent('.empty')).toContain(`curl ${fake.url}/v1/chat/completions`)
    fake.runs = [...seeded]
    fake.failure = new HttpError(503, 'The store is not available.')
    await page.goto(`${fake.url}/runs`)
    await expect.poll(() => page.textContent('.failure')).toContain('The store is not available.')
    await page.close()
  })

  it('searches texts from the keyboard, and says why it cannot', async () => {
    const page = await visit('/runs')
    await page.waitForSelector('.list-row')
    await page.keyboard.press('/')
    await page.keyboard.type('calibration')
    await expect.poll(() => parameters(page).get('q')).toBe('calibration')
    await expect
      .poll(() => page.evaluate(`[...document.querySelectorAll('.list-row')].every((row) => row.textContent.includes('Calibration'))`))
      .toBe(true)
    fake.me = seedMe({ keepText: false })
    await page.goto(`${fake.url}/runs?cols=status,answer,question`)
    await page.waitForSelector('.list-row')
    expect(await page.evaluate(`document.querySelector('.search input').disabled`)).toBe(true)
    expect(await page.evaluate(`document.querySelector('.search').title`)).toContain('store.keepText')
    expect(await page.textContent('.list')).not.toContain('Refunds')
    await page.close()
  })

  it('has columns to choose, which the address keeps', async () => {
    const page = await visit('/runs')
    await page.click('button:has-text("Columns")')
    await page.click('label:has-text("Upstream") input')
    await page.click('label:has-text("Tokens") input')
    const heads = () => page.evaluate<string[]>(`[...document.querySelectorAll('.list-head .cell')].map((cell) => cell.textContent)`)
    await expect.poll(async () => (await heads()).includes('Tokens')).toBe(false)
    expect(parameters(page).get('cols')).toContain('upstream')
    await page.setViewportSize({ width: 1920, height: 900 })
    await expect.poll(heads).toContain('Upstream')
    await page.reload()
    await expect.poll(heads).toContain('Upstream')
    await page.close()
  })

  it('exports what is shown', async () => {
    const page = await visit('/runs?status=failed&range=6h')
    await page.waitForSelector('.list-row')
    await page.click('button:has-text("Export")')
    await expect.poll(() => page.textContent('[role="status"]')).toMatch(/^\d+ runs were exported\.$/)
    const asked = new URLSearchParams(fake.asked.find((path) => path.startsWith('runs.jsonl'))?.split('?')[1])
    expect([asked.get('status'), Number(asked.get('until')) - Number(asked.get('since'))]).toEqual(['failed', 21_600_000])
    expect(asked.get('limit')).toBe('50000')
    await page.close()
  })

  it('shows new runs as they come, holds them while the pointer is over the rows, and can be paused', async () => {
    const page = await visit('/runs?status=failed&status=valid')
    await expect.poll(() => page.textContent('.live')).toBe('Live')
    await expect.poll(() => fake.asked.filter((path) => path.startsWith('live?status=failed&status=valid'))).toHaveLength(1)
    // Those of pages that were closed before may still be leaving.
    await expect.poll(fake.listening).toBe(1)
    const fresh = (id: string, status = 'valid') => ({
      ...(seeded[0] as (typeof seeded)[0]),
      id,
      status,
      at: seedNow,
      model: `model-${id}`,
    })
    const first = () => page.textContent('.list-row')
    fake.add(fresh('one'))
    await expect.poll(first).toContain('model-one')
    fake.add(fresh('hidden', 'repaired'))
    await page.hover('.list-row >> nth=3')
    fake.add(fresh('two'))
    await expect.poll(() => page.textContent('.fresh')).toBe('Show 1 new run')
    expect(await first()).toContain('model-one')
    await page.click('.fresh')
    await expect.poll(first).toContain('model-two')
    await page.click('.live')
    await expect.poll(() => page.textContent('.live')).toBe('Paused')
    expect(parameters(page).get('live')).toBe('off')
    await expect.poll(fake.listening).toBe(0)
    fake.add(fresh('three'))
    await page.waitForTimeout(300)
    expect(await page.textContent('.list')).not.toContain('model-three')
    expect(await page.textContent('.list')).not.toContain('model-hidden')
    await page.close()
  })

  it('is walked with the keyboard: j, k, Enter, back, g and ?', async () => {
    const page = await visit('/runs?live=off')
    await page.waitForSelector('.list-row')
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await expect.poll(() => page.evaluate(`document.querySelector('.list-row.chosen').getAttribute('aria-rowindex')`)).toBe('3')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    expect(await page.textContent('dialog')).toContain('Next row')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.isVisible('dialog')).toBe(false)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(seeded[1]?.id ?? 'none')
    const before = lists().length
    await page.goBack()
    await page.waitForSelector('.list-row.chosen')
    expect([await page.evaluate(`document.querySelector('.list-row.chosen').getAttribute('aria-rowindex')`), lists().length]).toEqual([
      '3',
      before,
    ])
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await expect.poll(() => page.textContent('h1')).toBe('Overview')
    await page.close()
  })

  it('scrolls 100 000 rows with few elements', async () => {
    Object.assign(fake, { runs: seedRuns(100_000), pageSize: 5000 })
    const page = await visit('/runs?live=off&range=7d')
    await page.waitForSelector('.list-row')
    const end = `new Promise((resolve) => {
      const list = document.querySelector('.list')
      let most = 0
      const step = () => {
        list.scrollTop = list.scrollHeight
        most = Math.max(most, document.querySelectorAll('.list-row').length)
        if (list.textContent.includes('No older runs')) resolve(most)
        else requestAnimationFrame(step)
      }
      step()
    })`
    expect(await page.evaluate<number>(end)).toBeLessThan(80)
    const last = `(() => {
      const list = document.querySelector('.list')
      list.scrollTop = list.scrollHeight
      return Math.max(...[...list.querySelectorAll('.list-row')].map((row) => Number(row.getAttribute('aria-rowindex'))))
    })()`
    await expect.poll(() => page.evaluate(last)).toBe(100_001)
    await page.close()
  }, 180_000)

  it('is fine at every width, light and dark', () => inspectViews(browser as TestBrowser, `${fake.url}/runs`, '.list-row'))
})

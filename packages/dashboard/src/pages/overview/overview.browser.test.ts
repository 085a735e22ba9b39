import { HttpError } from '@stickler/core/internal/apis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, type TestBrowser, type TestPage } from '../../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../../testing/fake-api.ts'
import { seedMe, seedNow, seedRuns } from '../../testing/seed.ts'
import { inspectViews } from '../../testing/views.ts'

const browser = await launchBrowser()
const runs = seedRuns(2000, 2 * 86_400_000)

describe.runIf(browser !== undefined)('the overview in Chromium', () => {
  let fake: FakeDashboard
  beforeAll(async () => {
    fake = await startFakeDashboard({ runs })
  })
  afterEach(() => {
    Object.assign(fake, { runs, me: seedMe(), failure: undefined, behind: false })
  })
  afterAll(async () => {
    await browser?.close()
    await fake?.close()
  })
  const visit = async (path: string): Promise<TestPage> => {
    const { page } = await openWatched(browser as TestBrowser, `${fake.url}${path}`)
    return page
  }
  const parameters = (page: TestPage) => new URL(page.url()).searchParams

  it('shows the sums of the period with three requests', async () => {
    fake.asked.length = 0
    const page = await visit('/?range=24h')
    await page.waitForSelector('.u-over')
    const day = runs.filter(({ at }) => at >= seedNow - 86_400_000)
    const count = (...statuses: string[]) => day.filter(({ status }) => statuses.includes(status)).length
    const tiles = await page.evaluate<Record<string, string>>(
      `Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) => [tile.querySelector('.tile-title').textContent, tile.querySelector('.tile-value').textContent]))`,
    )
    const share = (part: number) => `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format((100 * part) / day.length)} %`
    expect(tiles).toMatchObject({
      Runs: new Intl.NumberFormat('en').format(day.length),
      'Contract met': share(count('valid', 'repaired')),
      Repaired: share(count('repaired')),
      'Asked again': share(day.filter(({ attempts }) => attempts > 1).length),
    })
    const legend = await page.textContent('.legend')
    for (const status of ['Valid', 'Repaired', 'Failed'])
      expect(legend).toContain(`${status}${count(status.toLowerCase()).toLocaleString('en')}`)
    expect(await page.evaluate(`document.querySelectorAll('.u-over').length`)).toBe(3)
    expect(fake.asked.map((path) => path.split('?')[0]).sort()).toEqual(['gateway', 'me', 'overview'])
    await page.close()
  })

  it('cuts no note of a tile, and draws the latency of a single bucket', async () => {
    fake.runs = runs.slice(0, 40).map((run) => ({ ...run, at: seedNow }))
    const page = await visit('/?range=24h')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.waitForSelector('.u-over')
    await page.waitForTimeout(300)
    expect(
      await page.evaluate(`[...document.querySelectorAll('.tile-note')].filter((note) => note.scrollWidth > note.clientWidth).length`),
    ).toBe(0)
    // Beside the marks, only the pale grid is in the area of the plot.
    const dark = await page.evaluate<number>(`(() => {
      const place = document.querySelector('[aria-label^="Latency over time"]')
      const canvas = place.querySelector('canvas')
      const [over, all] = [place.querySelector('.u-over'), canvas].map((one) => one.getBoundingClientRect())
      const { data } = canvas.getContext('2d').getImageData(over.x - all.x + 2, over.y - all.y, over.width, over.height - 2)
      let count = 0
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200 && data[at] < 130) count++
      return count
    })()`)
    expect(dark).toBeGreaterThan(20)
    await page.close()
  })

  it('says when sums are catching up', async () => {
    const page = await visit('/')
    await page.waitForSelector('.tile')
    expect(await page.isVisible('.behind')).toBe(false)
    fake.behind = true
    await page.reload()
    await page.waitForSelector('.behind')
    expect(await page.textContent('.behind')).toContain('Sums are catching up')
    await page.close()
  })

  it('zooms by dragging, and opens the runs of a bucket by a click', async () => {
    const page = await visit('/')
    await page.waitForSelector('.u-over')
    const [x, y, width] = await page.evaluate<[number, number, number]>(
      `(({ x, y, width }) => [x, y, width])(document.querySelector('.u-over').getBoundingClientRect())`,
    )
    await page.mouse.move(x + width * 0.25, y + 40)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.5, y + 40, { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => parameters(page).has('since')).toBe(true)
    const [since, until] = ['since', 'until'].map((name) => Number(parameters(page).get(name)))
    expect(((until ?? 0) - (since ?? 0)) / 86_400_000).toBeCloseTo(0.25, 1)
    await page.click('button[aria-label="Back to the last 24 hours"]')
    await expect.poll(() => parameters(page).has('since')).toBe(false)
    await page.waitForTimeout(300)
    await page.mouse.move(x + width * 0.5, y + 40)
    await expect.poll(() => page.isVisible('.tooltip')).toBe(true)
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/runs')
    expect(Number(parameters(page).get('until')) - Number(parameters(page).get('since'))).toBe(900_000)
    await page.close()
  })

  it.each([
    ['table[aria-label="Rules that fail most"] tbody tr:first-child a', ['code', 'validator']],
    ['table[aria-label="Models"] tbody tr:first-child a', ['model']],
    ['table[aria-label="Contracts"] tbody tr:first-child a', ['contract']],
    ['table[aria-label="Keys"] tbody tr:first-child a', ['key']],
    ['.legend a:text("Failed")', ['status']],
  ])('%s leads to its runs', async (link, names) => {
    const page = await visit('/?range=6h')
    await page.click(link)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/runs')
    expect([...parameters(page).keys()]).toEqual(['range', ...names])
    await expect.poll(() => page.evaluate(`document.querySelectorAll('.list-row').length > 0`)).toBe(true)
    await page.close()
  })

  it('keeps filters in the address and sends them', async () => {
    const page = await visit('/?model=gpt-5-mini&range=7d')
    await page.waitForSelector('.chip')
    expect(await page.textContent('.chip')).toContain('gpt-5-mini')
    expect(fake.asked.at(-1) ?? '').toMatch(/^(?:overview\?model=gpt-5-mini&|gateway)/)
    await page.click('.chip-close')
    await expect.poll(() => page.url()).toBe(`${fake.url}/?range=7d`)
    await page.close()
  })

  it('says what will appear, with the command that makes it', async () => {
    fake.runs = []
    const page = await visit('/')
    await page.waitForSelector('.empty')
    expect(await page.textContent('.empty pre')).toContain(`curl ${fake.url}/v1/chat/completions`)
    expect(await page.textContent('.empty pre')).toContain('"model":"gpt-5-mini"')
    await page.close()
  })

  it('says what failed, and tries again', async () => {
    fake.failure = new HttpError(503, 'The store is not available.')
    const page = await visit('/')
    await page.waitForSelector('.failure')
    expect(await page.textContent('.failure')).toContain('The store is not available.')
    fake.failure = undefined
    await page.click('text=Try again')
    await page.waitForSelector('.tiles')
    await page.close()
  })

  it('asks nothing for operators with the key of a client', async () => {
    fake.me = seedMe({ role: 'client', key: 'checkout' })
    fake.asked.length = 0
    const page = await visit('/')
    await page.waitForSelector('.tiles')
    expect(fake.asked.filter((path) => path.startsWith('gateway'))).toEqual([])
    expect(await page.isVisible('section[aria-label="Keys"]')).toBe(false)
    await page.close()
  })

  it('is fine at every width, light and dark', () => inspectViews(browser as TestBrowser, `${fake.url}/`, '.u-over'))
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, type TestBrowser } from '../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../testing/fake-api.ts'
import { pageRoutes, seedPages } from '../testing/page-routes.ts'
import { type PrefixProxy, startPrefixProxy } from '../testing/prefix-proxy.ts'
import { seedNow, seedRuns } from '../testing/seed.ts'
import { seedRun } from '../testing/seed-run.ts'

const browser: TestBrowser | undefined = await launchBrowser()

describe.runIf(browser !== undefined)('below the path of a proxy', () => {
  const runs = seedRuns(30)
  let fake: FakeDashboard
  let proxy: PrefixProxy
  beforeAll(async () => {
    fake = await startFakeDashboard({ runs }, { routes: pageRoutes(seedPages({ run: (id) => seedRun(id) })).routes })
    proxy = await startPrefixProxy(fake.url, '/tools/stickler')
  })
  afterAll(async () => {
    await browser?.close()
    await proxy?.close()
    await fake?.close()
  })

  it('loads, asks, listens and leads nowhere else', async () => {
    const { page, complaints, asked } = await openWatched(browser as TestBrowser, `${proxy.url}/`)
    await page.waitForSelector('.u-over')
    for (const room of ['Runs', 'Sessions', 'Contracts', 'Evaluations', 'Upstreams', 'Keys', 'Overview']) {
      await page.click(`nav a:text-is("${room}")`)
      await expect.poll(() => page.textContent('h1')).toBe(room)
      expect(page.url()).toBe(`${proxy.url}/${room === 'Overview' ? '' : room.toLowerCase()}`)
      expect(await page.isVisible('.failure')).toBe(false)
    }
    await page.goto(`${proxy.url}/runs`)
    await page.waitForSelector('.list-row')
    await expect.poll(() => page.textContent('.live')).toBe('Live')
    const [first] = seedRuns(1)
    if (first !== undefined) fake.add({ ...first, id: 'run_live', at: seedNow, answer: 'Came by itself' })
    await expect.poll(() => page.textContent('.list-row')).toContain('Came by itself')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.run-panel .answer')
    await page.click('.run-panel a:text-is("Open")')
    await expect.poll(() => page.url()).toMatch(/\/tools\/stickler\/runs\/run_\w+$/)
    await page.reload()
    await page.waitForSelector('.answer')
    await page.click('.panel >> text=curl')
    expect(await page.textContent('section[aria-label="The run as curl"] pre')).toContain(`curl ${proxy.url}/v1/chat/completions`)
    await page.goBack()
    await expect.poll(() => page.textContent('h1')).toBe('Runs')
    expect(await page.evaluate(`[...document.querySelectorAll('a')].every((one) => one.href.startsWith('${proxy.url}/'))`)).toBe(true)
    expect([complaints, proxy.strays, asked.filter((url) => !url.startsWith(`${proxy.url}/`))]).toEqual([[], [], []])
    await page.close()
  })
})

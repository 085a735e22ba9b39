import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, seriousFindings, type TestBrowser } from '../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../testing/fake-api.ts'
import { seedMe, seedRuns } from '../testing/seed.ts'

const browser: TestBrowser | undefined = await launchBrowser()
const rooms = ['Overview', 'Runs', 'Sessions', 'Contracts', 'Evaluations', 'Upstreams', 'Keys']

describe.runIf(browser !== undefined)('the shell in Chromium', () => {
  let open: FakeDashboard
  let closed: FakeDashboard
  beforeAll(async () => {
    open = await startFakeDashboard({ runs: seedRuns(200) })
    closed = await startFakeDashboard({ me: seedMe({ role: 'operator', key: 'alice' }) }, { operatorKeys: 'alice:secret-key-1' })
  })
  afterAll(async () => {
    await browser?.close()
    await open?.close()
    await closed?.close()
  })
  const visit = (url: string, options: object = {}) => {
    if (browser === undefined) throw new Error('no browser')
    return openWatched(browser, url, options)
  }

  it('leads to every page, in both directions, and complains about nothing', async () => {
    const { page, asked, complaints } = await visit(`${open.url}/`)
    for (const room of rooms) {
      await page.click(`nav a:text-is("${room}")`)
      await expect.poll(() => page.textContent('h1')).toBe(room)
      expect(await page.textContent('nav a[aria-current="page"]')).toBe(room)
    }
    await page.goBack()
    await expect.poll(() => page.textContent('h1')).toBe('Upstreams')
    await page.reload()
    await expect.poll(() => page.textContent('h1')).toBe('Upstreams')
    await page.goto(`${open.url}/runs/a/b`)
    expect(asked.filter((url) => !url.startsWith(open.url))).toEqual([])
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([])
    await page.close()
  })

  it('asks for a key, keeps it for this tab only, and forgets it', async () => {
    const { page } = await visit(`${closed.url}/runs?status=failed`)
    await page.waitForSelector('#key')
    expect(await seriousFindings(page)).toEqual([])
    await page.fill('#key', 'wrong-key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#key-note[role="alert"]')
    await page.fill('#key', 'secret-key-1')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.textContent('h1')).toBe('Runs')
    expect(await page.evaluate(`[sessionStorage.getItem('stickler.key'), localStorage.length, document.cookie]`)).toEqual([
      'secret-key-1',
      0,
      '',
    ])
    expect(page.url()).toBe(`${closed.url}/runs?status=failed`)
    await page.click('text=Sign out')
    await page.waitForSelector('#key')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.close()
  })

  it('is light or dark, as the system says or the reader chooses', async () => {
    const { page } = await visit(`${open.url}/keys`, { colorScheme: 'dark' })
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    await page.waitForSelector('.rail-foot')
    expect(await theme()).toBe('dark')
    await page.click('button[aria-label="Light"]')
    expect(await theme()).toBe('light')
    await page.reload()
    await page.waitForSelector('.rail-foot')
    expect(await theme()).toBe('light')
    await page.click('button[aria-label="As the system"]')
    expect(await theme()).toBe('dark')
    await page.close()
  })

  it('has keys for everything, and Escape closes only what is on top', async () => {
    const { page, complaints } = await visit(`${open.url}/`)
    await page.waitForSelector('nav')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await expect.poll(() => page.textContent('h1')).toBe('Runs')
    await page.waitForSelector('.list-row')
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
    await page.waitForSelector('.run-panel-head')
    const shown = () => new URL(page.url()).searchParams.get('run')
    const first = shown()
    await page.keyboard.press(']')
    await expect.poll(shown).not.toBe(first)
    await page.keyboard.press('[')
    await expect.poll(shown).toBe(first)
    await page.focus('.run-panel')
    const focused = () => page.evaluate<string>('document.activeElement.className')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    expect(await page.textContent('dialog')).toContain('Filter')
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.isVisible('dialog')).toBe(false)
    expect([await page.isVisible('.run-panel'), shown(), await focused()]).toEqual([true, first, 'run-panel'])
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(`document.activeElement.closest('.menu') !== null`)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.isVisible('.menu')).toBe(false)
    expect([await page.isVisible('.run-panel'), await page.evaluate('document.activeElement.textContent')]).toEqual([true, 'Filter'])
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.run-panel')).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.isVisible('.run-panel')).toBe(false)
    expect(await focused()).toContain('list')
    await page.focus('button:has-text("Export")')
    await page.keyboard.press('Enter')
    expect(await page.isVisible('.run-panel')).toBe(false)
    // The fake gateway lists runs that it does not have.
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([])
    await page.close()
  })

  it('says that a page is for operators', async () => {
    open.me = seedMe({ role: 'client', key: 'checkout' })
    const { page } = await visit(`${open.url}/keys`)
    await page.waitForSelector('.empty')
    expect(await page.textContent('.empty')).toContain('needs the key of an operator')
    expect(await page.textContent('nav')).not.toContain('Upstreams')
    open.me = seedMe()
    await page.close()
  })
})

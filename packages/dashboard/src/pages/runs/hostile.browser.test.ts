import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openWatched, type TestBrowser } from '../../testing/browser.ts'
import { type FakeDashboard, startFakeDashboard } from '../../testing/fake-api.ts'
import { hostileRow, hostileText } from '../../testing/hostile.ts'
import { seedGateway, seedMe, seedNow, seedRuns } from '../../testing/seed.ts'

const browser = await launchBrowser()

describe.runIf(browser !== undefined)('what clients and models say', () => {
  const called: string[] = []
  const canary = createServer((request, response) => {
    called.push(request.url ?? '')
    response.end()
  })
  let fake: FakeDashboard
  let text = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    text = hostileText(`http://127.0.0.1:${(canary.address() as AddressInfo).port}`)
    const gateway = seedGateway()
    fake = await startFakeDashboard({
      runs: seedRuns(30, 86_400_000, (run, at) => hostileRow(run, `${text}${at}`, text)),
      me: seedMe({ key: text, version: text, models: [text], contracts: [text], upstreams: [text], keys: [text], apis: [text] }),
      gateway: {
        ...gateway,
        upstreams: gateway.upstreams.map((one) => ({ ...one, name: text, kind: text, models: [text] })),
        keys: gateway.keys.map((key) => ({ ...key, name: text, budgets: key.budgets.map((budget) => ({ ...budget, period: text })) })),
        store: { [text]: text },
        parser: { kind: text, state: text },
      },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await fake?.close()
    canary.close()
  })

  it('the trap works', async () => {
    await fetch(`http://127.0.0.1:${(canary.address() as AddressInfo).port}/itself`)
    expect(called.splice(0)).toEqual(['/itself'])
  })

  it.each([
    ['/', 'table[aria-label="Models"]', 390],
    ['/', 'table[aria-label="Models"]', 1280],
    ['/runs?cols=status,time,model,contract,question,answer,codes,key,session,classes,reason,label,id', '.list-row', 390],
    ['/runs?cols=status,time,model,contract,question,answer,codes,key,session,classes,reason,label,id', '.list-row', 1920],
  ])('is only text on %s', async (path, ready, width) => {
    const { page, asked, complaints } = await openWatched(browser as TestBrowser, `${fake.url}${path}`, {
      viewport: { width, height: 900 },
    })
    await page.waitForSelector(ready)
    const [run] = seedRuns(1)
    if (run !== undefined) fake.add({ ...hostileRow(run, `live-${path}-${width}`, text), at: seedNow })
    await page.click('button:has-text("Filter")')
    await page.click('.menu-entry:text-is("Model")')
    await page.click('.menu-entry >> nth=0')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.chip')
    await page.waitForTimeout(300)
    // It was shown, to the letter, with invisible characters made visible.
    const shown = (await page.textContent('body')) ?? ''
    expect(shown).toContain('<script>window.hit')
    expect(shown).toContain('\\u202egnp.exe\\u2066\\u0000\\u001b[31m\\u007f')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(shown).not.toMatch(/[\u202e\u2066\u0000\u001b\u007f]/)
    // And was nothing but text.
    expect(await page.evaluate(`'hit' in window`)).toBe(false)
    expect(await page.evaluate(`document.querySelectorAll('img, iframe, object, embed, #app script, svg svg').length`)).toBe(0)
    const links = `[...document.querySelectorAll('a')].filter((one) => one.origin !== location.origin).length`
    expect(await page.evaluate(links)).toBe(0)
    const handlers = `[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on'))`
    expect(await page.evaluate(handlers)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false)
    expect([called, complaints, asked.filter((url) => !url.startsWith(`${fake.url}/`))]).toEqual([[], [], []])
    await page.close()
  })
})

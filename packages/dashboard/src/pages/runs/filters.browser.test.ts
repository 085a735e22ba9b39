import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answering } from '../../../../gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../../../gateway/src/testing/test-gateway.ts'
import type { Page, RunRow } from '../../api/types.ts'
import { launchBrowser, openWatched, type TestBrowser, type TestPage } from '../../testing/browser.ts'
import { startFakeDashboard } from '../../testing/fake-api.ts'
import { pageRoutes, seedPages } from '../../testing/page-routes.ts'
import { seedRuns } from '../../testing/seed.ts'
import { seedSession, seedSessions } from '../../testing/seed-pages.ts'

const browser: TestBrowser | undefined = await launchBrowser()

const yaml = `
upstreams:
  - { name: one, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: two, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 0 }
  marked: { checks: [step_marker], allow: [lossless] }
routes:
  - { model: small, upstream: one, contract: brief }
  - { model: large, upstream: two, contract: marked }
`

/** Names that a client may give, and others that an address must not take apart either. */
const given = ['a/b', 'a:b@c', 'x/y/z-1.2', '..']
const odd = ['100%', 'what?', 'x#y', 'é \u{1f600}', 'a b&c=d', '%2F', 'a+b']

describe.runIf(browser !== undefined)('filters of a real gateway in Chromium', () => {
  let gateway: TestGateway
  const ask = async (model: string, text: string, session?: string, path = 'chat/completions'): Promise<void> => {
    gateway.upstream.enqueue(answering(text))
    const messages = [{ role: 'user', content: 'Go on.' }]
    const headers = session === undefined ? {} : { 'x-stickler-session': session }
    await (
      await gateway.post(`/v1/${path}`, path === 'messages' ? { model, messages, max_tokens: 9 } : { model, messages }, headers)
    ).text()
  }
  beforeAll(async () => {
    gateway = await startTestGateway({ yaml })
    await ask('small', 'Right.', 'short')
    await ask('small', 'Far too many words.', 'short', 'messages')
    await ask('large', 'No marker.', 'long')
    for (const name of given) await ask('small', 'Right.', name)
    for (let count = 0; count < 7; ) {
      count = ((await (await gateway.get('/api/v1/runs')).json()) as Page<RunRow>).items.length
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })
  const visit = (path: string) => openWatched(browser as TestBrowser, `${gateway.url}${path}`)
  const rows = (page: TestPage, selector = '.list-row') => page.evaluate<number>(`document.querySelectorAll('${selector}').length`)

  it.each([
    ['Status', 'status', 'unresolved', 1],
    ['Contract', 'contract', 'marked', 1],
    ['Model', 'model', 'large', 1],
    ['Upstream', 'upstream', 'two', 1],
    ['Session', 'session', 'short', 2],
    ['API', 'api', 'messages', 1],
    ['Validator', 'validator', 'max_words', 1],
    ['Code', 'code', 'MISSING_STEP_MARKER', 1],
    ['Repair class', 'class', 'lossless', 1],
  ])('%s is chosen in the menu, is in the address, and is what the API is asked for', async (title, name, value, count) => {
    const { page, asked, complaints } = await visit('/runs')
    await expect.poll(() => rows(page)).toBe(7)
    await page.keyboard.press('f')
    await page.click(`.menu-entry:text-is("${title}")`)
    await page.fill('.menu-field', value)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get(name)).toBe(value)
    await expect.poll(() => rows(page)).toBe(count)
    expect(asked.some((url) => url.includes('/api/v1/runs?') && new URL(url).searchParams.get(name) === value)).toBe(true)
    await page.reload()
    await expect.poll(() => rows(page)).toBe(count)
    await page.click('.chip-close')
    await expect.poll(() => rows(page)).toBe(7)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('sessions are filtered by what one of their runs has', async () => {
    const { page } = await visit('/sessions')
    const sessions = () => rows(page, 'table[aria-label="Sessions"] tbody tr')
    await expect.poll(sessions).toBe(6)
    await page.goto(`${gateway.url}/sessions?status=unresolved`)
    await expect.poll(sessions).toBe(1)
    expect(await page.textContent('tbody')).toContain('short')
    await page.goto(`${gateway.url}/sessions?contract=marked&model=small`)
    await page.waitForSelector('.empty')
    expect(await page.textContent('.empty')).toContain('No session matches')
    await page.close()
  })

  it('sessions with odd names are opened from the list, by their address, and as a filter', async () => {
    const runs = odd.flatMap((session) => seedRuns(1).map((run) => ({ ...run, id: `run_${session}`, session })))
    const [seed] = seedSessions()
    if (seed === undefined) throw new Error('the seed has a session')
    const sessions = odd.map((session) => seedSession({ ...seed, session }, runs))
    const fake = await startFakeDashboard({ runs }, { routes: pageRoutes(seedPages({ sessions })).routes })
    try {
      for (const [url, name] of [...given.map((one) => [gateway.url, one] as const), ...odd.map((one) => [fake.url, one] as const)]) {
        const { page, complaints } = await openWatched(browser as TestBrowser, `${url}/sessions`)
        await page.waitForSelector('tbody a')
        await page.evaluate(`[...document.querySelectorAll('tbody a')].find((one) => one.textContent === ${JSON.stringify(name)}).click()`)
        await expect.poll(() => page.textContent('h1')).toBe(name)
        await page.reload()
        await page.waitForSelector('.steps, .panel-empty')
        await page.click('a:text-is("Its runs")')
        await expect.poll(() => rows(page)).toBe(1)
        expect([name, new URL(page.url()).searchParams.get('session'), complaints]).toEqual([name, name, []])
        await page.close()
      }
    } finally {
      await fake.close()
    }
  })
})

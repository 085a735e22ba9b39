import { expect } from 'vitest'
import { openWatched, seriousFindings, type TestBrowser } from './browser.ts'

const widths = [390, 1024, 1920]

/** Opens an address at three widths in both themes: it complains about nothing, axe-core finds nothing serious, and nothing sticks out. */
export async function inspectViews(browser: TestBrowser, url: string, ready: string): Promise<void> {
  const origin = new URL(url).origin
  for (const width of widths) {
    for (const colorScheme of ['light', 'dark']) {
      const { page, asked, complaints } = await openWatched(browser, url, { viewport: { width, height: 900 }, colorScheme })
      await page.waitForSelector(ready)
      const view = `${width} px, ${colorScheme}`
      const sticksOut = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      expect([view, sticksOut, await seriousFindings(page), complaints]).toEqual([view, false, [], []])
      expect(asked.filter((address) => !address.startsWith(`${origin}/`))).toEqual([])
      await page.close()
    }
  }
}

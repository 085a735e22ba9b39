import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { folderWith, runCli } from '../../testing/run-cli.ts'

/** The part of playwright-core that is used here. */
interface Page {
  goto(url: string): Promise<unknown>
  on(event: string, listener: (told: { url(): string; text(): string; message: string }) => void): void
  evaluate<Value>(source: string): Promise<Value>
  fill(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  selectOption(selector: string, value: string): Promise<unknown>
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>
  textContent(selector: string): Promise<string | null>
}
interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}
interface Launcher {
  readonly chromium: { launch(options: object): Promise<Browser> }
}
interface Binary {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> }
}

// By name, so that the suite runs where no browser is installed.
const optional = <Module>(name: string): Promise<Module | undefined> => import(/* @vite-ignore */ name).catch(() => undefined)
const launcher = await optional<Launcher>('playwright-core')
const binary = await optional<Binary>('@sparticuz/chromium')

const hostile = `</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2"><!--\u2028"'&amp;\${1}`
const config = 'contracts:\n  a: { checks: [{ max_words: { limit: 3 } }] }\n  b: { checks: [{ max_words: { limit: 2 } }] }\n'

async function report(count: number): Promise<{ readonly cwd: string; readonly html: string }> {
  const line = (at: number) => ({
    id: `${at} ${at % 10 === 0 ? hostile : ''}`,
    text: `${hostile} ${'word '.repeat(at % 5)}`,
    model: hostile,
  })
  const lines = Array.from({ length: count }, (_, at) => `${JSON.stringify(line(at))}\n`).join('')
  const cwd = await folderWith({ 'stickler.yaml': config, 'a.jsonl': lines })
  const { stdout, stderr } = await runCli(
    ['eval', 'a.jsonl', '--contract', 'b', '--against', 'a', '--texts', '--no-cache', '--format', 'html', '--name', hostile],
    { cwd },
  )
  expect(stderr).toBe('')
  return { cwd, html: stdout }
}

it('allows only its own script and style, by their hashes, and loads nothing', async () => {
  const { html } = await report(20)
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
  expect(policy).toMatch(/^default-src 'none'; /)
  const hashes = [...html.matchAll(/<(?:script|style)>([\s\S]*?)<\/(?:script|style)>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  expect(hashes).toHaveLength(2)
  for (const hash of hashes) expect(policy).toContain(hash)
  expect(html).not.toMatch(/\b(?:src|href|action)=["']?(?:https?:)?\/\//)
  expect(html.match(/<script/g)).toHaveLength(2)
  expect(html).not.toContain('<img')
})

/** A report in Chromium, and what the page complains of or asks for. */
async function opened({ cwd, html }: { readonly cwd: string; readonly html: string }) {
  const file = join(cwd, 'report.html')
  await writeFile(file, html)
  const executablePath = await binary?.default.executablePath()
  const browser = await launcher?.chromium.launch({
    executablePath,
    args: binary?.default.args.filter((arg) => arg !== '--single-process'),
    headless: true,
  })
  onTestFinished(async () => browser?.close())
  const page = await browser?.newPage()
  if (page === undefined) throw new Error('no browser')
  const told: string[] = []
  page.on('console', (message) => void told.push(message.text()))
  page.on('pageerror', ({ message }) => void told.push(message))
  page.on('request', (request) => void (request.url().startsWith('file:') || told.push(request.url())))
  await page.goto(pathToFileURL(file).href)
  return { page, told }
}

it.skipIf(launcher === undefined || binary === undefined)('is as wide as a phone, and only its tables scroll aside', async () => {
  const { page, told } = await opened(await report(20))
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 390, height: 800 })
  const cut = "[...document.querySelectorAll('.row > .unresolved')].filter((cell) => cell.scrollWidth > cell.clientWidth).length"
  expect(await page.evaluate<number>(cut)).toBe(0)
  // Every column has room for a word, and the bars do not touch what is above them.
  const narrowest = "Math.min(...[...document.querySelectorAll('td, th, .head > span')].map((cell) => cell.getBoundingClientRect().width))"
  expect(await page.evaluate<number>(narrowest)).toBeGreaterThanOrEqual(50)
  const above =
    "(() => { const bars = document.querySelector('svg'); return bars.getBoundingClientRect().top - bars.previousElementSibling.getBoundingClientRect().bottom })()"
  expect(await page.evaluate<number>(above)).toBeGreaterThanOrEqual(12)
  expect(told).toEqual([])
})

it.skipIf(launcher === undefined || binary === undefined)('draws few of 10 000 rows, and hostile texts stay texts', async () => {
  const { page, told } = await opened(await report(10_000))
  expect(await page.textContent('#shown')).toBe('10000 of 10000')
  // Only what is visible is there.
  expect(await page.evaluate<number>("document.querySelectorAll('#space .row').length")).toBeLessThan(60)
  await page.evaluate("document.getElementById('rows').scrollTop = 1e9")
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await page.textContent('#space .row:last-child')).toContain('9999')
  await page.fill('[name=text]', 'max_words')
  expect(await page.evaluate<number>("document.querySelectorAll('#space .row').length")).toBeLessThan(60)
  await page.fill('[name=text]', '')
  await page.selectOption('[name=status]', 'unresolved')
  await page.click('#space .row')
  expect(await page.textContent('#detail')).toContain('</script><script>window.hit = 1</script>')
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(await page.evaluate<number>("document.querySelectorAll('img').length")).toBe(0)
  expect(told).toEqual([])
})

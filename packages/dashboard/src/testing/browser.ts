import { createRequire } from 'node:module'

/** The part of playwright-core's page that tests use. */
export interface TestPage {
  goto(url: string): Promise<unknown>
  on(event: string, listener: (told: { url(): string; text(): string; message: string }) => void): void
  evaluate<Value>(source: string): Promise<Value>
  addInitScript(source: string): Promise<void>
  addScriptTag(options: { readonly path: string }): Promise<unknown>
  fill(selector: string, text: string): Promise<void>
  click(selector: string, options?: object): Promise<void>
  focus(selector: string): Promise<void>
  hover(selector: string): Promise<void>
  isVisible(selector: string): Promise<boolean>
  textContent(selector: string): Promise<string | null>
  selectOption(selector: string, value: string): Promise<unknown>
  emulateMedia(options: { readonly colorScheme: string }): Promise<void>
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>
  waitForSelector(selector: string, options?: object): Promise<unknown>
  waitForTimeout(ms: number): Promise<void>
  screenshot(options: object): Promise<Buffer>
  goBack(): Promise<unknown>
  reload(): Promise<unknown>
  url(): string
  readonly mouse: {
    move(x: number, y: number, options?: object): Promise<void>
    down(): Promise<void>
    up(): Promise<void>
    wheel(x: number, y: number): Promise<void>
  }
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  close(): Promise<void>
}

/** A running browser. */
export interface TestBrowser {
  newPage(options?: object): Promise<TestPage>
  close(): Promise<void>
}

interface Launcher {
  readonly chromium: { launch(options: object): Promise<TestBrowser> }
}
interface Binary {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> }
}

// By name, so that the suite runs where no browser is installed.
const optional = <Module>(name: string): Promise<Module | undefined> => import(/* @vite-ignore */ name).catch(() => undefined)

/** Starts Chromium; undefined where it is not installed. */
export async function launchBrowser(): Promise<TestBrowser | undefined> {
  const launcher = await optional<Launcher>('playwright-core')
  const binary = await optional<Binary>('@sparticuz/chromium')
  if (launcher === undefined || binary === undefined) return undefined
  // In a single process no page can be closed without the others.
  const args = binary.default.args.filter((arg) => arg !== '--single-process')
  return launcher.chromium.launch({ executablePath: await binary.default.executablePath(), args, headless: true })
}

/** What a page asked for and complained about. */
export interface Watched {
  readonly page: TestPage
  readonly asked: string[]
  readonly complaints: string[]
}

/** Opens a page and notes its requests, errors and violations of its policy. */
export async function openWatched(browser: TestBrowser, url: string, options: object = {}): Promise<Watched> {
  const asked: string[] = []
  const complaints: string[] = []
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: 'UTC', locale: 'en-GB', ...options })
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (line) => complaints.push(line.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', () => complaints.push('a dialog'))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => console.log(event.violatedDirective))`)
  await page.goto(url)
  return { page, asked, complaints }
}

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe-core finds serious or critical; its script is run by the browser itself, which the page's policy does not concern. */
export async function seriousFindings(page: TestPage): Promise<string[]> {
  const { readFile } = await import('node:fs/promises')
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const found = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)')
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

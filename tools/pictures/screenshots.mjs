// npm run screenshots: starts the demo, waits for its traffic, and saves what a browser shows of the dashboard into docs/pictures.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { chromium as browsers } from 'playwright-core'

const root = fileURLToPath(new URL('../../', import.meta.url))
const largest = 150_000
const size = { width: 1280, height: 800 }
const secondsOfTraffic = Number(process.argv[2] ?? 70)

const folder = mkdtempSync(join(tmpdir(), 'stickler-pictures-'))
const { url, stop } = await startDemo()
const browser = await browsers.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args.filter((arg) => arg !== '--single-process'),
})
try {
  // The demo sends requests for a minute, and sums are made in the background.
  await wait(secondsOfTraffic * 1000)
  const run = await oneRun()
  await save('dashboard-overview', '/?range=15m', 'light', '.u-over')
  await save('dashboard-overview-dark', '/?range=15m', 'dark', '.u-over')
  await save('dashboard-runs', '/runs?range=15m&live=off', 'light', '.list-row')
  await save('dashboard-run', `/runs/${encodeURIComponent(run)}`, 'light', '.panel')
  await save('dashboard-contract', '/contracts/summary?range=15m', 'light', 'textarea[placeholder]', async (page) => {
    await page.fill('textarea[placeholder]', 'The parcel was sent. It was lost. It was found again. It is on its way to the')
    await page.locator('textarea[placeholder]').scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollBy(0, 200))
  })
} finally {
  await browser.close()
  stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startDemo() {
  const args = ['packages/cli/bin/stickler.js', 'serve', '--demo', '--json', '--port', '0', '--store', `sqlite:${join(folder, 'runs.db')}`]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  for await (const piece of child.stdout) {
    said += piece
    if (said.includes('\n')) break
  }
  return { url: JSON.parse(said.split('\n')[0]).url, stop: () => child.kill() }
}

/** A run that was asked again or repaired says the most. */
async function oneRun() {
  const { items } = await get('/api/v1/runs?limit=200')
  return (
    items.find(({ attempts, repairs }) => attempts > 1 && repairs > 0) ??
    items.find(({ status }) => status === 'repaired') ??
    items[0]
  ).id
}

async function get(path) {
  return (await fetch(`${url}${path}`)).json()
}

async function save(name, path, colorScheme, ready, prepare = async () => {}) {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1.5, colorScheme, timezoneId: 'UTC', locale: 'en-GB' })
  await page.goto(`${url}${path}`)
  await page.waitForSelector(ready)
  await prepare(page)
  await page.waitForTimeout(1500)
  const png = await page.screenshot()
  await page.close()
  const picture = await asWebp(png)
  if (picture.length > largest) throw new Error(`${name} has ${picture.length} bytes, more than ${largest}`)
  writeFileSync(join(root, `docs/pictures/${name}.webp`), picture)
  process.stdout.write(`docs/pictures/${name}.webp ${Math.round(picture.length / 1000)} kB\n`)
}

/** The browser writes the smaller format itself. */
async function asWebp(png) {
  const page = await browser.newPage()
  const drawn = await page.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8)
  }, png.toString('base64'))
  await page.close()
  return Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64')
}

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from './support/bundle.ts'
import { optional } from './support/optional.ts'
import { root } from './support/places.ts'
import { run } from './support/program.mjs'
import { requireBuilt } from './support/require-built.ts'

const program = await readFile(join(root, 'e2e/support/program.mjs'), 'utf8')
const expected: unknown = JSON.parse(JSON.stringify(await run()))

let folder = ''
beforeAll(async () => {
  requireBuilt(['core'])
  folder = await mkdtemp(join(tmpdir(), 'stickler-bundles-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the program that runtimes are compared with does what it is meant to', () => {
  expect(expected).toMatchObject({
    streamed: { status: 'repaired', value: { item: 'nail', count: 3 }, attempts: 2 },
    named: { status: 'repaired', attempts: 2 },
    short: { status: 'valid', text: 'just right' },
    fetched: { status: 200, text: expect.stringContaining('just right') },
  })
})

describe('a bundle for browsers holds what is used', () => {
  test.each([
    [55, 'defineContract, enforce', 'maxWords'],
    [110, 'defineContract, enforce', 'json'],
    [64, 'defineContract, enforceStream', 'maxWords'],
    [119, 'defineContract, enforceStream', 'json'],
  ])('%i kB are enough for %s, %s', async (limit, names, validator) => {
    const used = `import { ${names} } from '@stickler/core'\nimport { ${validator} } from '@stickler/core/validators'\nconsole.log(${names}, ${validator})`
    const { code, modules } = await bundle(used, 'browser', true)
    expect(gzipSync(code).length / 1000).toBeLessThan(limit)
    expect(modules.filter((path) => /node_modules\/(?!zod\/)|dist\/catalogue\.js|presets\//.test(path))).toEqual([])
  })
})

test('a program is as small as the guide and the comments in the editor say', async () => {
  const told = /has at most (\d+) kB compressed with `maxWords`, and (\d+) kB with `json`; `contract` .* up to (\d+) kB/
  const [, ...kilobytes] = told.exec(await readFile(join(root, 'docs/guide/contracts.md'), 'utf8')) ?? []
  const declared = await Promise.all(
    ['catalogue', 'contract/define-contract'].map((file) => readFile(join(root, `packages/core/dist/${file}.d.ts`), 'utf8')),
  )
  const programs = [
    ['defineContract, enforce', 'maxWords'],
    ['defineContract, enforce', 'json'],
    ['contract, enforceStream', 'json'],
  ]
  expect(kilobytes).toHaveLength(programs.length)
  for (const [index, [names, validator]] of programs.entries()) {
    const used = `import { ${names} } from '@stickler/core'\nimport { ${validator} } from '@stickler/core/validators'\nconsole.log(${names}, ${validator})`
    expect(gzipSync((await bundle(used, 'browser', true)).code).length / 1000).toBeLessThan(Number(kilobytes[index]))
    expect(declared.join('')).toContain(`${kilobytes[index]} kB`)
  }
})

test('153 kB are enough for a fetch that enforces a contract, until a request has a schema', async () => {
  const used = `import { defineContract } from '@stickler/core'\nimport { enforcedFetch } from '@stickler/core/fetch'\nimport { maxWords } from '@stickler/core/validators'\nconsole.log(defineContract, enforcedFetch, maxWords)`
  const { code, modules } = await bundle(used, 'browser', true, true)
  expect(gzipSync(code).length / 1000).toBeLessThan(153)
  expect(modules.filter((path) => /node_modules\/(?!zod\/)|dist\/catalogue\.js|presets\//.test(path))).toEqual([])
})

describe('a bundle runs', () => {
  test('in Node, as one ESM file', async () => {
    const { code } = await bundle(`${program}\nconsole.log(JSON.stringify(await run()))`, 'node')
    const file = join(folder, 'program.mjs')
    await writeFile(file, code)
    const told = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [file], (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)))
    })
    expect(JSON.parse(told)).toEqual(expected)
  })

  test('in Chromium under a strict policy, with no report but the one of the Zod that the page brings', async ({ skip }) => {
    const launcher = await optional<Launcher>('playwright-core')
    const binary = await optional<Binary>('@sparticuz/chromium')
    if (launcher === undefined || binary === undefined) return skip('no browser is installed')
    const lean = `import { check, defineContract } from '@stickler/core'
      import { json } from '@stickler/core/validators'
      const schema = { type: 'object', properties: { id: { type: 'integer', pattern: '^a' } } }
      globalThis.told = check(defineContract({ checks: [json({ schema })] }), '{"id":1}').then(({ issues }) => issues)`
    const server = await serve({
      '/full.js': (await bundle(`${program}\nglobalThis.told = run()`, 'browser')).code,
      '/lean.js': (await bundle(lean, 'browser')).code,
    })
    const executablePath = await binary.default.executablePath()
    const browser = await launcher.chromium.launch({ args: [...binary.default.args], executablePath, headless: true })
    const visit = async (path: string): Promise<unknown[]> => {
      const page = await browser.newPage()
      await page.addInitScript(
        `globalThis.reports = []; addEventListener('securitypolicyviolation', (event) => reports.push(event.blockedURI))`,
      )
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
      return [await page.evaluate('told'), await page.evaluate('reports')]
    }
    try {
      expect(await visit('/?full')).toEqual([expected, ['eval']])
      expect(await visit('/?lean')).toEqual([[], []])
    } finally {
      await browser.close()
      server.close()
    }
  })
})

/** Serves pages that may run one of these scripts and nothing else. */
async function serve(scripts: Readonly<Record<string, string>>): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'")
    const script = scripts[url]
    if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end(`<!doctype html><script type="module" src="/${url.slice(2)}.js"></script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** The part of playwright-core that is used here. */
interface Launcher {
  readonly chromium: { launch(options: object): Promise<Browser> }
}
interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}
interface Page {
  goto(url: string): Promise<unknown>
  addInitScript(source: string): Promise<void>
  evaluate(source: string): Promise<unknown>
}
interface Binary {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> }
}

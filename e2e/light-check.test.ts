import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

let folder = ''
beforeAll(async () => {
  requireBuilt(['core', 'gateway', 'cli'])
  folder = await mkdtemp(join(tmpdir(), 'stickler-light-'))
  await writeFile(join(folder, 'answer.md'), 'Use spaces.\n')
  await writeFile(
    join(folder, 'stickler.yaml'),
    `upstreams: [{ name: a, kind: openai, baseUrl: 'http://127.0.0.1:1' }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }
routes: [{ model: '*', upstream: a, contract: brief }]
retrieval: {}
`,
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The files of the build and the packages that a command loads, relative to the repository. */
async function loadedBy(...args: readonly string[]): Promise<string[]> {
  const hooks = join(root, 'e2e/support/loaded-modules.mjs')
  const list = join(folder, 'loaded.txt')
  await writeFile(list, '')
  const env = { ...process.env, STICKLER_LOADED: list }
  const argv = ['--import', hooks, join(root, 'packages/cli/bin/stickler.js'), ...args]
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, argv, { cwd: folder, env }, (error, _out, told) => (error ? reject(new Error(told)) : resolve()))
  })
  const urls = (await readFile(list, 'utf8')).split('\n').filter((url) => url.startsWith('file:'))
  return urls.map((url) => decodeURI(url).replace(/^.*?(?=packages\/|node_modules\/)/, ''))
}

test.each([['--version'], ['-V'], ['--help'], ['-h']])('%s loads no other package', async (flag) => {
  const loaded = await loadedBy(flag)
  expect(loaded.filter((file) => !file.startsWith('packages/cli/'))).toEqual([])
  expect(loaded.length).toBeLessThan(15)
})

test('checking a file reads the configuration without loading the gateway', async () => {
  const loaded = await loadedBy('check', 'answer.md')
  const rooms = /^packages\/gateway\/dist\/(?:front|apis|enforcement|admin|observe|upstreams\/(?:transport|resilience)|records\/store)\//
  const libraries = /node_modules\/(?:undici|pino|prom-client|libsql|pg|kysely|@grpc\/[^/]+|@opentelemetry\/[^/]+)\//
  expect(loaded.filter((file) => rooms.test(file) || libraries.test(file))).toEqual([])
  expect(loaded).not.toContain('packages/gateway/dist/index.js')
  expect(loaded).toContain('packages/gateway/dist/config.js')
})

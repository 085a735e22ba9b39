import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

let folder = ''
beforeAll(async () => {
  requireBuilt(['core', 'presets', 'node', 'gateway', 'cli'])
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
const loadedBy = (...args: readonly string[]) => loadedIn(folder, join(root, 'packages/cli/bin/stickler.js'), ...args)

async function loadedIn(cwd: string, ...program: readonly string[]): Promise<string[]> {
  const { loaded, failure } = await traced(cwd, program)
  if (failure !== undefined) throw new Error(failure)
  return loaded
}

/** What a program loads until it ends, well or not. */
async function traced(cwd: string, program: readonly string[], stdin = ''): Promise<{ loaded: string[]; failure: string | undefined }> {
  const hooks = join(root, 'e2e/support/loaded-modules.mjs')
  const list = join(folder, 'loaded.txt')
  const coverage = await mkdtemp(join(folder, 'coverage-'))
  await writeFile(list, '')
  const env = { ...process.env, STICKLER_LOADED: list, NODE_V8_COVERAGE: coverage }
  const argv = ['--import', hooks, ...program]
  const failure = await new Promise<string | undefined>((resolve) => {
    execFile(process.execPath, argv, { cwd, env }, (error, _out, told) => resolve(error ? told : undefined)).stdin?.end(stdin)
  })
  const urls = (await readFile(list, 'utf8')).split('\n').concat(await coveredIn(coverage))
  const loaded = urls
    .filter((url) => /^(?:file|node):/.test(url))
    .map((url) => decodeURI(url).replace(/^.*?(?=packages\/|node_modules\/)/, ''))
  return { loaded: [...new Set(loaded)], failure }
}

/** The files of the library that a program has run, also those that it has required, which hooks of imports do not see. */
async function coveredIn(folder: string): Promise<string[]> {
  type Coverage = { readonly result: readonly { readonly url: string }[] }
  const parts = await Promise.all(
    (await readdir(folder)).map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Coverage),
  )
  return parts.flatMap(({ result }) => result.map(({ url }) => url)).filter((url) => /^file:.*packages\/core\/dist\/node\//.test(url))
}

const files = (loaded: readonly string[]) => loaded.filter((file) => !file.startsWith('node:'))

test.each([['--version'], ['-V'], ['--help'], ['-h']])('%s loads no other package', async (flag) => {
  const loaded = files(await loadedBy(flag))
  expect(loaded.filter((file) => !file.startsWith('packages/cli/'))).toEqual([])
  expect(loaded.length).toBeLessThan(15)
})

test('the library is two files', async () => {
  const loaded = await loadedIn(join(root, 'packages/cli'), '--input-type=module', '-e', `import '@stickler/core'`)
  expect(files(loaded).map((file) => file.replace(/-[^/]*$/, ''))).toEqual([
    'packages/core/dist/node/index.js',
    'packages/core/dist/node/shared/index',
  ])
})

test('V8 keeps the bundles in one byte for each character', async () => {
  const folders = ['packages/core/dist/node', 'packages/node/dist/node', 'packages/cli/dist/node'].map((folder) => join(root, folder))
  const bundled = await Promise.all(
    folders.map(async (folder) => (await readdir(folder, { recursive: true })).map((file) => join(folder, file))),
  )
  const code = bundled.flat().filter((file) => file.endsWith('.js'))
  const wide = await Promise.all(code.map(async (file) => (/[^\0-\x7f]/.test(await readFile(file, 'utf8')) ? [file] : [])))
  expect(code.length).toBeGreaterThan(20)
  expect(wide.flat()).toEqual([])
})

/** What a check may not load: of the presets only their list is needed, which loads a validator when a contract names it. */
const others =
  /^packages\/(?!cli\/|core\/|node\/dist\/node\/(?:files|shared\/files-[^/]*)\.js|presets\/dist\/node\/(?:index|shared\/index-[^/]*)\.js)|node_modules\//

/** The bytes of code in the files that a program loads. */
async function bytesOf(loaded: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files(loaded).map(async (file) => (await stat(join(root, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The modules of validators among the files that were loaded. */
const validatorsIn = (loaded: readonly string[]) =>
  loaded.flatMap((file) => /(?:core\/dist\/node\/late\/validators|presets\/dist\/node\/late\/\w+)\/([^/.]+)/.exec(file)?.[1] ?? []).sort()

test('the library has no validator before a contract names it, and no parser of YAML before one is needed', async () => {
  const loads = (program: string) => loadedIn(join(root, 'packages/cli'), '--input-type=module', '-e', program)
  const library = await loads(`import '@stickler/core'`)
  expect(validatorsIn(library)).toEqual([])
  expect(await bytesOf(library)).toBeLessThan(660_000)
  const listed = await loads(`import { contract } from '@stickler/core'
import { catalogue } from '@stickler/presets'
catalogue.validators.map(({ definition }) => definition.name)
contract({ checks: [{ contains: { any: ['a'] } }] })`)
  expect(validatorsIn(listed)).toEqual(['contains'])
  expect(validatorsIn(await loads(`import { json, maxWords } from '@stickler/core/validators'; maxWords({ limit: 3 })`))).toEqual([
    'max-words',
  ])
})

const event = (name: string) =>
  JSON.stringify({ hook_event_name: name, session_id: 's', tool_name: 'Bash', tool_input: {}, last_assistant_message: 'Use spaces.' })

describe('the hook of the plugin for Claude Code', () => {
  /** What the hook loads for an event in a project with this configuration. */
  async function hookLoads(name: string, yaml?: string): Promise<string[]> {
    const cwd = await mkdtemp(join(tmpdir(), 'stickler-project-'))
    onTestFinished(() => rm(cwd, { recursive: true, force: true }))
    if (yaml !== undefined) await writeFile(join(cwd, 'stickler.yaml'), yaml)
    const { loaded, failure } = await traced(cwd, [join(root, 'packages/cli/bin/stickler.js'), 'hook', '--if-configured'], event(name))
    if (failure !== undefined) throw new Error(failure)
    return loaded
  }

  test('loads nothing where there is no configuration', async () => {
    const loaded = await hookLoads('PreToolUse')
    expect(files(loaded).filter((file) => !file.startsWith('packages/cli/'))).toEqual([])
    expect(await bytesOf(loaded)).toBeLessThan(20_000)
  })

  test.each(['PreToolUse', 'PostToolUse', 'UserPromptSubmit'])(
    'loads a parser of YAML and nothing else where %s has no contract',
    async (name) => {
      const loaded = await hookLoads(name, 'contracts: { Stop: { checks: [{ max_words: { limit: 9 } }] }, brief: { checks: [json] } }\n')
      expect(
        files(loaded).filter((file) => /^(?!packages\/cli\/|packages\/core\/dist\/node\/(?:internal|shared)\/yaml)/.test(file)),
      ).toEqual([])
      expect(await bytesOf(loaded)).toBeLessThan(200_000)
    },
  )

  test.each(['Stop', 'PreToolUse'])('loads the check of %s, and no schema of configurations, option parser or driver', async (name) => {
    const loaded = await hookLoads(name, `contracts: { ${name}: { checks: [{ max_words: { limit: 9 } }] } }\n`)
    expect(validatorsIn(loaded)).toEqual(['max-words'])
    expect(loaded.filter((file) => others.test(file) || /cli\/dist\/node\/shared\/(?:config|program|check)-/.test(file))).toEqual([])
    expect(await bytesOf(loaded)).toBeLessThan(1_050_000)
  })
})

test('checking a file reads the configuration without loading the gateway', async () => {
  const loaded = await loadedBy('check', 'answer.md')
  expect(loaded.filter((file) => others.test(file))).toEqual([])
  // The library exists once.
  expect(loaded.filter((file) => /core\/dist\/(?!node\/)|core\/dist\/node\/shared\/index-/.test(file))).toHaveLength(1)
  expect(files(loaded).length).toBeLessThan(31)
})

test('checks of the command line need no schema of the configuration', async () => {
  const loaded = await loadedBy('check', 'answer.md', '--check', 'max_words={"limit":5}')
  expect(loaded.filter((file) => others.test(file) || /\/(?:config|schemas)-[^/]*$/.test(file))).toEqual([])
  expect(validatorsIn(loaded)).toEqual(['max-words'])
  expect(await bytesOf(loaded)).toBeLessThan(1_050_000)
})

test.each([
  ['in a file', ['--contract', './brief.yaml'], 0],
  ['of the configuration', ['--contract', 'brief'], 1],
])('a contract %s loads the schema of the gateway only if it is there', async (_name, args, count) => {
  await writeFile(join(folder, 'brief.yaml'), 'checks: [{ max_words: { limit: 5 } }]\n')
  const own = files(await loadedBy('check', 'answer.md', ...args)).filter((file) => file.startsWith('packages/cli/'))
  const sources = await Promise.all(own.map((file) => readFile(join(root, file), 'utf8')))
  expect(sources.filter((source) => source.includes('Model providers; the first is the default.'))).toHaveLength(count)
})

test('a check needs nothing for processes, hashes, globs, other reports and calls of models', async () => {
  const needless =
    /^node:(?:child_process|crypto|https?|net|worker_threads)$|\/(?:picomatch|sarif|junit|github|(?:chat-|messages-)?wire|runners|remote|syntax)[-.]/
  const loaded = await loadedBy('check', 'answer.md', '--check', 'max_words={"limit":5}')
  expect(loaded.filter((module) => needless.test(module))).toEqual([])
  expect(await loadedBy('check', '*.md', '--format', 'sarif', '--check', 'max_words={"limit":5}')).toEqual(
    expect.arrayContaining(['node:crypto', expect.stringContaining('/picomatch-'), expect.stringContaining('/sarif-')]),
  )
})

const driver = /^node_modules\/(pg|libsql|@elastic|@opensearch-project)\//

/** The modules of Zod, which are in the bundles, and the parser, which a configuration alone does not need. */
const needless = /^node_modules\/zod\/|^packages\/parser\/dist\/(?:node\/shared\/index-|(?!node\/))/

/** The drivers that a program loads, and what it says where nobody listens. */
async function driversOf(cwd: string, ...program: readonly string[]): Promise<{ drivers: string[]; failure: string | undefined }> {
  const { loaded, failure } = await traced(cwd, program)
  expect(loaded.filter((file) => needless.test(file))).toEqual([])
  return { drivers: [...new Set(loaded.flatMap((file) => driver.exec(file)?.[1] ?? []))].sort(), failure }
}

const refused = expect.stringContaining('ECONNREFUSED')

test.each([
  // Its driver is required, not imported, which is not listed.
  ['index page.md', 'a file', 'index.db', [], undefined],
  ['ask released --demo', 'a file', 'index.db', [], expect.stringContaining('no documents')],
  ['index page.md', 'PostgreSQL', 'postgres://127.0.0.1:1/none', ['pg'], refused],
  ['index page.md', 'Elasticsearch', 'elasticsearch+http://127.0.0.1:2', [], refused],
  ['ask released --demo', 'OpenSearch', 'opensearch+http://127.0.0.1:2', [], refused],
])('stickler %s with an index in %s loads the driver of no other', async (command, _name, index, drivers, failure) => {
  const cwd = await mkdtemp(join(folder, 'index-'))
  await writeFile(join(cwd, 'page.md'), '# Streams\n\nText is released.\n')
  await writeFile(join(cwd, 'stickler.yaml'), `retrieval: { index: '${index}' }\n`)
  expect(await driversOf(cwd, join(root, 'packages/cli/bin/stickler.js'), ...command.split(' '))).toEqual({ drivers, failure })
})

test.each([
  ['a file', 'sqlite:', ['libsql'], undefined],
  // Its journal is on disk and locked by SQLite.
  ['PostgreSQL', 'postgres://127.0.0.1:1/', ['libsql', 'pg'], refused],
])('a gateway with records in %s loads the driver of no other', async (_name, url, drivers, failure) => {
  const yaml = `store: { url: '${url}${join(folder, 'runs.db')}' }
server: { port: 0 }
upstreams: [{ name: a, kind: scripted, answers: [x] }]
routes: [{ model: '*', upstream: a }]
retrieval: {}`
  const program = `import { readGatewayConfig, startGateway } from '@stickler/gateway'
const config = await readGatewayConfig(${JSON.stringify(yaml)}, 'stickler.yaml', { env: {}, cwd: ${JSON.stringify(folder)} })
const { close } = await startGateway({ config, log: process.stdout })
await close(0)`
  expect(await driversOf(join(root, 'packages/cli'), '--input-type=module', '-e', program)).toEqual({ drivers, failure })
})

/** What the bundle of the command has of other packages, by path. */
async function inlined(): Promise<string[]> {
  const record = JSON.parse(await readFile(join(root, 'packages/cli/dist/node/bundle.json'), 'utf8')) as { inside: string[] }
  return record.inside.filter((path) => /^(?!cli\/|\.\.\/)/.test(path))
}

test('what the bundle inlines of other packages may exist twice: it has no state and no error of its own', async () => {
  const paths = await inlined()
  expect(paths).toContain('gateway/dist/config.js')
  expect(paths).not.toContain('gateway/dist/index.js')
  for (const path of paths) {
    const source = await readFile(join(root, 'packages', path), 'utf8')
    expect([path, /^let |^var |new Weak(?:Map|Set)|\bSymbol\(|extends \w*Error\b|extends \w*Unavailable\b/m.exec(source)?.[0]]).toEqual([
      path,
      undefined,
    ])
  }
})

import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Clock, ValidatorUnavailable } from '@stickler/core'
import type { Embedder } from '@stickler/core/validators'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openaiEmbedder } from '../retrieval/embedders/openai-embedder.ts'
import { memoryEngine } from '../retrieval/engines/sqlite/sqlite-engine.ts'
import type { IndexEngine } from '../retrieval/index-engine.ts'
import { type IndexFolderOptions, IndexingStopped, indexFolder } from './index-folder.ts'

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stickler-index-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) await put(folder, name, content)
  return folder
}

async function put(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), content)
}

const run = (root: string, engine: IndexEngine, options: Partial<IndexFolderOptions> = {}) =>
  indexFolder({ root, base: root, engine, ...options })

const paths = async (engine: IndexEngine): Promise<string[]> => [...(await engine.fingerprints('')).keys()].sort()

/** An embedder that says how often it was asked for how many texts. */
function countingEmbedder(fail: (call: number) => Error | undefined = () => undefined, name = 'test') {
  const calls: number[] = []
  const embedder: Embedder = {
    name,
    async embed(texts) {
      calls.push(texts.length)
      const error = fail(calls.length)
      if (error !== undefined) throw error
      return texts.map((text) => Float32Array.of(text.length, 1))
    },
  }
  return { embedder, calls }
}

/** A clock whose waits are over at once. */
const quick: Clock = {
  now: () => 0,
  after: (_, task) => {
    const timer = setImmediate(task)
    return () => clearImmediate(timer)
  },
}

describe('a folder', () => {
  it('is brought up to date: only what changed is written', async () => {
    const engine = memoryEngine()
    const folder = await folderWith({ 'a.md': '# A\none', 'sub/b.txt': 'two', 'c.ts': 'three()' })
    const { embedder, calls } = countingEmbedder()
    expect(await run(folder, engine, { embedder })).toEqual({
      added: ['a.md', 'c.ts', 'sub/b.txt'],
      changed: [],
      removed: [],
      unchanged: 0,
      skipped: [],
      ignored: 0,
      chunks: 3,
    })
    expect(await run(folder, engine, { embedder })).toMatchObject({ added: [], changed: [], unchanged: 3, chunks: 0 })
    await put(folder, 'a.md', '# A\nother')
    await put(folder, 'd.md', 'new')
    await rm(join(folder, 'c.ts'))
    expect(await run(folder, engine, { embedder })).toMatchObject({ added: ['d.md'], changed: ['a.md'], removed: ['c.ts'], unchanged: 1 })
    expect(await paths(engine)).toEqual(['a.md', 'd.md', 'sub/b.txt'])
    expect(calls).toEqual([3, 2])
    expect(await engine.facts()).toMatchObject({ documents: 3, chunks: 3, embedding: { name: 'test', dimensions: 2 } })
  })

  it('touches only what is at or below it, wherever it lies', async () => {
    const engine = memoryEngine()
    const all = await folderWith({
      'x/a.md': 'one',
      'proj/sub/b.md': 'two',
      'proj/deep/docs/c.md': 'three',
      'proj/deep/docs/c/d.md': 'four',
    })
    await symlink(join(all, 'proj'), join(all, 'link'))
    const base = join(all, 'proj/deep')
    const index = async (folder: string) => run(join(all, folder), engine, { base })
    for (const folder of ['x', 'proj/sub', 'proj/deep/docs', 'link/deep/docs/c', 'link', '', 'proj/deep/docs/c.md']) {
      expect(await index(folder)).toMatchObject({ removed: [] })
    }
    expect(await paths(engine)).toEqual(['../../x/a.md', '../sub/b.md', 'docs/c.md', 'docs/c/d.md'])
    await Promise.all(['x/a.md', 'proj/sub', 'proj/deep/docs/c.md'].map((path) => rm(join(all, path), { recursive: true })))
    expect(await index('proj')).toMatchObject({ removed: ['../sub/b.md', 'docs/c.md'], unchanged: 1 })
    // What is gone itself can still be named.
    expect(await index('x/a.md')).toMatchObject({ added: [], removed: ['../../x/a.md'] })
    await expect(index('x/a.md')).rejects.toThrow(/ENOENT/)
    expect(await paths(engine)).toEqual(['docs/c/d.md'])
  })

  it('has one path for each file, and loses none of another folder: random trees, folders, links and deletions', async () => {
    const names = fc.constantFrom('a', 'b', 'c..', 'a b')
    const folders = fc.array(names, { maxLength: 3 }).map((parts) => parts.join('/'))
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.record({ what: fc.constant('index' as const), at: folders, byLink: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('put' as const), at: folders, byLink: fc.constant(false) }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('drop' as const), at: folders, byLink: fc.constant(false) }) },
    )
    await fc.assert(
      fc.asyncProperty(folders, fc.array(folders, { maxLength: 5 }), fc.array(step, { maxLength: 12 }), async (baseAt, files, steps) => {
        const all = await folderWith({})
        await mkdir(join(all, 'tree', baseAt), { recursive: true })
        await symlink(join(all, 'tree'), join(all, 'link'))
        const [base, engine] = [join(all, 'tree', baseAt), memoryEngine()]
        const [onDisk, inIndex] = [new Set<string>(), new Set<string>()]
        const within = (file: string, folder: string): boolean => !`${relative(folder, file)}/`.startsWith('../')
        for (const { what, at, byLink } of [...files.map((at) => ({ what: 'put', at, byLink: false })), ...steps]) {
          const real = join(all, 'tree', at)
          const file = join(real, 'file.md')
          if (what === 'put') {
            await put(real, 'file.md', at)
            onDisk.add(file)
          } else if (what === 'drop') {
            await rm(file, { force: true })
            onDisk.delete(file)
          } else {
            const root = join(all, byLink ? 'link' : 'tree', at)
            for (const one of inIndex) if (within(one, real)) inIndex.delete(one)
            for (const one of onDisk) if (within(one, real)) inIndex.add(one)
            await run(root, engine, { base }).catch(() => undefined)
          }
          expect(await paths(engine)).toEqual([...inIndex].map((one) => relative(base, one)).sort())
        }
      }),
      { numRuns: 25 },
    )
  })

  it('with another embedder everything is embedded anew', async () => {
    const engine = memoryEngine()
    const folder = await folderWith({ 'a.md': 'one' })
    await run(folder, engine, { embedder: countingEmbedder().embedder })
    const other = countingEmbedder(undefined, 'other').embedder
    expect(await run(folder, engine, { embedder: other })).toMatchObject({ changed: ['a.md'] })
    expect((await engine.facts()).embedding?.name).toBe('other')
  })

  it('a dry run writes and embeds nothing', async () => {
    const engine = memoryEngine()
    const folder = await folderWith({ 'a.md': 'one' })
    await run(folder, engine)
    await put(folder, 'a.md', 'two')
    await put(folder, 'b.md', 'three')
    const { embedder, calls } = countingEmbedder()
    expect(await run(folder, engine, { embedder, dryRun: true })).toMatchObject({ added: ['b.md'], changed: ['a.md'], chunks: 2 })
    expect([await paths(engine), calls]).toEqual([['a.md'], []])
  })

  it('that is empty, and one that is not there', async () => {
    const engine = memoryEngine()
    const folder = await folderWith({})
    expect(await run(folder, engine)).toMatchObject({ added: [], chunks: 0 })
    await expect(run(join(folder, 'no'), engine)).rejects.toThrow(/ENOENT/)
  })
})

it('leaves out what is not text of the folder, says why, and forgets what it was before', async () => {
  const engine = memoryEngine()
  const outside = await folderWith({ 'secret.md': 'secret', 'deep/secret.md': 'secret' })
  const folder = await folderWith({
    'good.md': '\ufeff# Good\n',
    'binary.md': new Uint8Array([80, 75, 3, 4, 0, 0, 1]),
    'late.md': `${'text '.repeat(2000)}\0`,
    'latin.txt': new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]),
    'cut.txt': new Uint8Array([0x61, 0xe2, 0x82]),
    'drawing.SVG': '<svg/>',
    'paper.pdf': '%PDF-1.4 all letters',
    'wide.txt': new Uint8Array([0xff, 0xfe, 0x61, 0x00]),
    'wide-too.txt': new Uint8Array([0xfe, 0xff, 0x00, 0x61]),
    'large.txt': 'x',
    'turned.md': 'was a text',
    'locked/a.md': 'one',
    'package-lock.json': '{}',
    '.env': 'KEY=1',
    '.git/config': 'x',
    'node_modules/a/README.md': 'x',
    'dist/a.js': 'x',
    'server.key': 'x',
  })
  await run(folder, engine)
  expect(await paths(engine)).toEqual(['good.md', 'large.txt', 'locked/a.md', 'turned.md'])
  await truncate(join(folder, 'large.txt'), 3 * 1024 * 1024)
  await put(folder, 'turned.md', new Uint8Array([0]))
  await symlink(join(outside, 'secret.md'), join(folder, 'link.md'))
  await symlink(outside, join(folder, 'linked'))
  await symlink(folder, join(folder, 'loop'))
  await symlink('good.md', join(folder, 'inside.md'))
  execFileSync('mkfifo', [join(folder, 'pipe.md')])
  await chmod(join(folder, 'locked'), 0)
  onTestFinished(() => chmod(join(folder, 'locked'), 0o755))
  const { skipped, ignored } = await run(folder, engine)
  const link = 'it is a symbolic link, and links are not followed'
  // A superuser may read everything.
  const locked = process.getuid?.() === 0 ? [] : [{ path: 'locked', reason: 'permission denied' }]
  expect(skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'binary.md', reason: 'it is a binary file' },
    { path: 'cut.txt', reason: 'it is not UTF-8' },
    { path: 'drawing.SVG', reason: 'it is a picture, not text' },
    { path: 'inside.md', reason: link },
    { path: 'large.txt', reason: 'it is larger than 2097152 bytes' },
    { path: 'late.md', reason: 'it is a binary file' },
    { path: 'latin.txt', reason: 'it is not UTF-8' },
    { path: 'link.md', reason: link },
    { path: 'linked', reason: link },
    ...locked,
    { path: 'loop', reason: link },
    { path: 'paper.pdf', reason: 'it is a PDF file, not text' },
    { path: 'pipe.md', reason: 'it is a named pipe, not a regular file' },
    { path: 'turned.md', reason: 'it is a binary file' },
    { path: 'wide-too.txt', reason: 'it is UTF-16, not UTF-8' },
    { path: 'wide.txt', reason: 'it is UTF-16, not UTF-8' },
  ])
  expect(ignored).toBe(6)
  expect(await paths(engine)).toEqual(locked.length === 0 ? ['good.md', 'locked/a.md'] : ['good.md'])
  expect((await engine.searchText(['secret'], 5)).length).toBe(0)
})

it.runIf(process.platform === 'linux')('a file whose name is not UTF-8 is left out, and the reason is its name', async () => {
  const folder = await folderWith({ 'a.md': 'one' })
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x47, 0xfc]), Buffer.from('.md')]), 'text')
  const { added, skipped } = await run(folder, memoryEngine())
  expect([added, skipped]).toEqual([['a.md'], [{ path: 'G\ufffd.md', reason: 'its name is not UTF-8' }]])
})

it('a file that vanishes or turns into a link between listing and reading is left out', async () => {
  const engine = memoryEngine()
  const outside = await folderWith({ 'b.md': 'secret' })
  const folder = await folderWith({ 'a.md': 'one', 'sub/b.md': 'two', 'z.md': 'three' })
  const report = await run(folder, engine, {
    onProgress({ files }) {
      if (files !== 0) return
      execFileSync('rm', ['-r', join(folder, 'sub'), join(folder, 'z.md')])
      execFileSync('ln', ['-s', outside, join(folder, 'sub')])
    },
  })
  expect(report).toMatchObject({
    added: ['a.md'],
    skipped: [
      { path: 'sub/b.md', reason: 'it is a symbolic link, and links are not followed' },
      { path: 'z.md', reason: 'it is gone' },
    ],
  })
})

describe('embeddings that fail', () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}.md`, `text ${index}`]))

  const answering = (statuses: readonly number[]) => {
    const waits: number[] = []
    const clock: Clock = {
      ...quick,
      after: (ms, task) => {
        // Time limits are longer than pauses, and none is reached here.
        if (ms < 10_000) waits.push(ms)
        return ms < 10_000 ? quick.after(ms, task) : () => {}
      },
    }
    let calls = 0
    const fetch = async (): Promise<Response> => {
      const status = statuses[calls++] ?? statuses.at(-1) ?? 200
      return Response.json(status === 200 ? { data: [{ index: 0, embedding: [1, 2] }] } : { error: { message: 'bad key sk-0123456789' } }, {
        status,
      })
    }
    const embedder = openaiEmbedder({ baseUrl: 'http://localhost/v1', model: 'm', apiKey: 'sk-0123456789', clock, fetch })
    return { embedder, waits, count: () => calls }
  }

  it.each<[statuses: readonly number[], waits: readonly number[], isDone: boolean]>([
    [[503, 429, 408, 200], [500, 2000, 8000], true],
    [[503], [500, 2000, 8000], false],
    [[400], [], false],
    [[401], [], false],
    [[404], [], false],
  ])('are asked for again three times, if that can help: %j', async (statuses, waits, isDone) => {
    const endpoint = answering(statuses)
    const report = run(await folderWith({ 'a.md': 'one' }), memoryEngine(), { embedder: endpoint.embedder })
    if (isDone) expect(await report).toMatchObject({ added: ['a.md'] })
    else {
      const stopped = await report.catch((error: unknown) => error)
      expect(stopped).toBeInstanceOf(IndexingStopped)
      expect(String(stopped)).toContain(String(statuses[0]))
      expect(String(stopped)).not.toContain('sk-0123456789')
    }
    expect([endpoint.waits, endpoint.count()]).toEqual([waits, waits.length + 1])
  })

  it('in the end stop the run with whole documents in the index, and the next run goes on', async () => {
    const engine = memoryEngine()
    const folder = await folderWith(many)
    const failing = countingEmbedder((call) => (call > 2 ? new ValidatorUnavailable('the endpoint is down') : undefined))
    await expect(run(folder, engine, { embedder: failing.embedder })).rejects.toThrow(
      new IndexingStopped('embedding the passages failed: the endpoint is down'),
    )
    const { documents, chunks } = await engine.facts()
    expect([documents, chunks]).toEqual([256, 256])
    const { embedder, calls } = countingEmbedder()
    expect(await run(folder, engine, { embedder })).toMatchObject({ unchanged: 256, chunks: 144 })
    expect(calls).toEqual([128, 16])
  })

  it.each<[string, (texts: readonly string[]) => Float32Array[]]>([
    ['too few vectors', () => []],
    ['vectors of two lengths', (texts) => texts.map((_, index) => new Float32Array(index + 1))],
    ['vectors of no length', (texts) => texts.map(() => new Float32Array())],
  ])('%s', async (_, embed) => {
    const engine = memoryEngine()
    const folder = await folderWith({ 'a.md': 'one', 'b.md': 'two' })
    const embedder: Embedder = { name: 'x', embed: async (texts) => embed(texts) }
    await expect(run(folder, engine, { embedder })).rejects.toThrow(/did not return one vector of equal length/)
    expect(await paths(engine)).toEqual([])
  })

  it('an abort ends the wait and the run', async () => {
    const stop = new AbortController()
    const waiting: Clock = {
      now: () => 0,
      after(ms) {
        if (ms === 500) setImmediate(() => stop.abort())
        return () => {}
      },
    }
    const fetch = async (): Promise<Response> => new Response('', { status: 503 })
    const embedder = openaiEmbedder({ baseUrl: 'http://localhost/v1', model: 'm', clock: waiting, fetch })
    await expect(run(await folderWith({ 'a.md': 'one' }), memoryEngine(), { embedder, signal: stop.signal })).rejects.toThrow(/abort/)
  })
})

it('two runs at once end in the index of one', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.md`, `# ${index}\ntext`]))
  const folder = await folderWith(files)
  const [both, one] = [memoryEngine(), memoryEngine()]
  const { embedder } = countingEmbedder()
  await Promise.all([run(folder, both, { embedder }), run(folder, both, { embedder })])
  await run(folder, one, { embedder })
  expect(await both.fingerprints('')).toEqual(await one.fingerprints(''))
  expect(await both.facts()).toEqual(await one.facts())
})

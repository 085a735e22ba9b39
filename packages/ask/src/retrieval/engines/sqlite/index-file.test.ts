import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { requireBuilt } from '../../../../../../e2e/support/require-built.ts'
import { seed } from '../../../../../../tools/tests/random.ts'
import { embedding, indexDocument } from '../../../testing/indexed-documents.ts'
import type { IndexEngine } from '../../index-engine.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { sqliteEngine } from './sqlite-engine.ts'

let folder = ''
let path = ''
const opened: IndexEngine[] = []
beforeAll(() => requireBuilt(['core', 'ask']))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stickler-index-'))
  path = join(folder, 'deep', 'index.db')
})
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close()
  rmSync(folder, { recursive: true, force: true })
})

const documents = [
  indexDocument(
    'a.md',
    [['red'], ['blue']],
    [
      [1, 2],
      [2, 1],
    ],
  ),
  indexDocument('b.md', [['red', 'green']], [[3, 1]]),
]

function open(file = path): IndexEngine {
  const index = sqliteEngine(file, { collection: 'default' })
  opened.push(index)
  return index
}

async function written(file = path): Promise<IndexEngine> {
  const index = open(file)
  await index.replace(documents, embedding)
  return index
}

function everyCall(index: IndexEngine): (() => Promise<unknown>)[] {
  return [
    () => index.searchText(['red'], 5),
    () => index.searchVector(new Float32Array([1, 2]), embedding, 5),
    () => index.fingerprints(''),
    () => index.facts(),
    () => index.replace(documents, embedding),
    () => index.remove(['a.md']),
  ]
}

test('reading an index that does not exist finds nothing and creates nothing', async () => {
  const index = open()
  const found = await Promise.all(
    everyCall(index)
      .slice(0, 4)
      .map((call) => call()),
  )
  expect(found).toEqual([[], [], new Map(), { documents: 0, chunks: 0 }])
  await index.remove(['a.md'])
  expect(existsSync(join(folder, 'deep'))).toBe(false)
})

test('what is indexed can be read by its owner only, and is whole in one file once closed', async () => {
  const index = await written()
  for (const end of ['', '-wal', '-shm']) expect(statSync(path + end).mode & 0o777).toBe(0o600)
  await index.close()
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  const copy = join(folder, 'copy.db')
  writeFileSync(copy, readFileSync(path))
  expect((await open(copy).facts()).chunks).toBe(3)
})

test.each([
  ['text', async () => writeFileSync(path, 'Not a database. '.repeat(100)), /damaged or not an index/],
  ['a damaged page', () => damage(0, 100), /damaged or not an index/],
  ['another database', () => foreign('create table runs (id)'), /not an index; name another file/],
  ['a database of another program', () => foreign('pragma application_id = 7'), /not an index; name another file/],
  ['a newer index', () => foreign('pragma user_version = 3', written), /newer version of Stickler/],
  ['an earlier index', () => foreign('pragma user_version = 1', written), /earlier version of Stickler; delete it and index again/],
  ['a folder', async () => mkdirSync(path), /cannot be used/],
])('%s is reported with the name of the file, and left as it is', async (_, make, words) => {
  mkdirSync(join(folder, 'deep'))
  await make()
  const before = statSync(path).isFile() ? readFileSync(path) : undefined
  for (const call of everyCall(open())) {
    await expect(call()).rejects.toThrow(words)
    await expect(call()).rejects.toThrow(path)
  }
  if (before) expect(readFileSync(path).equals(before)).toBe(true)
})

async function foreign(statement: string, make?: () => Promise<IndexEngine>): Promise<void> {
  await (await make?.())?.close()
  const database = new Database(path)
  database.exec(statement)
  database.close()
}

async function damage(from: number, to: number): Promise<void> {
  await (await written()).close()
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, to)
  writeFileSync(path, bytes)
}

test('an empty file becomes an index', async () => {
  mkdirSync(join(folder, 'deep'))
  writeFileSync(path, '')
  expect(await open().facts()).toEqual({ documents: 0, chunks: 0 })
  expect((await (await written()).facts()).chunks).toBe(3)
})

test('damage anywhere is an error with the name of the file, or does no harm', async () => {
  await (await written()).close()
  const bytes = readFileSync(path)
  for (let at = 0; at < bytes.length; at += 8192 - 37) {
    const damaged = Buffer.from(bytes)
    damaged.fill(at % 251, at, at + 500)
    writeFileSync(path, at % 3 === 0 ? damaged.subarray(0, at + 500) : damaged)
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    const index = open()
    for (const call of everyCall(index)) await call().catch((error: unknown) => expect(String(error)).toContain(path))
    await index.close()
  }
})

test('text that is not UTF-8 is damage, which the process survives', async () => {
  await (await written()).close()
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('red green')] = 0xff
  writeFileSync(path, bytes)
  const engine = sqliteEngine(path, { collection: 'default' })
  const found = engine.searchText(['green'], 5)
  await expect(found).rejects.toBeInstanceOf(RetrieverUnavailable)
  await expect(found).rejects.toThrow(`the index ${JSON.stringify(path)} is damaged`)
  await engine.close()
})

test('no byte that is damaged ends the process', () => {
  const script = fileURLToPath(new URL('../../../testing/damage-index.mjs', import.meta.url))
  mkdirSync(join(folder, 'deep'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, path, String(seed), '80'], { encoding: 'utf8', timeout: 60_000 })
  expect([status, stderr]).toEqual([0, ''])
  // Every kind of it has been met, and named.
  for (const words of ['not UTF-8', 'SQLITE_CORRUPT']) expect(stdout).toContain(words)
  expect(stdout).not.toContain('cannot be used')
})

test('what others write is seen, also when the file is deleted and made anew', async () => {
  const [reader, writer] = [open(), await written()]
  const near = async () => (await reader.searchVector(new Float32Array([1, 2]), embedding, 5)).map(({ urn }) => urn)
  expect(await near()).toEqual(['a.md#L0-L0', 'a.md#L1-L1', 'b.md#L0-L0'])
  await writer.replace([indexDocument('c.md', [['new']], [[2, 4]]), indexDocument('a.md', [['red']], [[0, 1]])], embedding)
  expect(await near()).toEqual(['c.md#L0-L0', 'a.md#L0-L0', 'b.md#L0-L0'])
  expect((await reader.searchText(['new'], 5)).length).toBe(1)
  await writer.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  expect(await near()).toEqual([])
  await open().replace([indexDocument('d.md', [['other']], [[1, 1, 1]])], 'other')
  expect(await reader.facts()).toEqual({ documents: 1, chunks: 1, embedding: { name: 'other', dimensions: 3 } })
  expect((await reader.searchVector(new Float32Array([1, 2, 3]), 'other', 5)).length).toBe(1)
})

test('a write whose caller leaves changes nothing', async () => {
  const index = await written()
  const caller = new AbortController()
  const many = Array.from({ length: 200 }, (_, at) => indexDocument(`c${at}.md`, [['new'], ['new']]))
  const write = index.replace(many, undefined, caller.signal)
  setTimeout(() => caller.abort(new Error('left')), 5)
  await expect(write).rejects.toThrow('left')
  expect((await index.facts()).documents).toBe(2)
  expect(await index.searchText(['new'], 5)).toEqual([])
})

test('a write that waits for another process leaves the event loop free, ends with its caller, and then writes nothing', async () => {
  const engine = await written()
  const other = new Database(path)
  other.exec('begin immediate')
  const caller = new AbortController()
  const write = engine.replace([indexDocument('x.md', [['blue']])], undefined, caller.signal).catch((error: unknown) => error)
  let turns = 0
  for (const begun = performance.now(); performance.now() - begun < 100; turns++) await new Promise(setImmediate)
  expect(turns).toBeGreaterThan(10)
  // Searches do not wait for writers.
  expect((await engine.searchText(['red'], 5)).length).toBe(2)
  caller.abort(new Error('left'))
  expect(await write).toMatchObject({ message: 'left' })
  other.exec('rollback')
  other.close()
  await engine.replace([indexDocument('c.md', [['green']])])
  expect([...(await engine.fingerprints('')).keys()].sort()).toEqual(['a.md', 'b.md', 'c.md'])
})

test('closing ends whatever waits, and later calls', async () => {
  const engine = await written()
  const other = new Database(path)
  other.exec('begin immediate')
  const writes = [1, 2].map(() => engine.replace([indexDocument('b.md', [['blue']])]).catch((error: unknown) => error))
  await engine.close()
  other.exec('rollback')
  other.close()
  const late = [engine.facts(), engine.searchText(['red'], 1)].map((call) => call.catch((error: unknown) => error))
  for (const error of await Promise.all([...writes, ...late])) {
    expect(error).toBeInstanceOf(RetrieverUnavailable)
    expect(String(error)).toContain('the index is closed')
  }
  await engine.close()
  expect((await open().facts()).documents).toBe(2)
})

test('a search whose caller leaves is interrupted, and the next one goes on', async () => {
  const engine = open()
  const words = Array.from({ length: 60 }, (_, at) => `word${at}`)
  await engine.replace(Array.from({ length: 500 }, (_, at) => indexDocument(`b${at}.md`, [words])))
  const caller = new AbortController()
  const searches = [1, 2, 3].map(() => engine.searchText(words, 1000, caller.signal).catch(String))
  setTimeout(() => caller.abort('left'), 2)
  await Promise.all(searches)
  expect((await engine.searchText(['word1'], 3)).length).toBe(3)
})

test.skipIf(process.platform === 'win32').each([
  ['whole', ['-wal', '-shm']],
  ['with what SQLite keeps beside it', []],
])('an index that may only be read (%s) is read, also when its owner changes it, and writing says why not', async (_, removed) => {
  await (await written()).close()
  // Statements that are not collected yet keep these files in this process.
  for (const end of removed) rmSync(path + end, { force: true })
  chmodSync(folder, 0o755)
  chmodSync(path, 0o644)
  chmodSync(join(folder, 'deep'), 0o555)
  const script = `
    import { once } from 'node:events'
    import { sqliteEngine } from ${JSON.stringify(new URL('../../../../dist/retrieval/engines/sqlite/sqlite-engine.js', import.meta.url).href)}
    if (process.getuid() === 0) process.setuid(65534)
    const index = sqliteEngine(${JSON.stringify(path)}, { collection: 'default' })
    const found = [(await index.searchText(['red'], 5)).length, (await index.searchVector(new Float32Array([1, 2]), 'test', 5)).length]
    await index.remove(['a.md']).catch((error) => found.push(error.message))
    console.log('read')
    await once(process.stdin, 'data')
    found.push((await index.searchText(['red'], 5)).length, (await index.searchVector(new Float32Array([1, 2]), 'test', 5)).length)
    console.log(JSON.stringify(found))
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) {
    said.push(line)
    if (line !== 'read') continue
    chmodSync(join(folder, 'deep'), 0o755)
    const owner = open()
    await owner.replace([indexDocument('c.md', [['red']], [[1, 1]])], embedding)
    await owner.close()
    for (const end of removed) rmSync(path + end, { force: true })
    chmodSync(join(folder, 'deep'), 0o555)
    child.stdin.write('go\n')
  }
  chmodSync(join(folder, 'deep'), 0o755)
  expect(JSON.parse(said[1] ?? '')).toEqual([2, 3, expect.stringContaining(`${JSON.stringify(path)} cannot be written`), 3, 4])
})

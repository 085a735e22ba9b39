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
import { RetrieverUnavailable } from '../../retriever.ts'
import { checkedDocuments } from '../checked-documents.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { SqliteIndex } from './sqlite-index.ts'

let folder = ''
let path = ''
const opened: SqliteIndex[] = []
beforeAll(() => requireBuilt(['core', 'ask']))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stickler-index-'))
  path = join(folder, 'deep', 'index.db')
})
afterEach(() => {
  for (const index of opened.splice(0)) index.close()
  rmSync(folder, { recursive: true, force: true })
})

const never = (): boolean => false
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

function open(file = path): SqliteIndex {
  const index = new SqliteIndex(file, 'default')
  opened.push(index)
  return index
}

function written(file = path): SqliteIndex {
  const index = open(file)
  index.replace(checkedDocuments(documents, embedding), never)
  return index
}

function everyCall(index: SqliteIndex): (() => unknown)[] {
  return [
    () => index.searchText(['red'], 5),
    () => index.searchVector(new Float32Array([1, 2]), embedding, 5),
    () => index.fingerprints(''),
    () => index.facts(),
    () => index.replace(checkedDocuments(documents, embedding), never),
    () => index.remove(['a.md'], never),
  ]
}

test('reading an index that does not exist finds nothing and creates nothing', () => {
  const index = open()
  expect(
    everyCall(index)
      .slice(0, 4)
      .map((call) => call()),
  ).toEqual([[], [], new Map(), { documents: 0, chunks: 0 }])
  index.remove(['a.md'], never)
  expect(existsSync(join(folder, 'deep'))).toBe(false)
})

test('what is indexed can be read by its owner only, and is whole in one file once closed', () => {
  const index = written()
  for (const end of ['', '-wal', '-shm']) expect(statSync(path + end).mode & 0o777).toBe(0o600)
  index.close()
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  const copy = join(folder, 'copy.db')
  writeFileSync(copy, readFileSync(path))
  expect(open(copy).facts().chunks).toBe(3)
})

test.each([
  ['text', () => writeFileSync(path, 'Not a database. '.repeat(100)), /damaged or not an index/],
  ['a damaged page', () => damage(0, 100), /damaged or not an index/],
  ['another database', () => foreign('create table runs (id)'), /not an index; name another file/],
  ['a database of another program', () => foreign('pragma application_id = 7'), /not an index; name another file/],
  ['a newer index', () => foreign('pragma user_version = 2', written), /newer version of Stickler/],
  ['a folder', () => mkdirSync(path), /cannot be used/],
])('%s is reported with the name of the file, and left as it is', (_, make, words) => {
  mkdirSync(join(folder, 'deep'))
  make()
  const before = statSync(path).isFile() ? readFileSync(path) : undefined
  for (const call of everyCall(open())) {
    expect(call).toThrow(words)
    expect(call).toThrow(path)
  }
  if (before) expect(readFileSync(path).equals(before)).toBe(true)
})

function foreign(statement: string, make?: () => SqliteIndex): void {
  make?.().close()
  const database = new Database(path)
  database.exec(statement)
  database.close()
}

function damage(from: number, to: number): void {
  written().close()
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, to)
  writeFileSync(path, bytes)
}

test('an empty file becomes an index', () => {
  mkdirSync(join(folder, 'deep'))
  writeFileSync(path, '')
  expect(open().facts()).toEqual({ documents: 0, chunks: 0 })
  expect(written().facts().chunks).toBe(3)
})

test('damage anywhere is an error with the name of the file, or does no harm', () => {
  written().close()
  const bytes = readFileSync(path)
  for (let at = 0; at < bytes.length; at += 8192 - 37) {
    const damaged = Buffer.from(bytes)
    damaged.fill(at % 251, at, at + 500)
    writeFileSync(path, at % 3 === 0 ? damaged.subarray(0, at + 500) : damaged)
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    const index = new SqliteIndex(path, 'default')
    for (const call of everyCall(index)) {
      try {
        call()
      } catch (error) {
        expect(String(error)).toContain(path)
      }
    }
    index.close()
  }
})

test('text that is not UTF-8 is damage, which the process survives', async () => {
  written().close()
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

test('what others write is seen, also when the file is deleted and made anew', () => {
  const [reader, writer] = [open(), written()]
  const near = (): string[] => reader.searchVector(new Float32Array([1, 2]), embedding, 5).map(({ urn }) => urn)
  expect(near()).toEqual(['a.md#L0-L0', 'a.md#L1-L1', 'b.md#L0-L0'])
  writer.replace(
    checkedDocuments([indexDocument('c.md', [['new']], [[2, 4]]), indexDocument('a.md', [['red']], [[0, 1]])], embedding),
    never,
  )
  expect(near()).toEqual(['c.md#L0-L0', 'a.md#L0-L0', 'b.md#L0-L0'])
  expect(reader.searchText(['new'], 5).length).toBe(1)
  writer.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  expect(near()).toEqual([])
  const other = open()
  other.replace(checkedDocuments([indexDocument('d.md', [['other']], [[1, 1, 1]])], 'other'), never)
  expect(reader.facts()).toEqual({ documents: 1, chunks: 1, embedding: { name: 'other', dimensions: 3 } })
  expect(reader.searchVector(new Float32Array([1, 2, 3]), 'other', 5).length).toBe(1)
})

test('a write whose caller leaves changes nothing', () => {
  const index = written()
  let asked = 0
  expect(() =>
    index.replace(checkedDocuments([indexDocument('c.md', [['new']]), indexDocument('d.md', [['new']])], undefined), () => ++asked > 2),
  ).toThrow()
  expect(index.facts().documents).toBe(2)
  expect(index.searchText(['new'], 5)).toEqual([])
})

test.skipIf(process.platform === 'win32').each([
  ['whole', ['-wal', '-shm']],
  ['with what SQLite keeps beside it', []],
])('an index that may only be read (%s) is read, also when its owner changes it, and writing says why not', async (_, removed) => {
  written().close()
  // Statements that are not collected yet keep these files in this process.
  for (const end of removed) rmSync(path + end, { force: true })
  chmodSync(folder, 0o755)
  chmodSync(path, 0o644)
  chmodSync(join(folder, 'deep'), 0o555)
  const script = `
    import { once } from 'node:events'
    import { SqliteIndex } from ${JSON.stringify(new URL('../../../../dist/retrieval/engines/sqlite/sqlite-index.js', import.meta.url).href)}
    if (process.getuid() === 0) process.setuid(65534)
    const index = new SqliteIndex(${JSON.stringify(path)}, 'default')
    const found = [index.searchText(['red'], 5).length, index.searchVector(new Float32Array([1, 2]), 'test', 5).length]
    try { index.remove(['a.md'], () => false) } catch (error) { found.push(error.message) }
    console.log('read')
    await once(process.stdin, 'data')
    found.push(index.searchText(['red'], 5).length, index.searchVector(new Float32Array([1, 2]), 'test', 5).length)
    console.log(JSON.stringify(found))
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) {
    said.push(line)
    if (line !== 'read') continue
    chmodSync(join(folder, 'deep'), 0o755)
    const owner = open()
    owner.replace(checkedDocuments([indexDocument('c.md', [['red']], [[1, 1]])], embedding), never)
    owner.close()
    for (const end of removed) rmSync(path + end, { force: true })
    chmodSync(join(folder, 'deep'), 0o555)
    child.stdin.write('go\n')
  }
  chmodSync(join(folder, 'deep'), 0o755)
  expect(JSON.parse(said[1] ?? '')).toEqual([2, 3, expect.stringContaining(`${JSON.stringify(path)} cannot be written`), 3, 4])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireBuilt } from '../../../../../../e2e/support/require-built.ts'
import { indexDocument } from '../../../testing/indexed-documents.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { ThreadQueue } from './thread-queue.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-index-'))
beforeAll(() => requireBuilt(['core', 'ask']))
afterAll(() => rmSync(folder, { recursive: true }))

const document = indexDocument('a.md', [['red']])
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (thrown: unknown) => thrown,
  )

test('a write that waits for another process leaves the event loop free, ends with its caller, and then writes nothing', async () => {
  const file = join(folder, 'waiting.db')
  const engine = sqliteEngine(file, { collection: 'default' })
  await engine.replace([document])
  const other = new Database(file)
  other.exec('begin immediate')
  const caller = new AbortController()
  const write = failure(engine.replace([indexDocument('b.md', [['blue']])], undefined, caller.signal))
  let turns = 0
  for (const begun = performance.now(); performance.now() - begun < 100; turns++) await new Promise(setImmediate)
  expect(turns).toBeGreaterThan(10)
  // Searches do not wait for writers.
  expect((await engine.searchText(['red'], 5)).length).toBe(1)
  caller.abort(new Error('left'))
  expect(await write).toMatchObject({ message: 'left' })
  other.exec('rollback')
  other.close()
  await engine.replace([indexDocument('c.md', [['green']])])
  expect([...(await engine.fingerprints('')).keys()].sort()).toEqual(['a.md', 'c.md'])
  await engine.close()
})

test('closing ends whatever waits or runs, and nothing is left of it', async () => {
  const file = join(folder, 'closed.db')
  const engine = sqliteEngine(file, { collection: 'default' })
  await engine.replace([document])
  const other = new Database(file)
  other.exec('begin immediate')
  const writes = [1, 2].map(() => failure(engine.replace([indexDocument('b.md', [['blue']])])))
  await engine.close()
  other.exec('rollback')
  other.close()
  for (const error of [...(await Promise.all(writes)), await failure(engine.facts()), await failure(engine.searchText(['red'], 1))]) {
    expect(error).toBeInstanceOf(RetrieverUnavailable)
    expect(String(error)).toContain('the index is closed')
  }
  await engine.close()
  const again = sqliteEngine(file, { collection: 'default' })
  expect((await again.facts()).documents).toBe(1)
  await again.close()
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Worker')).toEqual([])
})

test('more calls than may wait are refused, and callers that leave make room', async () => {
  const engine = sqliteEngine(join(folder, 'queue.db'), { collection: 'default', queue: 3 })
  const caller = new AbortController()
  const calls = Array.from({ length: 6 }, () => failure(engine.facts(caller.signal)))
  // One is performed, three wait.
  expect(await Promise.all(calls.slice(4))).toEqual([expect.any(RetrieverUnavailable), expect.any(RetrieverUnavailable)])
  caller.abort(new Error('left'))
  expect(await Promise.all(calls.slice(0, 4))).toEqual(new Array(4).fill(expect.objectContaining({ message: 'left' })))
  expect(await Promise.all([engine.facts(), engine.facts()])).toHaveLength(2)
  await engine.close()
})

test('a thread that takes too long is given up, and the next call has another', async () => {
  const file = join(folder, 'slow.db')
  const impatient = sqliteEngine(file, { collection: 'default', timeoutMs: 1 })
  for (let round = 0; round < 2; round++) {
    const error = await failure(impatient.facts())
    expect(error).toBeInstanceOf(RetrieverUnavailable)
    expect(String(error)).toContain('longer than 1 ms')
  }
  await impatient.close()
  const patient = sqliteEngine(file, { collection: 'default' })
  expect(await patient.facts()).toEqual({ documents: 0, chunks: 0 })
  await patient.close()
})

test('threads that take too long in the middle of their work do not take the process with them, and are few', async () => {
  const file = join(folder, 'stuck.db')
  const patient = sqliteEngine(file, { collection: 'default' })
  const words = Array.from({ length: 60 }, (_, at) => `word${at}`)
  await patient.replace(Array.from({ length: 2000 }, (_, at) => indexDocument(`b${at}.md`, [words])))
  const errors: unknown[] = []
  for (let round = 0; round < 2; round++) {
    const queue = new ThreadQueue({ path: file, collection: 'default', queue: 100, timeoutMs: 100 })
    // Only a thread that has started gets into the middle of a search.
    await expect.poll(() => failure(queue.run(undefined, 'facts')), { timeout: 20_000 }).toBe('done')
    errors.push(...(await Promise.all(Array.from({ length: 12 }, () => failure(queue.run(undefined, 'searchText', words, 1000))))))
    await queue.close()
  }
  const told = errors.filter((error) => error !== 'done').map(String)
  // On a fast machine some or all of them are in time.
  for (const text of told) expect(text).toMatch(/longer than 100 ms|have not ended yet/)
  await patient.close()
  const hasty = new ThreadQueue({ path: file, collection: 'default', queue: 100, timeoutMs: 1 })
  const refused = await Promise.all(Array.from({ length: 40 }, () => failure(hasty.run(undefined, 'facts'))))
  expect(refused.filter((error) => String(error).includes('have not ended yet'))).not.toEqual([])
  await hasty.close()
})

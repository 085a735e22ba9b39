import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../../../../e2e/support/postgres.ts'
import { testEngine } from '../../../testing/engine-conformance.ts'
import type { IndexEngine, IndexedDocument } from '../../index-engine.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { openDatabase } from './database.ts'
import { postgresEngine } from './postgres-engine.ts'

let server: TestPostgres
let url: string
let collections = 0
const opened: IndexEngine[] = []

beforeAll(async () => {
  server = await startPostgres()
  url = await server.newDatabase()
})
afterAll(async () => {
  await Promise.all(opened.map((engine) => engine.close()))
  await server.stop()
})

function open(collection = `c${++collections}`, settings: { readonly timeoutMs?: number; readonly url?: string } = {}): IndexEngine {
  const engine = postgresEngine({ url, collection, ...settings })
  opened.push(engine)
  return engine
}

describe('without pgvector', () => testEngine({ open: (collection) => postgresEngine({ url, collection }), ranksAsMemory: true, runs: 4 }))

const document = (path: string, text = 'word'): IndexedDocument => ({
  path,
  fingerprint: text,
  chunks: [{ urn: path, text, headings: [], terms: text.split(' '), vector: new Float32Array([1, 2]) }],
})

describe('several at once', () => {
  test('may create the same collection and write the same documents', async () => {
    const engines = Array.from({ length: 4 }, () => open('shared'))
    const paths = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(
      engines.flatMap((engine, at) => [
        engine.replace(
          paths.map((path) => document(path, `word${at} word`)),
          'e',
        ),
        engine.remove([paths[at] ?? '']),
        engine.replace(
          paths.toReversed().map((path) => document(path, `other word`)),
          'e',
        ),
      ]),
    )
    await engines[0]?.replace(
      paths.map((path) => document(path, 'last')),
      'e',
    )
    expect(await engines[1]?.facts()).toEqual({ documents: 5, chunks: 5, embedding: { name: 'e', dimensions: 2 } })
    expect((await engines[2]?.searchText(['last'], 9))?.length).toBe(5)
    expect(await engines[3]?.searchText(['word'], 9)).toEqual([])
  })
})

describe('a server that cannot be used', () => {
  const unusable = (what: string): Promise<unknown> =>
    open('x', { url: what, timeoutMs: 2000 })
      .searchText(['word'], 3)
      .catch((error: unknown) => error)

  test('is reported without the password', async () => {
    for (const address of [
      url.replace('not-a-secret', 'wrong-password'),
      url.replace(/\d+\/test/, '1/test'),
      url.replace(/test\d+$/, 'absent'),
    ]) {
      const error = await unusable(address)
      expect(error).toBeInstanceOf(RetrieverUnavailable)
      expect(String(error)).toMatch(/the index in PostgreSQL failed: \S/)
      expect(String(error)).not.toMatch(/wrong-password|not-a-secret/)
    }
    expect(() => postgresEngine({ url: 'mysql://u:hidden-password@h/' })).toThrow(expect.not.stringContaining('hidden-password'))
  })

  test('is waited for no longer than allowed', async () => {
    const engine = open('slow', { timeoutMs: 300 })
    await engine.replace([document('a')], 'e')
    const blocker = new pg.Client(url)
    await blocker.connect()
    await blocker.query('begin; lock table stickler_index2_slow_words')
    await expect(engine.searchText(['word'], 3)).rejects.toThrow(/statement timeout/)
    await blocker.end()
    expect((await engine.searchText(['word'], 3)).length).toBe(1)
  })

  test('a lost connection is replaced by another', async () => {
    const engine = open('lost')
    await engine.replace([document('a')], 'e')
    const other = new pg.Client(url)
    await other.connect()
    // Whichever of them fails meanwhile has somebody who listens.
    const searches = Promise.allSettled(Array.from({ length: 5 }, () => engine.searchText(['word'], 3)))
    await other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stickler' and pid <> pg_backend_pid()",
    )
    await other.end()
    await searches
    expect((await engine.searchText(['word'], 3)).length).toBe(1)
  })
})

test('an abort ends a search, and a replacement without a trace', async () => {
  const engine = open('aborted')
  await engine.replace([document('a', 'old')], 'e')
  const blocker = new pg.Client(url)
  await blocker.connect()
  await blocker.query('begin; lock table stickler_index2_aborted_words')
  const controller = new AbortController()
  const ended = [
    engine.searchText(['old'], 3, controller.signal),
    engine.replace([document('a', 'new')], 'e', controller.signal),
    engine.remove(['a'], controller.signal),
  ].map((work) => work.then(String, (error: unknown) => error))
  await new Promise((resolve) => setTimeout(resolve, 100))
  controller.abort('enough')
  expect(await Promise.all(ended)).toEqual(['enough', 'enough', 'enough'])
  await blocker.end()
  expect((await engine.searchText(['old'], 3)).map(({ text }) => text)).toEqual(['old'])
  await expect(engine.facts(controller.signal)).rejects.toBe('enough')
})

test('what is aborted between two statements is not committed with the next work on its connection', async () => {
  const database = openDatabase({ url, poolSize: 1, timeoutMs: 5000 })
  const controller = new AbortController()
  const aborted = database.write(async (query) => {
    await query('create table half_done (a int)')
    controller.abort('enough')
    await query('select 1')
  }, controller.signal)
  await expect(aborted).rejects.toBe('enough')
  await database.write(async (query) => void (await query('select 1')))
  expect(await database.read((query) => query(`select to_regclass('half_done') as found`))).toEqual([{ found: null }])
  await database.close()
})

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../../../../e2e/support/postgres.ts'
import type { Chunk, IndexEngine, IndexedDocument } from '../../index-engine.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { memoryEngine } from '../memory-engine.ts'
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

const word = fc.constantFrom('red', 'blue', 'größe', 'x1', 'the', '数据', "o'r", 'a&b', 'a:*')
const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 }).map((values) => Float32Array.from(values))
const documents = fc.array(
  fc.record({
    path: fc.constantFrom('a', 'b', 'b/c', 'b/d.md', 'bb', 'Ä', '😀', 'ﬀ'),
    fingerprint: fc.string(),
    chunks: fc.array(fc.record({ text: fc.string({ unit: 'binary' }), terms: fc.array(word, { maxLength: 12 }), vector }), {
      maxLength: 3,
    }),
  }),
  { maxLength: 6 },
)
const named = (
  given: readonly { path: string; fingerprint: string; chunks: readonly Omit<Chunk, 'urn' | 'headings'>[] }[],
): IndexedDocument[] =>
  given.map((document) => ({
    ...document,
    chunks: document.chunks.map((chunk, at) => ({ urn: `${document.path}#${at}`, headings: ['h', 'ä"'], ...chunk })),
  }))

test('finds and ranks what the engine in memory finds, whatever is written', async () => {
  const check = fc.asyncProperty(
    fc.array(documents, { maxLength: 4 }),
    fc.array(word, { maxLength: 4 }),
    vector,
    async (batches, asked, near) => {
      const engine = open()
      const model = memoryEngine()
      for (const [at, batch] of batches.entries()) {
        for (const one of [engine, model]) {
          await one.replace(named(batch), 'e')
          if (at % 2 === 1) await one.remove(['a', 'none', 'b/c'])
        }
      }
      for (const limit of [1, 3, 50]) {
        const found = await engine.searchText(asked, limit)
        const expected = await model.searchText(asked, limit)
        expect(found.map(({ urn, text }) => [urn, text])).toEqual(expected.map(({ urn, text }) => [urn, text]))
        const close = await engine.searchVector(near, 'e', limit)
        expect(close.map(({ urn, score }) => [urn, score.toFixed(5)])).toEqual(
          (await model.searchVector(near, 'e', limit)).map(({ urn, score }) => [urn, score.toFixed(5)]),
        )
      }
      expect(await engine.facts()).toEqual(await model.facts())
      for (const below of ['', 'b', 'b/', 'c']) expect(await engine.fingerprints(below)).toEqual(await model.fingerprints(below))
      await engine.close()
      opened.splice(opened.indexOf(engine), 1)
    },
  )
  await fc.assert(check, { numRuns: Number(process.env.RUNS ?? 8) })
})

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
    await blocker.query('begin; lock table stickler_index1_slow_words')
    await expect(engine.searchText(['word'], 3)).rejects.toThrow(/statement timeout/)
    await blocker.end()
    expect((await engine.searchText(['word'], 3)).length).toBe(1)
  })

  test('a lost connection is replaced by another', async () => {
    const engine = open('lost')
    await engine.replace([document('a')], 'e')
    const other = new pg.Client(url)
    await other.connect()
    const searches = Array.from({ length: 5 }, () => engine.searchText(['word'], 3))
    await other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stickler' and pid <> pg_backend_pid()",
    )
    await other.end()
    await Promise.allSettled(searches)
    expect((await engine.searchText(['word'], 3)).length).toBe(1)
  })
})

test('an abort ends a search, and a replacement without a trace', async () => {
  const engine = open('aborted')
  await engine.replace([document('a', 'old')], 'e')
  const blocker = new pg.Client(url)
  await blocker.connect()
  await blocker.query('begin; lock table stickler_index1_aborted_words')
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

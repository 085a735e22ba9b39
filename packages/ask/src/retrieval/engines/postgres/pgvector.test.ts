import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { ConfigurationError } from '@stickler/core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../../../testing/engine-conformance.ts'
import type { IndexedDocument } from '../../index-engine.ts'
import { memoryEngine } from '../sqlite/sqlite-engine.ts'
import { postgresEngine } from './postgres-engine.ts'

let server: PGLiteSocketServer
let url: string

beforeAll(async () => {
  const db = await PGlite.create({ extensions: { vector } })
  server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 4 })
  await server.start()
  url = `postgres://postgres:postgres@${server.getServerConn()}/postgres`
})
afterAll(() => server.stop())

describe('with pgvector', () =>
  testEngine({ open: (collection) => postgresEngine({ url, collection, poolSize: 1 }), ranksAsMemory: true, runs: 4 }))

/** Numbers without a pattern, the same in every run. */
const numbers = (seed: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, place) => Math.sin((seed + 1) * (place + 1) * 12.9898))

const documents = (count: number, dimensions: number): IndexedDocument[] =>
  Array.from({ length: count }, (_, at) => ({
    path: `d${at}`,
    fingerprint: '1',
    chunks: [
      {
        urn: `d${at}#L1`,
        text: `text ${at}`,
        headings: [],
        terms: ['text', `${at}`],
        vector: at === 3 ? new Float32Array(dimensions) : numbers(at % 40, dimensions),
      },
    ],
  }))

test('vectors are compared by the server, with the same result', async () => {
  const engine = postgresEngine({ url, poolSize: 1 })
  const model = memoryEngine()
  for (const one of [engine, model]) await one.replace(documents(60, 512), 'e')
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(
    'select storage, pg_typeof(vector)::text as type from stickler_index2_default_meta, stickler_index2_default_vectors limit 1',
  )
  expect(rows).toEqual([{ storage: 'vector', type: 'vector' }])
  await client.end()
  const near = numbers(99, 512)
  const found = await engine.searchVector(near, 'e', 100)
  const expected = await model.searchVector(near, 'e', 100)
  expect(found.length).toBe(59)
  expect(found.map(({ urn, score }) => [urn, score.toFixed(4)])).toEqual(expected.map(({ urn, score }) => [urn, score.toFixed(4)]))
  expect((await engine.searchText(['7', 'text'], 1)).map(({ urn }) => urn)).toEqual(['d7#L1'])
  await expect(engine.searchVector(numbers(1, 4), 'e', 3)).rejects.toBeInstanceOf(ConfigurationError)
  await expect(engine.replace(documents(1, 4), 'other')).rejects.toBeInstanceOf(ConfigurationError)
  await engine.remove(documents(60, 1).map(({ path }) => path))
  await engine.replace(documents(2, 4), 'other')
  expect((await engine.searchVector(numbers(0, 4), 'other', 1)).map(({ urn }) => urn)).toEqual(['d0#L1'])
  await engine.close()
})

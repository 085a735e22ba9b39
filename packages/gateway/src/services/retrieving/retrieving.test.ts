import { hybridRetriever, memoryEngine, RetrieverUnavailable } from '@stickler/ask/retrieval'
import { systemClock } from '@stickler/core/internal'
import { terms } from '@stickler/core/internal/relevance'
import { manualClock } from '@stickler/core/testing'
import { expect, test, vi } from 'vitest'
import { type RetrievalConfig, resolveRetrieval } from '../../config/resolved/resolve-retrieval.ts'
import { retrievalSchema } from '../../config/schema/retrieval-schema.ts'
import { createRetrieving, mostCharacters, nextRetrieving } from './retrieving.ts'

const env = { A: 'postgres://me:first@db.example/docs', B: 'postgres://me:second@db.example/docs', KEY: 'one', OTHER: 'two' }
const settings = (written: object = {}): RetrievalConfig =>
  resolveRetrieval(retrievalSchema.parse(written), { env, folder: '/conf', store: { folder: '/conf/.stickler' }, upstreams: [] })

async function opened() {
  const engine = memoryEngine()
  const text = `streams ${'😀'.repeat(4000)}`
  const chunk = (n: number) => ({ urn: `a.md#L${n}`, text, headings: [], terms: terms('streams are held back') })
  await engine.replace([{ path: 'a.md', fingerprint: '1', chunks: Array.from({ length: 20 }, (_, n) => chunk(n)) }])
  const close = vi.fn(async () => {})
  return { engine: { ...engine, close }, retriever: hybridRetriever({ engine }), close }
}

test('opens when it is first needed, finds as much as is configured, and cuts what is too long', async () => {
  const parts = await opened()
  const openRetrieval = vi.fn(async () => parts)
  const retrieving = createRetrieving(settings({ chunks: 3 }), { clock: systemClock, openRetrieval })
  expect(openRetrieval).not.toHaveBeenCalled()
  const [found] = await Promise.all([retrieving.retriever.retrieve('streams'), retrieving.retriever.retrieve('held')])
  expect(openRetrieval).toHaveBeenCalledTimes(1)
  expect(found.chunks).toHaveLength(3)
  expect(found.chunks[0]?.text.length).toBeLessThanOrEqual(mostCharacters)
  // No character is cut in two.
  expect(Buffer.from(found.chunks[0]?.text ?? '').toString()).toBe(found.chunks[0]?.text)
  await retrieving.close()
  expect(parts.close).toHaveBeenCalledTimes(1)
  await expect(retrieving.retriever.retrieve('streams')).rejects.toThrow(RetrieverUnavailable)
})

test('an index that cannot be opened is tried again, is not ready, and closes', async () => {
  const parts = await opened()
  const openRetrieval = vi.fn(async () => parts)
  openRetrieval.mockRejectedValueOnce(new RetrieverUnavailable('not there'))
  const clock = manualClock()
  const retrieving = createRetrieving(settings(), { clock, openRetrieval })
  expect(await retrieving.ready()).toBe(false)
  // Probes of others must not become a load.
  expect(await retrieving.ready()).toBe(false)
  expect(openRetrieval).toHaveBeenCalledTimes(1)
  await clock.advance(1000)
  expect(await retrieving.ready()).toBe(true)
  const closed = createRetrieving(settings(), { clock, openRetrieval: () => Promise.reject(new Error('no')) })
  await closed.close()
})

test('an index that hangs is not ready', async () => {
  const clock = manualClock()
  const retrieving = createRetrieving(settings(), { clock, openRetrieval: () => new Promise(() => {}) })
  const ready = retrieving.ready()
  await clock.advance(900)
  expect(await ready).toBe(false)
})

test.each<[string, object, object, boolean]>([
  ['the same', { indexEnv: 'A' }, { indexEnv: 'A' }, true],
  ['another judge alone', {}, { relevance: { strategy: 'lexical', threshold: 0.9 } }, false],
  ['another password', { indexEnv: 'A' }, { indexEnv: 'B' }, false],
  ['another file', {}, { index: 'b.db' }, false],
  ['another collection', {}, { collection: 'b' }, false],
  ['another key', service('KEY'), service('OTHER'), false],
  ['no vectors', {}, { embeddings: 'none' }, false],
])('a reload with %s', (_case, before, after, isSame) => {
  const ports = { clock: systemClock, openRetrieval: opened }
  const first = createRetrieving(settings(before), ports)
  expect(nextRetrieving(first, settings(after), ports) === first).toBe(isSame)
  expect(nextRetrieving(first, undefined, ports)).toBeUndefined()
})

function service(apiKeyEnv: string): object {
  return { embeddings: { baseUrl: 'https://api.example/v1', model: 'm', apiKeyEnv } }
}

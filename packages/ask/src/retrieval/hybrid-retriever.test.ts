import { ConfigurationError } from '@stickler/core'
import type { Reason } from '@stickler/core/internal'
import { manualClock } from '@stickler/core/testing'
import { type Embedder, ServiceUnavailable } from '@stickler/core/validators'
import { describe, expect, test } from 'vitest'
import { hybridRetriever } from './hybrid-retriever.ts'
import type { Hit, IndexEngine } from './index-engine.ts'
import { RetrieverUnavailable } from './retriever.ts'

const hit = (urn: string): Hit => ({ urn, text: urn, headings: [], score: 1 })
const never = () => new Promise<never>(() => {})
const failing = (error: unknown) => () => Promise.reject(error)

type Searches = Pick<IndexEngine, 'searchText' | 'searchVector'>
const engine: Searches = { searchText: async () => [hit('t')], searchVector: async () => [hit('v')] }
const embedder: Embedder = { name: 'e', embed: async (texts) => texts.map(() => new Float32Array([1])) }
const clock = manualClock()

/** Retrieves while the manual clock goes on. */
async function retrieve(searches: Partial<Searches>, using: Embedder | undefined = embedder) {
  const found = hybridRetriever({ engine: { ...engine, ...searches }, ...(using && { embedder: using }), clock }).retrieve('query')
  found.catch(() => {})
  await clock.advanceAsync(6000)
  return found
}

describe('when a half fails', () => {
  const vectorFaults: readonly [string, Partial<Searches>, Embedder, RegExp, Reason['codes']?][] = [
    ['an embeddings endpoint that fails', {}, { ...embedder, embed: failing(new ServiceUnavailable('no', 'fault')) }, /^no$/],
    [
      'an embeddings endpoint that hangs',
      {},
      { ...embedder, embed: never },
      /did not answer within 5000 ms/,
      [['late', 'embedding of the query', 5000]],
    ],
    ['a crash', { searchVector: failing(new Error('secret')) }, embedder, /^the vector search failed$/, [['failed', 'vector search']]],
    [
      'vectors of another length',
      { searchVector: failing(new ConfigurationError([{ message: '3, not 1', path: [] }])) },
      embedder,
      /3, not 1/,
    ],
    ['an engine that hangs', { searchVector: never }, embedder, /did not answer within 5000 ms/, [['late', 'vector search', 5000]]],
  ]
  test.each(vectorFaults)('%s in the vector half leaves the text half, marked', async (_, searches, using, reason, codes) => {
    const { chunks, degraded } = await retrieve(searches, using)
    expect(chunks.map(({ urn }) => urn)).toEqual(['t'])
    expect(degraded).toEqual({ half: 'vector', reason: expect.stringMatching(reason), codes })
  })

  test('a failing text half leaves the vector half, marked', async () => {
    const { chunks, degraded } = await retrieve({ searchText: never })
    expect(chunks.map(({ urn }) => urn)).toEqual(['v'])
    expect(degraded?.half).toBe('text')
  })

  test('both halves failing, or the only one, is reported as unavailable', async () => {
    const searchText = failing(new RetrieverUnavailable('the index cannot be reached'))
    const both = { searchText, searchVector: failing(new Error('x')) }
    await expect(retrieve(both)).rejects.toThrow(new RetrieverUnavailable('the index cannot be reached'))
    const alone = hybridRetriever({ engine: { ...engine, searchText }, clock })
    await expect(alone.retrieve('query')).rejects.toBeInstanceOf(RetrieverUnavailable)
  })

  test('a half that fails again and again is left alone, and asked again later', async () => {
    let calls = 0
    const searchVector = async () => {
      if (++calls <= 5) throw new Error('down')
      return [hit('v')]
    }
    const retriever = hybridRetriever({ engine: { ...engine, searchVector }, embedder, clock })
    for (let i = 0; i < 8; i++) expect((await retriever.retrieve('query')).degraded?.half).toBe('vector')
    expect(calls).toBe(5)
    clock.advance(5000)
    expect((await retriever.retrieve('query')).degraded).toBeUndefined()
  })
})

describe('when many ask at once', () => {
  const broad = 'one two three four'
  const slow = () => {
    const asked: number[] = []
    const searchText = (terms: readonly string[]) => {
      asked.push(terms.length)
      return new Promise<Hit[]>((resolve) => void clock.after(200, () => resolve([hit('t')])))
    }
    return { asked, retriever: hybridRetriever({ engine: { ...engine, searchText, searchesAtOnce: 1 }, clock }) }
  }
  const settled = (found: Promise<unknown>) => found.then(() => 'found', String)

  test('waiting is no fault of the index: questions are answered in their order, and who waits too long is told so', async () => {
    const { asked, retriever } = slow()
    const burst = Array.from({ length: 100 }, () => settled(retriever.retrieve(broad)))
    for (let step = 0; step < 60; step++) await clock.advanceAsync(100)
    expect(asked.length).toBeGreaterThan(20)
    const outcomes = await Promise.all(burst)
    expect(outcomes.filter((outcome) => outcome === 'found').length).toBeGreaterThan(20)
    expect(new Set(outcomes)).toEqual(
      new Set(['found', 'RetrieverUnavailable: the index is busy with other questions: no free slot within 5000 ms']),
    )
    const next = settled(retriever.retrieve(broad))
    await clock.advanceAsync(200)
    expect(await next).toBe('found')
    expect(clock.pending).toBe(0)
  })

  test('callers who leave are not searched for', async () => {
    const { asked, retriever } = slow()
    const caller = new AbortController()
    const found = [broad, broad, broad].map((query) => settled(retriever.retrieve(query, { signal: caller.signal })))
    const last = settled(retriever.retrieve('one two'))
    caller.abort('left')
    expect(await Promise.all(found)).toEqual(['left', 'left', 'left'])
    await clock.advanceAsync(400)
    expect([await last, asked]).toEqual(['found', [4, 2]])
  })

  test('an engine that refuses because it is busy is asked again', async () => {
    let calls = 0
    const searchText = async () => {
      calls++
      throw new RetrieverUnavailable('busy', { isBusy: true })
    }
    const retriever = hybridRetriever({ engine: { ...engine, searchText }, clock })
    for (let i = 0; i < 8; i++) await expect(retriever.retrieve('query')).rejects.toThrow(new RetrieverUnavailable('busy'))
    expect(calls).toBe(8)
  })
})

test('no timer is left, and an abort ends both halves with the reason of the caller', async () => {
  const aborted: unknown[] = []
  const listening = (...given: readonly unknown[]) => {
    const signal = given.at(-1) as AbortSignal
    signal.addEventListener('abort', () => aborted.push(signal.reason))
    return never()
  }
  const controller = new AbortController()
  const retriever = hybridRetriever({ engine: { searchText: listening, searchVector: listening }, embedder, clock })
  const found = retriever.retrieve('query', { signal: controller.signal })
  // By then both are searching.
  await new Promise(setImmediate)
  controller.abort('enough')
  await expect(found).rejects.toBe('enough')
  expect(aborted).toEqual(['enough', 'enough'])
  expect(clock.pending).toBe(0)
  await expect(retriever.retrieve('query', { signal: controller.signal })).rejects.toBe('enough')
})

describe('queries', () => {
  const seen = { terms: [] as readonly string[], text: '', count: 0 }
  const recording: Searches = {
    ...engine,
    searchText: async (terms, count) => {
      seen.terms = terms
      seen.count = count
      return []
    },
  }
  const spy: Embedder = {
    name: 'e',
    embed: async ([text = '']) => {
      seen.text = text
      return [new Float32Array([1])]
    },
  }
  const retriever = hybridRetriever({ engine: recording, embedder: spy })

  test.each(['', '   ', '?!"*', '\0\n'])('without a word (%j) find nothing and ask nobody', async (query) => {
    expect(await hybridRetriever({ engine: { searchText: never, searchVector: never }, embedder }).retrieve(query)).toEqual({ chunks: [] })
  })

  test('of 1 MB are cut to their first characters and terms', async () => {
    await retriever.retrieve(Array.from({ length: 130_000 }, (_, i) => `word${i} `).join(''))
    expect(seen.terms.length).toBe(128)
    expect(seen.text.length).toBe(8192)
    await retriever.retrieve('abc '.repeat(250_000))
    expect(seen.terms.length).toBe(1)
    await retriever.retrieve(`${'a'.repeat(8191)}😀`)
    expect(seen.text.endsWith('a\ufffd')).toBe(true)
  })

  test('ask each half for more than is wanted', async () => {
    await retriever.retrieve('query', { limit: 3 })
    expect(seen.count).toBe(50)
    await retriever.retrieve('query', { limit: 70 })
    expect(seen.count).toBe(70)
  })
})

import { ConfigurationError } from '@stickler/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexEngine } from '../retrieval/index-engine.ts'
import { expectSameIndex, expectSameText, expectSameVectors } from './compared-engines.ts'
import { documentsToIndex, embedding, indexDocument, queries, vectorsToFind } from './indexed-documents.ts'
import { referenceEngine } from './reference-engine.ts'

/** How an engine is opened for the tests that every engine must pass. */
interface EngineUnderTest {
  /** Opens a collection; the same one again for the same name. */
  open(collection: string): Promise<IndexEngine> | IndexEngine
  /** Whether it ranks text exactly as the engine in memory does; otherwise it must find the same passages. */
  readonly ranksAsMemory?: boolean
  /** How many random histories are played; 20. */
  readonly runs?: number
}

/** Registers the tests that every engine must pass; each has a collection of its own. */
export function testEngine({ open, ranksAsMemory = false, runs = 20 }: EngineUnderTest): void {
  let collections = 0
  const use = async <Result>(task: (engine: IndexEngine) => Promise<Result>): Promise<Result> => {
    const engine = await open(`c${process.pid}x${collections++}`)
    try {
      return await task(engine)
    } finally {
      await engine.close()
    }
  }

  test('an empty index finds nothing and holds nothing', () =>
    use(async (engine) => {
      expect(await engine.searchText(['a'], 5)).toEqual([])
      expect(await engine.searchVector(new Float32Array([1, 0]), embedding, 5)).toEqual([])
      expect([...(await engine.fingerprints(''))]).toEqual([])
      await engine.remove(['absent.md'])
      await engine.replace([])
      expect(await engine.facts()).toEqual({ documents: 0, chunks: 0 })
    }))

  test('searches without terms, for nothing or for zeros find nothing', () =>
    use(async (engine) => {
      await engine.replace([indexDocument('a.md', [['red', 'green']], [[1, 2]])], embedding)
      for (const limit of [0, -1]) {
        expect(await engine.searchText(['red'], limit)).toEqual([])
        expect(await engine.searchVector(new Float32Array([1, 2]), embedding, limit)).toEqual([])
      }
      expect(await engine.searchText([], 5)).toEqual([])
      expect(await engine.searchText(['', ' ', '"', '\0'], 5)).toEqual([])
      expect(await engine.searchVector(new Float32Array(2), embedding, 5)).toEqual([])
    }))

  test('operators and quotes of query languages are never read as such', () =>
    use(async (engine) => {
      await engine.replace([indexDocument('a.md', [['red'], ['green']])])
      for (const query of ['red" OR "green', 'NEAR(red green)', 'red*', '-red', 'terms:red', 'red AND NOT green', "red') --", 'r*', '^red'])
        expect((await engine.searchText([query], 5)).length).toBeLessThanOrEqual(2)
      for (const query of ['NOT', 'or', '*', 'gre*', '" OR ""', '{"match_all":{}}', 'a:*', '!gre', '%', '_'])
        expect(await engine.searchText([query], 5)).toEqual([])
    }))

  test('texts come back as they were, but for NUL and lone surrogates', () =>
    use(async (engine) => {
      const texts = ['a\0b', 'x\ud800y', '\udc00', '👩‍👩‍👧 𝔘𝔫𝔦 ẞß İı', 'line\r\nline\u2028\t', 'quote \' " \\ \\0 `', '']
      const chunks = texts.map((text, index) => ({ urn: `ü\0/${index}`, text, headings: [text, 'h'], terms: ['common'] }))
      await engine.replace([{ path: 'ü\0.md', fingerprint: 'f\0', chunks }])
      const shown = (text: string): string => text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd')
      const hits = await engine.searchText(['common'], 50)
      expect(new Set(hits.map(({ urn, text, headings }) => JSON.stringify([urn, text, headings])))).toEqual(
        new Set(texts.map((text, index) => JSON.stringify([`ü\ufffd/${index}`, shown(text), [shown(text), 'h']]))),
      )
      expect([...(await engine.fingerprints('ü\0.md'))]).toEqual([['ü\ufffd.md', 'f\ufffd']])
      await engine.remove(['ü\0.md'])
      expect(await engine.facts()).toEqual({ documents: 0, chunks: 0 })
    }))

  test('fingerprints are those at or below a path, and of nothing beside it', () =>
    use(async (engine) => {
      const paths = ['a', 'a.md', 'a/b.md', 'a/b/c.md', 'a0', 'a%', 'a_', 'A/b.md', 'ab/c.md', 'ä/b.md']
      await engine.replace(paths.map((path) => indexDocument(path, [['x']])))
      const below = async (path: string): Promise<string[]> => [...(await engine.fingerprints(path)).keys()].sort()
      expect(await below('')).toEqual([...paths].sort())
      for (const path of ['a', 'a/']) expect(await below(path)).toEqual(['a', 'a/b.md', 'a/b/c.md'])
      expect(await below('a/b')).toEqual(['a/b/c.md'])
      expect(await below('a%')).toEqual(['a%'])
      expect(await below('ä')).toEqual(['ä/b.md'])
      expect(await below('b')).toEqual([])
    }))

  test('vectors of another embedder, length or without a direction to compare are refused and change nothing', () =>
    use(async (engine) => {
      await engine.replace([indexDocument('a.md', [['red']], [[1, 2]]), indexDocument('b.md', [['blue']], [[2, 1]])], embedding)
      const other = [indexDocument('c.md', [['new']], [[1, 2, 3]])]
      const refused: [() => Promise<unknown>, RegExp][] = [
        [() => engine.replace(other, embedding), /--rebuild/],
        [() => engine.replace([indexDocument('c.md', [['new']], [[1, 2]])], 'other'), /--rebuild/],
        [() => engine.replace([indexDocument('a.md', [['new']], [[1, 2]])], 'other'), /--rebuild/],
        [() => engine.replace([indexDocument('c.md', [['new'], ['new']], [[1, 2], [1]])], embedding), /dimensions/],
        [() => engine.replace([indexDocument('c.md', [['new']], [[Number.NaN, 2]])], embedding), /finite/],
        [() => engine.replace([indexDocument('c.md', [['new']], [[1, Number.POSITIVE_INFINITY]])], embedding), /finite/],
        [() => engine.replace([indexDocument('c.md', [['new']], [[1, 2]])]), /name the embedder/],
        [() => engine.searchVector(new Float32Array([1, 2, 3]), embedding, 5), /dimensions/],
        [() => engine.searchVector(new Float32Array([1, 2]), 'other', 5), /--rebuild/],
        [() => engine.searchVector(new Float32Array([Number.NaN, 2]), embedding, 5), /finite/],
      ]
      for (const [attempt, words] of refused) {
        const error: unknown = await attempt().then(
          () => 'accepted',
          (thrown: unknown) => thrown,
        )
        expect(error).toBeInstanceOf(ConfigurationError)
        expect(String(error)).toMatch(words)
      }
      expect(await engine.facts()).toEqual({ documents: 2, chunks: 2, embedding: { name: embedding, dimensions: 2 } })
      expect(await engine.searchText(['new'], 5)).toEqual([])
      // Once none of them is left, vectors of any embedder are welcome.
      await engine.remove(['a.md', 'b.md'])
      await engine.replace(other, 'other')
      expect(await engine.facts()).toEqual({ documents: 1, chunks: 1, embedding: { name: 'other', dimensions: 3 } })
    }))

  test('collections do not see each other', () =>
    use((one) =>
      use(async (two) => {
        await one.replace([indexDocument('a.md', [['red']], [[1, 2]])], embedding)
        await two.replace([indexDocument('a.md', [['blue']], [[1, 2, 3]])], 'other')
        expect(await one.searchText(['blue'], 5)).toEqual([])
        expect(await two.searchText(['red'], 5)).toEqual([])
        await two.remove(['a.md'])
        expect(await one.facts()).toEqual({ documents: 1, chunks: 1, embedding: { name: embedding, dimensions: 2 } })
        expect((await one.searchVector(new Float32Array([1, 2]), embedding, 5)).length).toBe(1)
      }),
    ))

  test('a call whose caller has left is rejected with the reason', () =>
    use(async (engine) => {
      const signal = AbortSignal.abort(new Error('left'))
      for (const attempt of [
        () => engine.searchText(['a'], 5, signal),
        () => engine.searchVector(new Float32Array([1]), embedding, 5, signal),
        () => engine.fingerprints('', signal),
        () => engine.facts(signal),
        () => engine.replace([indexDocument('a.md', [['a']])], undefined, signal),
        () => engine.remove(['a.md'], signal),
      ])
        await expect(attempt()).rejects.toThrow('left')
      expect(await engine.facts()).toEqual({ documents: 0, chunks: 0 })
    }))

  test('any history of writes leads to the index that an engine in memory has', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: documentsToIndex.map((documents) => ({ documents })) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom('a.md', 'b.md', 'd/c.md', 'd/ü.md')).map((paths) => ({ paths })) },
    )
    await use((engine) =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), queries, vectorsToFind, async (steps, terms, vectors) => {
          // What histories before have left behind must not matter.
          await engine.remove([...(await engine.fingerprints('')).keys()])
          const memory = referenceEngine()
          for (const one of steps)
            for (const each of [engine, memory]) await ('paths' in one ? each.remove(one.paths) : each.replace(one.documents, embedding))
          await expectSameIndex(engine, memory)
          for (const query of terms) await expectSameText(engine, memory, query, ranksAsMemory)
          for (const vector of vectors) await expectSameVectors(engine, memory, vector)
        }),
        { numRuns: runs },
      ),
    )
  })
}

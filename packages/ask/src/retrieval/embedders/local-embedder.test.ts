import { terms, wordWeight } from '@stickler/core/internal/relevance'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localEmbedder } from './local-embedder.ts'

const { name, embed } = localEmbedder()
const cosine = (one: Float32Array, other: Float32Array) => one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
async function closeness(one: string, other: string): Promise<number> {
  const [a, b] = await embed([one, other])
  return cosine(a as Float32Array, b as Float32Array)
}

test('every text with a word that says something has a vector of length 1, the same on every call and embedder', async () => {
  const check = fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (texts) => {
    const vectors = await embed(texts)
    expect(vectors).toEqual(await localEmbedder().embed(texts))
    for (const [place, vector] of vectors.entries()) {
      expect(vector.length).toBe(512)
      expect(cosine(vector, vector)).toBeCloseTo(terms(texts[place] ?? '').some((term) => wordWeight(term) > 0) ? 1 : 0, 4)
    }
  })
  await fc.assert(check, { numRuns: 30 })
})

test('spellings, word forms and parts of compounds are closer than other words', async () => {
  expect(await closeness('retry budget', 'the budget for retries')).toBeGreaterThan(await closeness('retry budget', 'a streamed answer'))
  expect(await closeness('Datenbank', 'Datenbankverbindung')).toBeGreaterThan((await closeness('Datenbank', 'Verbindung')) + 0.2)
  expect(await closeness('configuration', 'confguration')).toBeGreaterThan((await closeness('configuration', 'certificate')) + 0.1)
})

test('the name is kept by an index, so it changes only with the vectors', async () => {
  expect(name).toMatch(/^local:512:v1\./)
})

test('one text of 10 MB, or many words that never repeat, take bounded time and memory', async () => {
  const words = Array.from({ length: 30_000 }, (_, i) => `w${i}x${i * 7}`).join(' ')
  expect((await embed(['x'.repeat(10_000_000), words, 'x '.repeat(5_000_000)])).length).toBe(3)
})

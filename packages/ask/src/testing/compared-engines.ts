import { expect } from 'vitest'
import type { Hit, IndexEngine } from '../retrieval/index-engine.ts'
import { embedding } from './indexed-documents.ts'

const everything = 1000
const limits = [1, 3, everything]

/** Fails unless two engines hold the same documents. */
export async function expectSameIndex(engine: IndexEngine, memory: IndexEngine): Promise<void> {
  expect(await engine.facts()).toEqual(await memory.facts())
  for (const below of ['', 'd', 'd/', 'a.md'])
    expect(new Map(await engine.fingerprints(below))).toEqual(new Map(await memory.fingerprints(below)))
}

/** Fails unless two engines find the same passages for terms. */
export async function expectSameText(engine: IndexEngine, memory: IndexEngine, terms: readonly string[], inOrder: boolean): Promise<void> {
  const scores = new Map((await memory.searchText(terms, everything)).map(({ urn, score }) => [urn, score]))
  for (const limit of limits) {
    const [found, expected] = [await engine.searchText(terms, limit), await memory.searchText(terms, limit)]
    expect(found.length).toBe(expected.length)
    expectOrdered(found)
    if (limit === everything) expect(contents(found, inOrder)).toEqual(contents(expected, inOrder))
    // Which of several equal ones are the last is up to the engine.
    else if (inOrder) for (const [at, { urn }] of found.entries()) expect(scores.get(urn)).toBeCloseTo(expected[at]?.score ?? Number.NaN, 4)
  }
}

/** Fails unless two engines find the same passages for a vector; only what rounding decides may differ. */
export async function expectSameVectors(engine: IndexEngine, memory: IndexEngine, vector: Float32Array): Promise<void> {
  const all = await memory.searchVector(vector, embedding, everything)
  const scores = new Map(all.map(({ urn, score }) => [urn, score]))
  for (const limit of limits) {
    const found = await engine.searchVector(vector, embedding, limit)
    expect(found.length).toBe(Math.min(limit, all.length))
    expectOrdered(found)
    const expected = all.slice(0, limit)
    for (const [index, { urn, score }] of found.entries()) {
      expect(score).toBeCloseTo(scores.get(urn) ?? Number.NaN, 4)
      expect(score).toBeCloseTo(expected[index]?.score ?? Number.NaN, 4)
    }
    if (limit === everything) expect(contents(found, false)).toEqual(contents(expected, false))
  }
}

function contents(hits: readonly Hit[], inOrder: boolean): string[] {
  const shown = hits.map(({ urn, text, headings }) => JSON.stringify([urn, text, headings]))
  return inOrder ? shown : shown.sort()
}

function expectOrdered(hits: readonly Hit[]): void {
  for (const [index, hit] of hits.entries()) {
    const before = hits[index - 1]
    if (before === undefined) continue
    expect(before.score).toBeGreaterThanOrEqual(hit.score)
    if (before.score === hit.score) expect(Buffer.compare(Buffer.from(before.urn), Buffer.from(hit.urn))).toBeLessThanOrEqual(0)
  }
}

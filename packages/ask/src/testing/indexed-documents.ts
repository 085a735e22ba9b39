import fc from 'fast-check'
import type { Chunk, IndexedDocument } from '../retrieval/index-engine.ts'

/** The name of the vectors that tests index. */
export const embedding = 'test'

/** A document with a chunk for each list of terms, and their vectors. */
export function indexDocument(
  path: string,
  terms: readonly (readonly string[])[],
  vectors: readonly (readonly number[])[] = [],
): IndexedDocument {
  const chunks = terms.map((list, index): Chunk => {
    const vector = vectors[index]
    const chunk = { urn: `${path}#L${index}-L${index}`, text: list.join(' '), headings: [path], terms: list }
    return vector === undefined ? chunk : { ...chunk, vector: new Float32Array(vector) }
  })
  return { path, fingerprint: JSON.stringify([terms, vectors]), chunks }
}

const words = [
  'red',
  'green',
  'blue',
  'über',
  'größe',
  'имя',
  '名前',
  '数据',
  '𝔘',
  'e2e',
  '2',
  'x1',
  'the',
  'or',
  'and',
  'not',
  'near',
  'é',
  'ﬁ',
  'ß',
  'ss',
]
const term = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)
const dimensions = 5
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }))
const vector = fc.oneof(
  { weight: 8, arbitrary: fc.array(number, { minLength: dimensions, maxLength: dimensions }) },
  { weight: 1, arbitrary: fc.constant(new Array<number>(dimensions).fill(0)) },
)

const document = fc
  .tuple(
    fc.constantFrom('a.md', 'b.md', 'd/c.md', 'd/ü.md'),
    fc.array(fc.tuple(fc.array(term, { maxLength: 8 }), fc.option(vector)), { maxLength: 6 }),
  )
  .map(([path, chunks]): IndexedDocument => {
    const made = indexDocument(
      path,
      chunks.map(([terms]) => terms),
    )
    const vectors = chunks.map(([, numbers]) => numbers)
    const withVector = (chunk: Chunk, index: number): Chunk => {
      const numbers = vectors[index]
      return numbers ? { ...chunk, vector: new Float32Array(numbers) } : chunk
    }
    return { ...made, chunks: made.chunks.map(withVector) }
  })

/** Documents of few paths, so that they replace each other; of a path that comes twice, the last counts. */
export const documentsToIndex: fc.Arbitrary<IndexedDocument[]> = fc.array(document, { maxLength: 4 })

/** What is searched for. */
export const queries: fc.Arbitrary<string[][]> = fc.array(fc.array(term, { maxLength: 5 }), { minLength: 1, maxLength: 4 })

/** Vectors that are searched for. */
export const vectorsToFind: fc.Arbitrary<Float32Array[]> = fc.array(
  vector.map((numbers) => new Float32Array(numbers)),
  { maxLength: 3 },
)

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomFrom } from '../../../../../../../bench/complexity/recipes.mjs'
import { seed } from '../../../../../../../tools/tests/random.ts'
import { CodeMatrix } from './code-matrix.ts'
import { plainKernel, simdKernel } from './dot-kernel.ts'
import { norm, quantize } from './quantized.ts'

const cosine = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / (norm(one) * norm(other))

function fill(matrix: CodeMatrix, vectors: readonly Float32Array[]): void {
  for (const [index, vector] of vectors.entries()) {
    const rounded = quantize(vector, 127, new Int8Array(vector.length))
    if (rounded) matrix.add(index + 1, rounded.scale, rounded.error, new Uint8Array(rounded.code.buffer))
  }
}

const sizes = fc.constantFrom(1, 2, 15, 16, 17, 33)
const value = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 }))
const vectors = sizes.chain((size) =>
  fc.array(
    fc.array(value, { minLength: size, maxLength: size }).map((numbers) => new Float32Array(numbers)),
    { minLength: 2, maxLength: 40 },
  ),
)

test('the candidates hold all of the closest, with and without SIMD, also after some are gone', () => {
  fc.assert(
    fc.property(vectors, fc.integer({ min: 1, max: 5 }), fc.func(fc.boolean()), ([query = new Float32Array(), ...rest], limit, stays) => {
      const kept = rest.map((_, index) => index + 1).filter((id) => stays(id))
      const found = [simdKernel(), plainKernel()].map((kernel) => {
        const matrix = new CodeMatrix(query.length, kernel)
        fill(matrix, rest)
        matrix.keep(new Set(kept))
        return matrix.candidates(query, limit)
      })
      expect(found[0]).toEqual(found[1])
      if (norm(query) === 0) {
        expect(found[0]).toEqual([])
        return
      }
      const exact = kept
        .map((id) => ({ id, vector: rest[id - 1] as Float32Array }))
        .filter(({ vector }) => norm(vector) > 0)
        .map(({ id, vector }) => ({ id, score: cosine(query, vector) }))
        .sort((one, other) => other.score - one.score)
      const least = exact[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
      // Within what summing up in another order may differ by.
      for (const { id, score } of exact) if (score > least + 1e-9 || exact.length <= limit) expect(found[0]).toContain(id)
    }),
    { numRuns: 200 },
  )
})

test('of many vectors only few have to be compared exactly', () => {
  const random = randomFrom(seed)
  const many = Array.from({ length: 5000 }, () => Float32Array.from({ length: 256 }, () => random() - 0.5))
  const matrix = new CodeMatrix(256)
  fill(matrix, many)
  for (const query of many.slice(0, 5)) {
    const candidates = matrix.candidates(query, 10)
    const closest = many
      .map((vector, index) => ({ id: index + 1, score: cosine(query, vector) }))
      .sort((one, other) => other.score - one.score)
    for (const { id } of closest.slice(0, 10)) expect(candidates).toContain(id)
    expect(candidates.length).toBeLessThan(200)
  }
})

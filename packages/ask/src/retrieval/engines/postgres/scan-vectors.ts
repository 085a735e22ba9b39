import type { Hit } from '../../index-engine.ts'
import { norm, quantize } from '../sqlite/vectors/quantized.ts'
import { urnOrder } from '../urn-order.ts'
import type { Query } from './database.ts'
import { type HitRow, hitOf } from './search-text.ts'
import type { Tables } from './tables.ts'

/** Vectors that are fetched at once; comparing them blocks for a few milliseconds. */
const batch = 1000
const steps = 127

interface CodeRow {
  readonly id: number
  readonly code: Buffer
  readonly scale: number
  readonly error: number
}

/** The cosine of a passage is at most `error` away from `about`. */
interface Near {
  readonly id: number
  readonly about: number
  readonly error: number
}

/**
 * A unit vector in bytes, with its maximum error; zero vectors, which have no direction, have no
 * scale.
 */
export function codeOf(vector: Float32Array): { readonly code: Int8Array; readonly scale: number; readonly error: number } {
  return quantize(vector, steps, new Int8Array(vector.length)) ?? { code: new Int8Array(vector.length), scale: 0, error: 0 }
}

/** A vector as bytes, little-endian on every machine. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, place) => {
    bytes.writeFloatLE(value, place * 4)
  })
  return bytes
}

/**
 * Compares with every vector in this process: first by bytes, with a known maximum error, then
 * exactly those that can be among the best.
 */
export async function scanVectors(query: Query, tables: Tables, vector: Float32Array, limit: number): Promise<Hit[]> {
  const length = norm(vector)
  const unit = Float64Array.from(vector, (value) => value / length)
  let best: Near[] = []
  let last = 0
  for (;;) {
    const rows = await query<CodeRow>(
      `select id, code, scale, error from ${tables.vectors} where id > $1 and scale > 0 order by id limit ${batch}`,
      [last],
    )
    for (const { id, code, scale, error } of rows) best.push({ id, about: scale * dot(unit, code), error })
    best = possible(best, limit)
    last = rows.at(-1)?.id ?? last
    if (rows.length < batch) break
  }
  const found = await query<HitRow & { readonly vector: Buffer }>(
    `select c.urn, c.text, c.headings, v.vector from ${tables.vectors} v join ${tables.chunks} c using (id) where id = any($1)`,
    [best.map(({ id }) => id)],
  )
  return found
    .map((row) => hitOf({ ...row, score: cosine(unit, row.vector) }))
    .sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn))
    .slice(0, limit)
}

/** Those that can be among the best: not below the lower bounds of as many others. */
function possible(near: readonly Near[], limit: number): Near[] {
  if (near.length <= limit) return [...near]
  const least = near.map(({ about, error }) => about - error).sort((one, other) => other - one)[limit - 1] ?? -1
  return near.filter(({ about, error }) => about + error >= least)
}

function dot(unit: Float64Array, code: Buffer): number {
  const numbers = new Int8Array(code.buffer, code.byteOffset, code.byteLength)
  let sum = 0
  for (let place = 0; place < unit.length; place++) sum += (unit[place] as number) * (numbers[place] as number)
  return sum
}

function cosine(unit: Float64Array, bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  let length = 0
  for (let place = 0; place < unit.length; place++) {
    const value = view.getFloat32(place * 4, true)
    sum += value * (unit[place] as number)
    length += value * value
  }
  return sum / Math.sqrt(length)
}

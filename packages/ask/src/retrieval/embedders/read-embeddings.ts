import { errorObjectFailure, isFields, parseJson, protocolFailure } from '@stickler/core/runners'

/** Reads the body of an embeddings response: one vector for each of `count` texts, in their order; throws a RunnerFailure for anything else. */
export function readEmbeddings(body: string, count: number): Float32Array[] {
  const parsed = parseJson(body)
  if (!isFields(parsed)) throw protocolFailure('the response is not a JSON object', body)
  const { data } = parsed
  if (!Array.isArray(data)) throw errorObjectFailure(parsed) ?? protocolFailure('the response has no list "data"', body)
  if (data.length !== count) throw protocolFailure(`the response has ${data.length} embeddings for ${count} texts`, '…')
  const vectors = new Array<Float32Array | undefined>(count)
  for (const entry of data as readonly unknown[]) {
    const { index, embedding } = isFields(entry) ? entry : {}
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw protocolFailure('an embedding has no index of its text', String(JSON.stringify(index)))
    if (vectors[index] !== undefined) throw protocolFailure('two embeddings have the same index', String(index))
    vectors[index] = readVector(embedding)
  }
  return vectors as Float32Array[]
}

/** A vector is a list of numbers, or little-endian 32-bit numbers in base64. */
function readVector(embedding: unknown): Float32Array {
  const vector = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding)
  if (vector === undefined || vector.length === 0) throw protocolFailure('an embedding is not a list of numbers', shown(embedding))
  if (!vector.every(Number.isFinite)) throw protocolFailure('an embedding holds a number that is not finite', shown(embedding))
  return vector
}

function fromNumbers(embedding: unknown): Float32Array | undefined {
  return Array.isArray(embedding) && embedding.every((value) => typeof value === 'number') ? Float32Array.from(embedding) : undefined
}

function fromBase64(text: string): Float32Array | undefined {
  const binary = decoded(text)
  if (binary === undefined || binary.length % 4 !== 0) return undefined
  const view = new DataView(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)).buffer)
  return Float32Array.from({ length: binary.length / 4 }, (_, place) => view.getFloat32(place * 4, true))
}

function decoded(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}

function shown(embedding: unknown): string {
  return String(JSON.stringify(embedding)).slice(0, 80)
}

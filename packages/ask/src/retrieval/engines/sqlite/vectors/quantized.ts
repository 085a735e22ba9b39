/** The length of a vector. */
export function norm(vector: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < vector.length; index++) sum += (vector[index] as number) ** 2
  return Math.sqrt(sum)
}

/** Brings a vector to length 1 and rounds it to `steps` on each side of zero; undefined for zeros, which have no direction. */
export function quantize<Code extends Int8Array | Int16Array>(
  vector: Float32Array,
  steps: number,
  code: Code,
): { readonly code: Code; readonly scale: number; readonly error: number } | undefined {
  const length = norm(vector)
  if (length === 0) return undefined
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = largest / length / steps
  let error = 0
  for (let index = 0; index < vector.length; index++) {
    const value = (vector[index] as number) / length
    code[index] = Math.round(value / scale)
    error += (value - scale * (code[index] as number)) ** 2
  }
  // A little more than computed, for what rounding of the sums may hide.
  return { code, scale, error: Math.sqrt(error) + 1e-9 }
}

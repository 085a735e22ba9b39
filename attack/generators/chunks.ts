import fc from 'fast-check'

/** Lengths of chunks, to be taken in turn: often single characters, which split line breaks and surrogate pairs. */
export const chunkLengths: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc.constant([2]),
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
)

/** Cuts a text into pieces of these lengths, in turn. */
export function cutText(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1)
    chunks.push(text.slice(at, end))
    at = end
  }
  return chunks
}

/** Longer lines are rejected, in bytes. */
export const longestLine = 64 * 1024 * 1024

/** One line of a byte stream, or why it cannot be used. */
export type Line = { readonly number: number; readonly bytes: number } & ({ readonly text: string } | { readonly problem: string })

const newline = 10

/** Splits bytes into lines, numbered from 1, without empty ones; buffers at most one line of `longest` bytes. */
export async function* readLines(chunks: AsyncIterable<Uint8Array | string>, longest: number): AsyncGenerator<Line> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  let number = 0

  function* finish(): Generator<Line> {
    number++
    const line = bytes > longest ? { number, bytes: 0, problem: `the line is longer than ${longest} bytes` } : decode(pieces, number, bytes)
    pieces.length = 0
    bytes = 0
    if (line) yield line
  }

  for await (const given of chunks) {
    const chunk = typeof given === 'string' ? Buffer.from(given) : given
    let from = 0
    while (from < chunk.length) {
      const at = chunk.indexOf(newline, from)
      const piece = chunk.subarray(from, at < 0 ? chunk.length : at)
      bytes += piece.length
      // A line that is already too long is counted, not kept.
      if (bytes > longest) pieces.length = 0
      else if (piece.length > 0) pieces.push(piece)
      if (at < 0) break
      yield* finish()
      from = at + 1
    }
  }
  if (bytes > 0) yield* finish()
}

function decode(pieces: readonly Uint8Array[], number: number, bytes: number): Line | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
    return text.trim() === '' ? undefined : { number, bytes, text }
  } catch {
    return { number, bytes, problem: 'the line is not UTF-8' }
  }
}

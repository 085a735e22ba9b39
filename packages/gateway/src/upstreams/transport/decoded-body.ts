import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { RunnerFailure } from '@stickler/core'
import { protocolFailure } from '@stickler/core/internal'
import { type ByteSource, readPiece, tooLarge } from '@stickler/core/internal/relay'

/** Decodes a body by its `content-encoding`, up to a limit; the body itself if it is not encoded. */
export function decodedBody(source: ByteSource, encoding: string | undefined, maxBytes: number): ByteSource {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return source
  return new DecodedBody(decode(source, name, maxBytes))
}

type Decoded = { readonly piece: Uint8Array | null } | { readonly failure: unknown }

class DecodedBody implements ByteSource {
  readonly #pieces: AsyncGenerator<Uint8Array, undefined>
  #next: Decoded | undefined

  constructor(pieces: AsyncGenerator<Uint8Array, undefined>) {
    this.#pieces = pieces
  }

  poll(): Uint8Array | null | undefined {
    const next = this.#next
    if (next === undefined) return undefined
    if ('failure' in next) throw next.failure
    if (next.piece !== null) this.#next = undefined
    return next.piece
  }

  wait(ready: () => void): void {
    const come = (next: Decoded): void => {
      this.#next = next
      ready()
    }
    this.#pieces.next().then(
      ({ value = null }) => come({ piece: value }),
      (failure: unknown) => come({ failure }),
    )
  }
}

async function* decode(source: ByteSource, encoding: string, maxBytes: number): AsyncGenerator<Uint8Array, undefined> {
  const first = await readPiece(source)
  if (first === undefined) return
  const decoder = decoderFor(encoding, first)
  if (decoder === undefined) throw protocolFailure('the response has an encoding that was not requested')
  // The callback takes errors that the loop below also gets.
  pipeline(piecesOf(first, source), decoder, () => {})
  let size = 0
  try {
    for await (const piece of decoder) {
      size += piece.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (thrown) {
    throw thrown instanceof RunnerFailure ? thrown : protocolFailure('the response is not encoded as its header says')
  } finally {
    decoder.destroy()
  }
}

async function* piecesOf(first: Uint8Array, source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let piece: Uint8Array | undefined = first; piece !== undefined; piece = await readPiece(source)) yield piece
}

function decoderFor(encoding: string, [byte = 0]: Uint8Array) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'br') return createBrotliDecompress()
  // Some servers send deflate without its zlib header.
  if (encoding === 'deflate') return (byte & 0x0f) === 8 ? createInflate() : createInflateRaw()
  return undefined
}

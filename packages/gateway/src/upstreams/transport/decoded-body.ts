import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { RunnerFailure } from '@stickler/core'
import { type MaybePromise, protocolFailure } from '@stickler/core/internal'
import { type ByteSource, pollUntil, tooLarge } from './transfer.ts'

/** Decodes a body by its `content-encoding`, up to a limit; the body itself if it is not encoded. */
export function decodedBody(source: ByteSource, encoding: string | undefined, maxBytes: number): ByteSource {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return source
  return new DecodedBody(decode(source, name, maxBytes))
}

/** Waits for the next piece; undefined at the end. */
export async function readPiece(source: ByteSource): Promise<Uint8Array | undefined> {
  const piece = await pollUntil(source, () => source.poll())
  return piece ?? undefined
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

/** Reading more than this at once blocks the event loop for more than a millisecond. */
export const largeBytes = 65_536

/** Reads the rest as text; a large text waits for its turn, and `lost` gets the bytes of a body that broke off. */
export function readText(
  source: ByteSource,
  { maxBytes, turn }: { readonly maxBytes: number; readonly turn?: (() => Promise<void>) | undefined },
  lost?: (bytes: number) => void,
): MaybePromise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  const take = (): true | undefined => {
    for (let piece = source.poll(); piece !== undefined; piece = source.poll()) {
      if (piece === null) return true
      size += piece.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      pieces.push(piece)
    }
    return undefined
  }
  return pollUntil(source, take).then(
    () => (size > largeBytes && turn !== undefined ? turn().then(() => joined(pieces)) : joined(pieces)),
    (thrown) => {
      if (size > 0) lost?.(size)
      throw thrown
    },
  )
}

function joined(pieces: readonly Uint8Array[]): string {
  const [only] = pieces
  const bytes = pieces.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(pieces)
  const text = bytes.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Reads the beginning as text; errors in the rest are ignored, unless the caller gave up. */
export async function readExcerpt(source: ByteSource, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let left = maxBytes; left > 0; ) {
    const piece = await readPiece(source).catch(stopUnlessAborted)
    if (piece === undefined) break
    text += decoder.decode(piece.subarray(0, left), { stream: true })
    left -= piece.length
  }
  return text
}

function stopUnlessAborted(thrown: unknown): undefined {
  if (thrown instanceof RunnerFailure && (thrown.kind === 'aborted' || thrown.kind === 'deadline')) throw thrown
  return undefined
}

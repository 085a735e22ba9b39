import { RunnerFailure } from '../../engine/runner-failure.ts'
import { Deferred, type MaybePromise } from '../../engine/waiting/deferred.ts'

/** A body, piece by piece. */
export interface ByteSource {
  /** What has arrived and is unread: a piece, null at the end, undefined if nothing has arrived; throws when no more will come. */
  poll(): Uint8Array | null | undefined
  /** Calls `ready` once, when there is something to poll; only one caller waits at a time. */
  wait(ready: () => void): void
}

/** Calls `poll` now, and whenever there may be more, until it returns something. */
export function pollUntil<T>(source: Pick<ByteSource, 'wait'>, poll: () => T | undefined): Deferred<T> {
  const found = new Deferred<T>()
  const read = (): void => {
    try {
      const given = poll()
      if (given === undefined) source.wait(read)
      else found.resolve(given)
    } catch (thrown) {
      found.reject(thrown)
    }
  }
  read()
  return found
}

/** Waits for the next piece; undefined at the end. */
export async function readPiece(source: ByteSource): Promise<Uint8Array | undefined> {
  const piece = await pollUntil(source, () => source.poll())
  return piece ?? undefined
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
  const decoder = new TextDecoder()
  const [only] = pieces
  // Most arrive in one piece. A byte order mark is left out.
  if (pieces.length === 1) return decoder.decode(only)
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
}

/** Reads the beginning as text; errors in the rest are ignored, unless the caller gave up. */
export async function readExcerpt(source: ByteSource, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBeginning(source, maxBytes), { stream: true })
}

/** Reads the beginning, as `readExcerpt` does, and gives its bytes. */
export async function readBeginning(source: ByteSource, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  while (size < maxBytes) {
    const piece = await readPiece(source).catch(stopUnlessAborted)
    if (piece === undefined) break
    pieces.push(piece.subarray(0, maxBytes - size))
    size += Math.min(piece.length, maxBytes - size)
  }
  const bytes = new Uint8Array(size)
  for (let at = 0, index = 0; index < pieces.length; at += pieces[index++]?.length ?? 0) bytes.set(pieces[index] as Uint8Array, at)
  return bytes
}

function stopUnlessAborted(thrown: unknown): undefined {
  if (thrown instanceof RunnerFailure && (thrown.kind === 'aborted' || thrown.kind === 'deadline')) throw thrown
  return undefined
}

/** The failure of a response that exceeds its limit. */
export function tooLarge(maxBytes: number): RunnerFailure {
  return new RunnerFailure('protocol', `the response is larger than ${maxBytes} bytes`)
}

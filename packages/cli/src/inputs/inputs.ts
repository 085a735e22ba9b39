import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { FileFault, openRegularFile, unlikeFile } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { whyNot } from '../files/why-not.ts'
import type { Io } from '../io.ts'
import { largestText } from './limits.ts'

/** An input to read answers from. */
export interface Input {
  /** Display name. */
  readonly name: string
  /** The file as it was found; absent for standard input. */
  readonly file?: string
  /** In bytes, if known. */
  readonly size: number | undefined
  /** Opens it; the caller destroys the stream when it is done with it. */
  open(): Readable
}

/** Finds a regular file, or standard input for `-`; throws a UsageError when it cannot be read. */
export async function findInput(written: string, io: Pick<Io, 'stdin' | 'cwd'>): Promise<Input> {
  if (written === '-') return { name: '<stdin>', size: undefined, open: () => io.stdin }
  const path = resolve(io.cwd, written)
  try {
    return { name: written, file: written, size: await sizeOf(path), open: () => Readable.from(contentOf(path), { objectMode: false }) }
  } catch (error) {
    const advice = error instanceof FileFault && error.kind === 'pipe' ? '; pass - and pipe it to standard input' : ''
    throw new UsageError(`cannot read ${written}: ${whyNot(error)}${advice}`)
  }
}

/** Checks without opening: a named pipe must not block, and a thousand files are opened only once. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path)
  const fault = unlikeFile(found)
  if (fault !== undefined) throw fault
  return found.size
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  const handle = await openRegularFile(path)
  yield* handle.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>
}

/** A whole text, and whether invalid UTF-8 in it was replaced. */
export interface ReadText {
  readonly text: string
  readonly damaged: boolean
  /** Whether it begins with a byte order mark, which is not part of the text. */
  readonly hasMark: boolean
}

/** Reads an input piece by piece until the signal fires; what cannot be read is a UsageError. */
export async function* readInput({ name, open }: Pick<Input, 'name' | 'open'>, signal?: AbortSignal): AsyncGenerator<Uint8Array | string> {
  // Listeners added after an abort are not called.
  signal?.throwIfAborted()
  const stream = open()
  const stop = (): void => void stream.destroy()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    yield* stream as AsyncIterable<Uint8Array | string>
  } catch (error) {
    // A destroyed stream emits an error that hides the real cause.
    signal?.throwIfAborted()
    throw new UsageError(`cannot read ${name}: ${whyNot(error)}`)
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** Reads an input to its end as text. */
export async function readText(input: Pick<Input, 'name' | 'open'>, signal: AbortSignal): Promise<ReadText> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of readInput(input, signal)) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    size += piece.length
    if (size > largestText) throw new UsageError(`cannot read ${input.name}: it is larger than ${largestText} bytes`)
    pieces.push(piece)
  }
  signal.throwIfAborted()
  return decode(Buffer.concat(pieces))
}

function decode(bytes: Uint8Array): ReadText {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), damaged: false, hasMark }
  } catch {
    return { text: new TextDecoder('utf-8').decode(bytes), damaged: true, hasMark }
  }
}

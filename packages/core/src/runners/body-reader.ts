import { RunnerFailure } from '../engine/runner-failure.ts'
import type { CancelScope } from './cancel-scope.ts'
import { connectionFailure } from './failures/provider-failures.ts'

/** The limits of a body. */
interface BodyLimits {
  /** Most milliseconds between two pieces. */
  readonly idleMs: number
  readonly maxBytes: number
  /** Called when the first piece or the end has come. */
  readonly onFirst: () => void
}

/** Reads the body of a response piece by piece, within limits of time and size. */
export class BodyReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #scope: CancelScope
  readonly #limits: BodyLimits
  #size = 0
  #begun = false

  constructor(body: ReadableStream<Uint8Array> | null, scope: CancelScope, limits: BodyLimits) {
    this.#reader = body?.getReader()
    this.#scope = scope
    this.#limits = limits
  }

  /** The next piece; nothing at the end. */
  async read(): Promise<Uint8Array | undefined> {
    const { idleMs, maxBytes, onFirst } = this.#limits
    const piece = await this.#next(this.#begun ? idleMs : undefined)
    this.#begun = true
    onFirst()
    this.#size += piece?.length ?? 0
    if (this.#size > maxBytes) throw new RunnerFailure('protocol', `the response is larger than ${maxBytes} bytes`)
    return piece
  }

  /** The whole rest as text. */
  async text(): Promise<string> {
    const decoder = new TextDecoder()
    const pieces: string[] = []
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) {
      pieces.push(decoder.decode(piece, { stream: true }))
    }
    return pieces.join('') + decoder.decode()
  }

  /** The beginning as text; what is wrong with the rest does not matter. */
  async excerpt(maxBytes: number): Promise<string> {
    const decoder = new TextDecoder()
    const pieces: string[] = []
    let left = maxBytes
    while (left > 0) {
      const piece = await this.read().catch(stopUnlessAborted)
      if (piece === undefined) break
      pieces.push(decoder.decode(piece.subarray(0, left), { stream: true }))
      left -= piece.length
    }
    return pieces.join('')
  }

  /** Waits a moment for an end that is already on its way, so that the connection can be used again. */
  async settle(ms: number): Promise<void> {
    await this.#next(ms).catch(stopUnlessAborted)
  }

  /** Drops the rest. */
  cancel(): void {
    this.#reader?.cancel().catch(() => {})
  }

  async #next(limitMs: number | undefined): Promise<Uint8Array | undefined> {
    if (this.#reader === undefined) return undefined
    const lift = limitMs === undefined ? undefined : this.#scope.limit(limitMs, `the provider sent nothing for ${limitMs} ms`)
    try {
      const { done, value } = await this.#scope.hold(this.#reader.read())
      return done ? undefined : value
    } catch (thrown) {
      throw connectionFailure(thrown, { hasAnswered: true })
    } finally {
      lift?.()
    }
  }
}

function stopUnlessAborted(thrown: unknown): undefined {
  if (thrown instanceof RunnerFailure && thrown.kind === 'aborted') throw thrown
  return undefined
}

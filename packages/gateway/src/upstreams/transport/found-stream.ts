import { readPiece } from './decoded-body.ts'
import type { ByteSource } from './transfer.ts'
import type { Incoming } from './transport.ts'

/** The body of a response, and whether it is a stream of events. */
export interface FoundBody {
  readonly isStream: boolean
  readonly body: ByteSource
}

/** Tells whether a response is a stream of events. Providers may answer in the other way than they were asked, or label a stream as JSON. */
export function foundStream({ contentType, body }: Incoming, asked: boolean): FoundBody | Promise<FoundBody> {
  const type = contentType.toLowerCase()
  if (type.includes('event-stream')) return { isStream: true, body }
  if (!asked || type.includes('html')) return { isStream: false, body }
  return type.includes('json') ? peeked(body) : { isStream: true, body }
}

/** Reads until something else than white space has come, and gives that again. */
async function peeked(body: ByteSource): Promise<FoundBody> {
  const pieces: Uint8Array[] = []
  let seen = ''
  while (seen.trim() === '') {
    const piece = await readPiece(body)
    if (piece === undefined) break
    pieces.push(piece)
    seen += Buffer.from(piece.subarray(0, 64)).toString('latin1')
  }
  return {
    isStream: /^\s*(?::|data:|event:|id:|retry:)/.test(seen),
    body: { poll: () => pieces.shift() ?? body.poll(), wait: (ready) => body.wait(ready) },
  }
}

import type { Incoming } from './transport.ts'

/** A response, and whether it is a stream of events. */
export interface FoundReply {
  readonly isStream: boolean
  readonly response: Incoming
}

/** Tells whether a response is a stream of events. Providers may answer in the other way than they were asked, or label a stream as JSON. */
export async function foundStream(response: Incoming, asked: boolean): Promise<FoundReply> {
  const type = response.contentType.toLowerCase()
  if (type.includes('event-stream')) return { isStream: true, response }
  if (!asked || type.includes('html')) return { isStream: false, response }
  return type.includes('json') ? peeked(response) : { isStream: true, response }
}

/** Reads until something else than white space has come, and gives that again. */
async function peeked(response: Incoming): Promise<FoundReply> {
  const { status, contentType, maxBytes, turn, body } = response
  const pieces: Uint8Array[] = []
  let seen = ''
  while (seen.trim() === '') {
    const piece = await body.read()
    if (piece === undefined) break
    pieces.push(piece)
    seen += Buffer.from(piece.subarray(0, 64)).toString('latin1')
  }
  return {
    isStream: /^\s*(?::|data:|event:|id:|retry:)/.test(seen),
    response: {
      status,
      contentType,
      maxBytes,
      turn,
      body: { read: async () => pieces.shift() ?? body.read() },
      passedHeaders: () => response.passedHeaders(),
      hurry: (idleMs) => response.hurry(idleMs),
      finish: () => response.finish(),
      destroy: () => response.destroy(),
    },
  }
}

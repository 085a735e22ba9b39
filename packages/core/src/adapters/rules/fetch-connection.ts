import type { Clock } from '../../contract/ports.ts'
import { BodyReader } from '../../runners/body-reader.ts'
import { openCancelScope } from '../../runners/cancel-scope.ts'
import { post, throwUnlessOk } from '../../runners/openai/post.ts'
import type { RuleConnection, RuleTarget } from './rule-connection.ts'

/** What a connection needs beside its target. */
interface FetchPorts {
  readonly clock: Clock
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The way to a service by `fetch`, which keeps connections open where the platform does. */
export function fetchConnection({ url, headers, timeoutMs, maxBytes }: RuleTarget, { clock, fetch: given }: FetchPorts): RuleConnection {
  const send: typeof globalThis.fetch = given ?? ((...request) => globalThis.fetch(...request))
  return {
    async post(body, signal) {
      const scope = openCancelScope(signal, clock)
      const json = { 'content-type': 'application/json', accept: 'application/json' }
      let reader: BodyReader | undefined
      try {
        const response = await post({ url, headers: new Headers({ ...headers, ...json }), content: body, send, scope })
        reader = new BodyReader(response.body, scope, { idleMs: timeoutMs, maxBytes, onFirst: () => {} })
        await throwUnlessOk(response, reader, () => 0)
        const contentType = response.headers.get('content-type') ?? ''
        return { status: response.status, contentType, body: await wholeBody(reader) }
      } finally {
        reader?.cancel()
        scope.release()
      }
    },
    async probe(signal) {
      const response = await send(url, { method: 'HEAD', headers: new Headers(headers), redirect: 'manual', signal })
      await response.body?.cancel()
    },
    async close() {},
  }
}

/** All that is left of a body. */
export async function wholeBody(source: { read(): Promise<Uint8Array | undefined> }): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for (let piece = await source.read(); piece !== undefined; piece = await source.read()) {
    pieces.push(piece)
    size += piece.length
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

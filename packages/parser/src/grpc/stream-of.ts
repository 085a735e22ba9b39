import type { ServerHttp2Stream } from 'node:http2'

/** The stream of a call, which gRPC does not show; undefined where it is not found. */
export function streamOf(call: object): ServerHttp2Stream | undefined {
  type Inner = { readonly stream?: ServerHttp2Stream; readonly call?: Inner; readonly nextCall?: Inner }
  let inner: Inner | undefined = call
  while (inner !== undefined && inner.stream === undefined) inner = inner.nextCall ?? inner.call
  return inner?.stream
}

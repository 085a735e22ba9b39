import { RunnerFailure } from '@stickler/core'
import { asRunnerFailure, isFields, redactFailure } from '@stickler/core/internal'
import { readPiece } from '@stickler/core/internal/relay'
import type { PassedReply, Upstream } from '../upstream.ts'
import { MultipartForm } from './multipart-form.ts'
import type { Incoming, Transport } from './transport.ts'

/** Makes the function that passes bodies on; an error status is thrown as for any other call. */
export function passer(
  transport: Transport,
  pathOf: (path: string, body: Readonly<Record<string, unknown>>) => string,
): NonNullable<Upstream['pass']> {
  return async (path, body, options) => {
    if (!/^(?:\/[\w-]+){1,8}$/.test(path)) throw new RunnerFailure('http', 'the provider has no such path', { status: 404 })
    const isForm = body instanceof MultipartForm
    const fields = isForm ? body.fields() : isFields(body) ? body : {}
    const content = isForm ? body.bytes() : JSON.stringify(body)
    const stream = fields.stream === true || fields.stream === 'true'
    // Audio and images are answers too.
    const headers = { ...options.apiHeaders, accept: '*/*', ...(isForm ? { 'content-type': body.contentType } : {}) }
    const response = await transport.send({ method: 'POST', path: pathOf(path, fields), body: content, stream, headers }, options)
    const passed = response.passedHeaders()
    return {
      status: response.status,
      contentType: response.contentType,
      ...(passed === undefined ? {} : { headers: passed }),
      body: bodyOf(response, transport),
    } satisfies PassedReply
  }
}

async function* bodyOf(response: Incoming, { redact }: Transport): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = await readPiece(response.body); piece !== undefined; piece = await readPiece(response.body)) yield piece
  } catch (thrown) {
    throw redactFailure(asRunnerFailure(thrown), redact)
  } finally {
    response.transfer.destroy()
  }
}

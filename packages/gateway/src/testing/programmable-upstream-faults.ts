import { createGzip } from 'node:zlib'
import type { Behaviour, UpstreamExchange } from './programmable-upstream.ts'
import { answering, answeringBody, type Manner } from './programmable-upstream-answers.ts'

/** Takes the request and never answers. */
export const silence: Behaviour = () => {}

/** Closes the connection without an answer. */
export const hangUp: Behaviour = ({ socket }) => void socket.destroy()

/** Resets the connection without an answer. */
export const reset: Behaviour = ({ socket }) => void socket.resetAndDestroy()

/** Sends headers and the beginning of a body, then nothing. */
export function stalling(beginning = '{"id":"chatcmpl-1","choices":['): Behaviour {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(beginning)
  }
}

/** Streams some events of an answer, then nothing. */
export function fallingSilent(text: string, events: number, manner: Manner = {}): Behaviour {
  return answering(text, { ...manner, stream: true, events, afterwards: () => {} })
}

/** Streams some events of an answer, then resets the connection. */
export function breakingOff(text: string, events: number, manner: Manner = {}): Behaviour {
  return answering(text, { ...manner, stream: true, events, afterwards: resetSoon })
}

/** Streams some events of an answer, then ends the response properly, without the end of the answer. */
export function endingEarly(text: string, events: number, manner: Manner = {}): Behaviour {
  return answering(text, { ...manner, stream: true, events, afterwards: ({ response }) => void response.end() })
}

/** Declares more bytes than it sends. */
export function shortBody(body: string, declared: number): Behaviour {
  return ({ socket }) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${declared}\r\n\r\n${body}`)
  }
}

/** Answers with an error status in the shape of OpenAI. */
export function failing(status: number, headers: Readonly<Record<string, string>> = {}, message = `status ${status}`): Behaviour {
  return answeringBody({ error: { message, type: 'test_error', param: null, code: null } }, { status, headers })
}

/** Answers with a redirect. */
export function redirecting(status: number, location: string): Behaviour {
  return answeringBody('', { status, headers: { location } })
}

/** Sends bytes as they are in place of an HTTP response, then closes. */
export function rawResponse(bytes: string | Uint8Array): Behaviour {
  return ({ socket }) => void socket.end(bytes)
}

/** Sends a body byte by byte, with a pause between them. */
export function dripping(body: string, pauseMs: number): Behaviour {
  return async (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json' })
    for (const byte of Buffer.from(body)) {
      await exchange.wait(pauseMs)
      if (!(await exchange.write(Buffer.of(byte)))) return
    }
    exchange.response.end()
  }
}

/** Sends pieces of a body or of a stream for ever. */
export function endless(contentType: string, piece: string): Behaviour {
  return async (exchange) => {
    exchange.response.writeHead(200, { 'content-type': contentType })
    while (await exchange.write(piece)) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A stream of chunks without an end. */
export const endlessStream: Behaviour = endless(
  'text/event-stream',
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: 'more '.repeat(200) } }] })}\n\n`,
)

/** Sends a body that grows to `bytes` when it is decoded. */
export function bomb(bytes: number): Behaviour {
  return async (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    const gzip = createGzip()
    gzip.on('error', () => {})
    gzip.pipe(exchange.response)
    const zeros = Buffer.alloc(64 * 1024, 0x20)
    for (let sent = 0; sent < bytes && !exchange.socket.destroyed; sent += zeros.length) {
      if (!gzip.write(zeros)) await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), exchange.request.closed])
    }
    gzip.end()
  }
}

/** Declares an encoding that the body does not have. */
export function lyingEncoding(encoding: string): Behaviour {
  return answeringBody({ id: 'x', choices: [] }, { headers: { 'content-encoding': encoding } })
}

/** Answers, then closes the connection that it promised to keep; with some luck while the next request is on its way. */
export function closingAfter(behaviour: Behaviour, afterMs = 0): Behaviour {
  return async (exchange) => {
    await behaviour(exchange)
    setTimeout(() => exchange.socket.destroy(), afterMs).unref()
  }
}

/** Answers the first request of a connection, and resets the connection on the next ones. */
export function servingOnce(behaviour: Behaviour): Behaviour {
  const served = new WeakSet<object>()
  return (exchange) => {
    if (served.has(exchange.socket)) return reset(exchange)
    served.add(exchange.socket)
    return behaviour(exchange)
  }
}

/** What was written before must have arrived before the connection is reset. */
async function resetSoon({ socket, wait }: UpstreamExchange): Promise<void> {
  await wait(20)
  socket.resetAndDestroy()
}

import type { IncomingMessage, ServerResponse } from 'node:http'

const longestMs = 1000
const mostBytes = 16 * 1024 * 1024

/** Ends an answer that came before the end of its request: a connection that is closed with unread bytes would take the answer away with it. */
export function linger(request: IncomingMessage, response: ServerResponse, body: string | Uint8Array): void {
  let skipped = 0
  const end = () => {
    clearTimeout(timer)
    if (!response.writableEnded) response.end()
  }
  const timer = setTimeout(end, longestMs).unref()
  response.write(body)
  request.removeAllListeners('data')
  request.on('data', (chunk: Uint8Array) => {
    skipped += chunk.length
    if (skipped > mostBytes) end()
  })
  request.once('end', end)
  response.once('close', () => clearTimeout(timer))
  request.resume()
}

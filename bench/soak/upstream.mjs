import { once } from 'node:events'
import { createServer } from 'node:http'

const frame = { id: 'chatcmpl-1', created: 1_800_000_000, model: 'm' }
const whole = (text) =>
  JSON.stringify({
    ...frame,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  })
const event = (delta, finish = null) =>
  `data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** How a provider fails, by the word that a request asks for it with; each ends in an error for the client. */
const faults = {
  overloaded: (response) => response.writeHead(503, { 'retry-after': '1' }).end('{"error":{"message":"busy"}}'),
  limited: (response) => response.writeHead(429).end('{"error":{"message":"slow down"}}'),
  reset: (response) => response.socket.resetAndDestroy(),
  garbage: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
  broken(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event({ role: 'assistant', content: 'It begins' }))
    setTimeout(() => response.destroy(), 5)
  },
  wrong: (response, isStream) => send(response, isStream, 'These are far more words than the contract allows.'),
}

/** The names of all faults. */
export const faultNames = Object.keys(faults)

/** Starts a provider that answers, unless a request asks for a fault. */
export async function startUpstream() {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    response.on('error', () => {})
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const isStream = body.includes('"stream":true')
      const fault = /fault: (\w+)/.exec(body)?.[1]
      // Some time, so that clients that leave do so in the middle.
      setTimeout(() => (fault === undefined ? send(response, isStream, 'Use spaces.') : faults[fault](response, isStream)), 5)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    closeIdle: () => server.closeIdleConnections(),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send(response, isStream, text) {
  if (response.destroyed) return
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole(text))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event({ role: 'assistant', content: '' }))
  for (const word of text.split(/(?<= )/)) response.write(event({ content: word }))
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`)
}

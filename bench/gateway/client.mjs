import { once } from 'node:events'
import { connect } from 'node:net'

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')
/** A server that hangs ends the benchmark, which would wait for ever otherwise. */
const patienceMs = 60_000

/** A request as it goes over the wire: the client must cost less than what it measures. */
export function requestBytes(body, headers = {}) {
  const text = JSON.stringify(body)
  const fields = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/** Sends the same request again and again over kept connections until `enough` says so; tells how many were answered, and how fast each. */
export async function load({ port, request, connections, enough }) {
  const started = performance.now()
  const times = []
  const isEnough = () => enough(times.length, performance.now() - started)
  await Promise.all(Array.from({ length: connections }, () => repeat(port, request, isEnough, times)))
  return { requests: times.length, ms: performance.now() - started, times }
}

async function repeat(port, request, isEnough, times) {
  const socket = await open(port)
  try {
    await new Promise((resolve, reject) => {
      let received = []
      let sentAt = 0
      const send = () => {
        if (isEnough()) return resolve()
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('data', (piece) => {
        received.push(piece)
        const all = received.length === 1 ? piece : Buffer.concat(received)
        if (!isWhole(all)) return
        if (!isGood(all)) return reject(new Error(`a request failed: ${all.toString().slice(0, 500)}`))
        received = []
        times.push(performance.now() - sentAt)
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed the connection')))
      send()
    })
  } finally {
    socket.removeAllListeners('close').destroy()
  }
}

/** Asks once over a connection of its own, and reads to its end. */
export async function ask(port, request, onPiece = () => {}) {
  const socket = await open(port)
  const sentAt = performance.now()
  const pieces = []
  socket.on('data', (piece) => {
    pieces.push(piece)
    onPiece(piece, performance.now() - sentAt)
    // Long streams are chunked: only their last bytes are looked at.
    const seen = pieces.length <= 4 ? Buffer.concat(pieces) : Buffer.concat(pieces.slice(-lastChunk.length))
    if (isChunkedEnd(seen) || (pieces.length <= 4 && isWhole(seen))) socket.end()
  })
  socket.write(request)
  await once(socket, 'close')
  return Buffer.concat(pieces)
}

/** Milliseconds until a text has arrived. */
export async function timeUntil(port, request, wanted) {
  let came
  let head = ''
  const reply = await ask(port, request, (piece, ms) => {
    if (came !== undefined) return
    head += piece.toString('latin1')
    if (head.includes(wanted)) came = ms
  })
  if (came === undefined) throw new Error(`"${wanted}" never came: ${reply.toString().slice(0, 500)}`)
  return came
}

/** Reads streams, several at once, each over a connection of its own; tells how many milliseconds that took. */
export async function readStreams({ port, request, connections, streams }) {
  const started = performance.now()
  let left = streams
  const reader = async () => {
    while (left-- > 0) {
      const reply = await ask(port, request)
      if (!isGood(reply) || reply.indexOf('[DONE]') < 0) throw new Error(`a stream failed: ${reply.toString().slice(-500)}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, reader))
  return performance.now() - started
}

/** What a reply says: its status, and its text, whole or put together from a stream. */
export function readReply(bytes) {
  const text = bytes.toString()
  const status = Number(text.slice(9, 12))
  const deltas = [...text.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, json]) => JSON.parse(json))
  if (deltas.length > 0) {
    const said = deltas.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')
    return { status, said, error: deltas.find(({ error }) => error !== undefined)?.error }
  }
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return { status, said: status < 300 ? JSON.parse(json).choices[0].message.content : '', error: undefined }
}

async function open(port) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.setTimeout(patienceMs, () => socket.destroy(new Error(`nothing came from port ${port} for ${patienceMs} ms`)))
  return socket.setNoDelay(true)
}

function isWhole(bytes) {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return false
  const length = /\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1]
  return length === undefined ? isChunkedEnd(bytes) : bytes.length >= end + headEnd.length + Number(length)
}

function isChunkedEnd(bytes) {
  return bytes.length >= lastChunk.length && bytes.subarray(-lastChunk.length).equals(lastChunk)
}

function isGood(bytes) {
  return bytes.toString('latin1', 9, 12) === '200'
}

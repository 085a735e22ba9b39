import { createServer } from 'node:http'
import { flowingAnswer, longAnswer, nestedAnswer, wholeAnswer, words, wrongAnswer } from './answers.mjs'

/** The provider: it knows its answers by heart, so that it costs little. */

const frame = { id: 'chatcmpl-1', created: 1_800_000_000, model: 'some-model' }
const usage = { prompt_tokens: 30, completion_tokens: 250, total_tokens: 280 }
/** So many events go into one write. */
const burst = 16
/** The rest of a stream whose first word is measured. */
const pauseMs = 10

const texts = {
  whole: wholeAnswer,
  flowing: flowingAnswer,
  single: flowingAnswer,
  long: longAnswer,
  wrong: wrongAnswer,
  nested: nestedAnswer,
}
const replies = new Map(Object.entries(texts).map(([name, text]) => [name, { whole: wholeReply(text), events: streamed(text) }]))

// Candidates wait for their turn longer than connections are kept by default.
createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('latin1')
    const reply = replies.get(/"model":"(\w+)"/.exec(body)?.[1])
    if (reply === undefined) response.writeHead(404).end()
    else if (!body.includes('"stream":true')) sendWhole(response, reply.whole)
    else if (body.includes('"model":"flowing"')) sendSlowly(response, reply.events)
    else if (body.includes('"model":"single"')) sendSingly(response, reply.events)
    else sendQuickly(response, reply.events)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')

function sendWhole(response, bytes) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
}

/** The first word at once, the rest later: whoever waits for the rest is seen. */
function sendSlowly(response, [role, first, ...rest]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(Buffer.concat([role, first]))
  setTimeout(() => response.end(Buffer.concat(rest)), pauseMs)
}

/** Each event in a write of its own, late enough that none arrives together with another. */
function sendSingly(response, [first, ...rest]) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (rest.length === 0) return response.end(first)
  response.write(first)
  setTimeout(() => response.destroyed || sendSingly(response, rest), 2)
}

function sendQuickly(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let at = 0
  const next = () => {
    if (response.destroyed) return
    const bytes = Buffer.concat(events.slice(at, at + burst))
    at += burst
    if (at >= events.length) response.end(bytes)
    else if (response.write(bytes)) setImmediate(next)
    else response.once('drain', next)
  }
  next()
}

function wholeReply(content) {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return Buffer.from(JSON.stringify({ ...frame, object: 'chat.completion', choices, usage }))
}

function streamed(text) {
  const chunk = (delta, finish_reason = null) => ({
    ...frame,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const chunks = [chunk({ role: 'assistant', content: '' }), ...words(text).map((content) => chunk({ content })), chunk({}, 'stop')]
  const last = { ...frame, object: 'chat.completion.chunk', choices: [], usage }
  return [...[...chunks, last].map((data) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`)), Buffer.from('data: [DONE]\n\n')]
}

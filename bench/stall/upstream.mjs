import { createServer } from 'node:http'
import { hostileInputs } from '../hostile-inputs.mjs'

const size = 1_000_000
const json = {
  'an open string': (length) => `["${'a'.repeat(length)}`,
  'stray quotes': (length) => `{"a": "${'x" y '.repeat(length / 5)}`,
  'small lists': (length) => `{"a": [${'[],'.repeat(length / 3)}1]}`,
  'a large string': (length) => `{"a": "${'b'.repeat(length)}"}`,
  commas: (length) => `[${','.repeat(length)}`,
}
const prose = { ...hostileInputs, citations: (length) => 'a[^9] '.repeat(length / 6), words: (length) => 'a '.repeat(length / 2) }
const bodies = { prose: bodiesOf(prose), object: bodiesOf(json) }
let asked = 0

/** A provider that answers with one hostile text after the other, whole or in one chunk. */
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  response.on('error', () => {})
  request.on('end', () => {
    const { model, stream } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const answers = bodies[model]
    const { whole, events } = answers[asked++ % answers.length]
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' }).end(stream ? events : whole)
  })
})
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }))

function bodiesOf(shapes) {
  return Object.values(shapes).map((make) => {
    const content = make(size)
    const frame = { id: 'chatcmpl-1', created: 1_800_000_000, model: 'm' }
    const event = (delta, finish) =>
      `data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    const message = { role: 'assistant', content }
    return {
      whole: JSON.stringify({ ...frame, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
      events: `${event(message, null)}${event({}, 'stop')}data: [DONE]\n\n`,
    }
  })
}

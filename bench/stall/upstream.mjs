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
const many = (count, make) => Array.from({ length: count }, (_, at) => make(at))
const fields = (count) => Object.fromEntries(many(count, (at) => [`f${at}`, at]))
const nested = (depth) => '{"a":['.repeat(depth) + ']}'.repeat(depth)
const citation = (at) => ({
  type: 'url_citation',
  url_citation: { url: `https://a.example/${at}`, title: 't', start_index: at, end_index: at + 1 },
})
const token = (at) => ({ token: `t${at % 50}`, logprob: -0.1, bytes: [97, 98] })

/** More than is read, and nearly as much as is; what is beside the text, of the message or of the choice. */
const wide = {
  '500 000 fields': { message: fields(500_000) },
  '9 000 fields': { message: fields(9_000) },
  '150 000 annotations': { message: { annotations: many(150_000, citation) } },
  '9 000 annotations': { message: { annotations: many(9_000, citation) } },
  '150 000 parts': { message: { content: many(150_000, () => ({ type: 'text', text: '' })) } },
  '100 000 calls': {
    message: { tool_calls: many(100_000, (at) => ({ id: `t${at}`, type: 'function', function: { name: 'f', arguments: '{}' } })) },
  },
  '150 000 citations': { message: { citations: many(150_000, (at) => `https://a.example/${at}`) } },
  '1 500 probabilities': { choice: { logprobs: { content: many(1_500, (at) => ({ ...token(at), top_logprobs: many(20, token) })) } } },
  'a reply in 60 000 events': { message: {}, pieces: 60_000 },
}
const deep = {
  '100 000 levels': { message: { more: JSON.parse(nested(50_000)) } },
  '500 levels, many times': { message: { more: many(100, () => JSON.parse(nested(240))) } },
  'nested JSON': { message: { content: nested(100_000) } },
  'nested lists': { message: { content: many(1_000, (at) => `${' '.repeat(at)}- a`).join('\n') } },
  'nested quotes': { message: { content: '> '.repeat(400_000) } },
}
const bodies = { prose: bodiesOf(texts(prose)), object: bodiesOf(texts(json)), deep: bodiesOf(deep), wide: bodiesOf(wide) }
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

function texts(shapes) {
  return Object.fromEntries(Object.entries(shapes).map(([name, make]) => [name, { message: { content: make(size) } }]))
}

function bodiesOf(shapes) {
  return Object.values(shapes).map(({ message: own = {}, choice = {}, pieces = 0 }) => {
    const frame = { id: 'chatcmpl-1', created: 1_800_000_000, model: 'm' }
    const event = (delta, finish, more = {}) =>
      `data: ${written({ ...frame, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish, ...more }] })}\n\n`
    const message = { role: 'assistant', content: 'Yes.', ...own }
    const more = Array.from({ length: pieces }, (_, at) => event({ content: at % 10 === 0 ? '\n' : 'a ' }, null)).join('')
    return {
      whole: written({ ...frame, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop', ...choice }] }),
      events: `${event(message, null, choice)}${more}${event({}, 'stop')}data: [DONE]\n\n`,
    }
  })
}

/** JSON of any depth, which JSON.stringify cannot write. */
function written(value) {
  const held = []
  const json = JSON.stringify(value, (name, one) => (name === 'more' ? `held ${held.push(one) - 1}` : one))
  return json.replace(/"held (\d+)"/g, (_, at) => (Array.isArray(held[at]) ? JSON.stringify(held[at]) : nested(50_000)))
}

import { createServer } from 'node:http'
import { Pool } from 'undici'

/** The least that a gateway can do: it reads JSON, passes it on as JSON, and looks at nothing. */

const [port, upstream] = process.argv.slice(2)
const pool = new Pool(upstream, { connections: 128 })
const headers = { 'content-type': 'application/json', authorization: 'Bearer key' }

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    answer(JSON.parse(Buffer.concat(chunks).toString()), response).catch((error) => response.destroy(error))
  })
}).listen(Number(port), '127.0.0.1')

async function answer(asked, response) {
  const { body } = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body: JSON.stringify(asked) })
  if (asked.stream === true) return await passEvents(body, response)
  const text = JSON.stringify(await body.json())
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

async function passEvents(body, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let rest = ''
  for await (const chunk of body.setEncoding('utf8')) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop()
    response.write(events.map(passed).join(''))
  }
  response.end()
}

function passed(event) {
  const data = event.slice('data: '.length)
  return `data: ${data === '[DONE]' ? data : JSON.stringify(JSON.parse(data))}\n\n`
}

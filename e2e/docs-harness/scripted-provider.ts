import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server that plays these answers in turn for OpenAI's Chat Completions API, and puts its address and a key where the official client reads them; returns what stops it. */
export async function startProvider(answers: readonly string[]): Promise<() => void> {
  const rest = [...answers]
  const server = createServer(async (request, response) => {
    const { model, messages, stream } = await readJson(request)
    const isRight = request.url === '/v1/chat/completions' && request.headers.authorization === 'Bearer key' && Array.isArray(messages)
    const content = isRight ? rest.shift() : undefined
    const head = { id: 'chatcmpl-1', created: 1, model }
    const end = { index: 0, finish_reason: 'stop' }
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (content === undefined)
      json(400, { error: { message: isRight ? 'the script has no more answers' : 'this is not how OpenAI is asked' } })
    else if (stream !== true)
      json(200, { ...head, object: 'chat.completion', choices: [{ ...end, message: { role: 'assistant', content } }] })
    else {
      const deltas = (content.match(/.{1,8}/g) ?? []).map((piece) => ({ index: 0, delta: { content: piece }, finish_reason: null }))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const choice of [...deltas, { ...end, delta: {} }])
        response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
      response.end('data: [DONE]\n\n')
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const before = { OPENAI_BASE_URL: process.env.OPENAI_BASE_URL, OPENAI_API_KEY: process.env.OPENAI_API_KEY }
  process.env.OPENAI_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  process.env.OPENAI_API_KEY = 'key'
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    server.close()
    server.closeAllConnections()
  }
}

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

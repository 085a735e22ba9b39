import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request to the server of embeddings. */
interface EmbeddingsRequest {
  readonly model: string
  readonly input: readonly string[]
  readonly encoding_format?: string
  readonly dimensions?: number
}

/** Answers in its own way; gives the data of an ordinary answer, or nothing when it has answered itself. */
export type EmbeddingsAnswer = (request: EmbeddingsRequest, response: ServerResponse) => unknown

/** A server of embeddings on loopback. */
export interface EmbeddingsServer {
  readonly baseUrl: string
  /** What was asked, in order. */
  readonly requests: EmbeddingsRequest[]
  readonly headers: IncomingMessage['headers'][]
  /** How it answers from now on. */
  answer: EmbeddingsAnswer
  close(): Promise<void>
}

/** The vector that the server has for a text. */
export function vectorFor(text: string, dimensions = 4): number[] {
  return Array.from({ length: dimensions }, (_, place) => Math.fround(Math.sin(text.length + place) + (text.charCodeAt(0) || 0) / 300))
}

/** Ordinary data: one entry for each text, the last first, because order is by index. */
export const soundAnswer: EmbeddingsAnswer = ({ input, encoding_format, dimensions }) =>
  input.map((text, index) => ({ object: 'embedding', index, embedding: encoded(vectorFor(text, dimensions), encoding_format) })).reverse()

/** Starts a server that speaks the embeddings protocol. */
export async function startEmbeddings(): Promise<EmbeddingsServer> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const asked = JSON.parse(body) as EmbeddingsRequest
    started.requests.push(asked)
    started.headers.push(request.headers)
    const data = request.url === '/v1/embeddings' ? started.answer(asked, response) : []
    if (data === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data, model: asked.model, usage: { prompt_tokens: 1, total_tokens: 1 } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const started: EmbeddingsServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    headers: [],
    answer: soundAnswer,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return started
}

function encoded(vector: readonly number[], format: string | undefined): readonly number[] | string {
  return format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector
}

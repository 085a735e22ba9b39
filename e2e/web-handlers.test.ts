import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import express from 'express'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '../packages/core/src/catalogue.ts'
import { enforceStream } from '../packages/core/src/engine/enforce.ts'
import type { EnforcedStream } from '../packages/core/src/engine/results/enforced-stream.ts'
import { type ScriptedTurn, scripted } from '../packages/core/src/runners/scripted.ts'
import { maxWords } from '../packages/core/src/validators/max-words.ts'

const turns: Readonly<Record<string, ScriptedTurn>> = {
  good: { text: 'One two three', chunkSize: 4 },
  cut: { text: 'One two three four five', chunkSize: 4 },
  late: { failure: { kind: 'timeout' } },
  hanging: { text: 'One two ', chunkSize: 4, hang: true },
}
/** The streams that the handlers have opened, by their path. */
const opened = new Map<string, { readonly stream: EnforcedStream; readonly runner: ReturnType<typeof scripted> }>()

function open(name: string, signal: AbortSignal): EnforcedStream {
  const runner = scripted([turns[name] ?? {}])
  const stream = enforceStream({ contract: contract({ checks: [maxWords({ limit: 3 })], retries: 0 }), runner, prompt: 'Count.', signal })
  opened.set(name, { stream, runner })
  return stream
}

const app = new Hono()
app.get('/:name', ({ req }) => open(req.param('name'), req.raw.signal).toResponse())

const plain = express()
plain.get('/:name', async (request, response) => {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const { status, headers, body } = await open(request.params.name, left.signal).toResponse()
  response.status(status).setHeaders(headers)
  await pipeline(Readable.fromWeb(body as NodeStream), response).catch(() => {})
})

/** A Web handler behind Node's own server, as Next.js and others run them. */
const listener: RequestListener = async (request, response) => {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const answer = await app.fetch(new Request(`http://localhost${request.url}`, { signal: left.signal }))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  await pipeline(Readable.fromWeb(answer.body as NodeStream), response).catch(() => {})
}

const servers: Server[] = []
const urls: Record<string, string> = {}
beforeAll(async () => {
  for (const [name, handler] of Object.entries({ Hono: listener, Express: plain })) {
    const server = createServer(handler as RequestListener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
})
afterAll(() => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

describe.each(['Hono', 'Express'])('%s', (framework) => {
  test('an answer that is delivered ends well', async () => {
    const response = await fetch(`${urls[framework]}/good`)
    expect([response.status, await response.text()]).toEqual([200, 'One two three'])
  })

  test('an answer that is cut breaks the connection', async () => {
    const response = await fetch(`${urls[framework]}/cut`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect((await opened.get('cut')?.stream.outcome)?.status).toBe('unresolved')
  })

  test('without an answer the status tells', async () => {
    const response = await fetch(`${urls[framework]}/late`)
    expect([response.status, await response.json()]).toMatchObject([504, { error: { code: 'timeout' } }])
  })

  test('a client that leaves ends the call of the model', async () => {
    const left = new AbortController()
    const response = await fetch(`${urls[framework]}/hanging`, { signal: left.signal })
    await response.body?.getReader().read()
    left.abort()
    const { stream, runner } = opened.get('hanging') as NonNullable<ReturnType<(typeof opened)['get']>>
    expect(await stream.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
    expect(runner.calls[0]?.aborted).toBe(true)
  })
})

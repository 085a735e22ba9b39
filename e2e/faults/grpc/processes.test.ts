import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GrpcClient, grpcClient } from '../../../packages/gateway/src/routes/grpc/testing/grpc-client.ts'
import { bundleCommand, type CommandBundle, serveInProcess } from '../../../packages/gateway/src/testing/served-process.ts'

let bundle: CommandBundle
const folder = mkdtempSync(join(tmpdir(), 'stickler-agents-'))
beforeAll(async () => {
  bundle = await bundleCommand()
})
afterAll(() => {
  bundle.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A conversation needs no documents, and its answer takes a while. */
const yaml = (workers: number, port = 0) => `
server: { port: 0, workers: ${workers}, shutdownGrace: 20 }
log: { level: warn }
upstreams: [{ name: up, kind: scripted, answers: [{ text: "Hello to you too.", chunkSize: 6, delayMs: 200 }] }]
retrieval: {}
ask: { upstreams: [up], pipeline: avap }
grpc: { port: ${port} }
`

test('workers share the port of gRPC, streams end within the grace, and a taken port ends the start', async () => {
  const served = await serveInProcess(bundle, { folder, yaml: yaml(2) })
  const url = /^ {2}gRPC +(grpc:\/\/127\.0\.0\.1:\d+)$/m.exec(served.said())?.[1] ?? ''
  // Each has a connection of its own, which go to the workers in turn.
  const clients: GrpcClient[] = Array.from({ length: 4 }, () => grpcClient(url))
  try {
    for (const { code } of await Promise.all(clients.map((client) => client.ask('AskAgent', 'Hello!')))) expect(code).toBe(status.OK)
    const port = Number(url.split(':').at(-1))
    const second = await serveInProcess(bundle, { folder: mkdtempSync(join(folder, 'second-')), yaml: yaml(2, port) })
    expect([second.url, await second.ended]).toEqual(['', 2])
    expect(second.said()).toContain(`grpc: cannot listen on 127.0.0.1:${port}: the port is in use`)
    const streams = clients.map((client) => client.ask('AskAgentStream', 'Hello!'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    served.process.kill('SIGTERM')
    for (const { code, messages } of await Promise.all(streams)) {
      expect(code).toBe(status.OK)
      expect(messages.map(({ text }) => text).join('')).toBe('Hello to you too.')
      expect(messages.at(-1)?.isFinal).toBe(true)
    }
    expect(await served.ended).toBe(0)
    expect(served.said()).not.toContain('a worker exited')
  } finally {
    for (const client of clients) client.close()
    served.process.kill('SIGTERM')
  }
}, 60_000)

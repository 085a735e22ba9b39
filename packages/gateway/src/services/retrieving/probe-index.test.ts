import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readGatewayConfig } from '../../config/reading/read-gateway-config.ts'
import { probeIndex } from './probe-index.ts'

test.each<[string, number, string | undefined]>([
  ['works', 200, undefined],
  ['fails', 500, expect.stringMatching(/^the embeddings endpoint failed: the provider answered with status 500/) as string],
])('the probe of an empty index tells whether the service that makes vectors %s, asked once', async (_, status, fault) => {
  const cwd = await mkdtemp(join(tmpdir(), 'stickler-probe-'))
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[{"index":0,"embedding":[1,2]}]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await rm(cwd, { recursive: true })
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const yaml = `upstreams: [{ name: up, kind: scripted, answers: [Hi.] }]\nroutes: [{ model: m, upstream: up }]\nretrieval: { embeddings: { baseUrl: '${baseUrl}', model: m } }\n`
  const config = await readGatewayConfig(yaml, 'stickler.yaml', { env: {}, cwd, readFile: () => Promise.reject(new Error('no files')) })
  const found = await probeIndex(config, new AbortController().signal)
  expect([found, calls]).toEqual([{ ok: true, documents: 0, chunks: 0, isOther: false, ...(fault && { embeddings: fault }) }, 1])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/places.ts'
import { requireBuilt } from '../support/require-built.ts'

requireBuilt(['core', 'gateway', 'cli'])
const yaml = `server: { port: 0 }
upstreams: [{ name: up, kind: scripted, answers: [Hi.] }]
contracts: { brief: { checks: [{ max_words: { limit: 3 } }] } }
routes: [{ model: helper, upstream: up, contract: brief }]
`

interface Sent {
  readonly path: string | undefined
  readonly type: string | undefined
  readonly key: unknown
  readonly body: string
}

/** Plays a collector, which remembers what it is sent. */
async function collector(status = 200) {
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1')
      sent.push({ path: request.url, type: request.headers['content-type'], key: request.headers['x-key'], body })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Serves one request with some variables, and ends as an operator does. */
async function serveOne(variables: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'stickler-otlp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'stickler.yaml'), yaml)
  const argv = [join(root, 'packages/cli/bin/stickler.js'), 'serve', '--json']
  const gateway = spawn(process.execPath, argv, { cwd: folder, env: { PATH: process.env.PATH, ...variables } })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  let said = ''
  gateway.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = once(gateway, 'close')
  const line = await new Promise<string | undefined>((resolve) => {
    const lines = createInterface({ input: gateway.stdout })
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  if (line !== undefined) {
    const { url } = JSON.parse(line) as { url: string }
    const messages = [{ role: 'user', content: 'a prompt' }]
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'helper', messages }),
    })
    await reply.text()
    gateway.kill('SIGTERM')
  }
  const [code] = (await ended) as [number | null]
  return { code, said }
}

test('spans go to the collector that the variables of OpenTelemetry name', async () => {
  const { sent, url } = await collector()
  const { code } = await serveOne({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k1',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'our-gateway',
  })
  expect(code).toBe(0)
  expect(sent).toMatchObject([{ path: '/v1/traces', type: 'application/x-protobuf', key: 'k1' }])
  for (const word of ['stickler.run', 'our-gateway', 'deployment.environment.name', 'max_words']) expect(sent[0]?.body).toContain(word)
  expect(sent[0]?.body).not.toContain('a prompt')
})

test.each<[string, (url: string) => Record<string, string>, count: number]>([
  ['the address for spans alone', (url) => ({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/spans` }), 1],
  ['no variable', () => ({}), 0],
  ['an empty address', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), 0],
  ['the SDK switched off', (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' }), 0],
  ['another exporter', (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'none' }), 0],
  ['a sampler that drops all', (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_off' }), 0],
])('%s', async (_, variables, count) => {
  const { sent, url } = await collector()
  expect((await serveOne(variables(url))).code).toBe(0)
  expect(sent).toHaveLength(count)
  if (count > 0) expect(sent[0]).toMatchObject({ path: '/spans', body: expect.stringContaining('stickler') })
})

test('a collector that refuses spans is reported once, without what it was sent', async () => {
  const { url } = await collector(400)
  const { code, said } = await serveOne({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=sk-secret-canary' })
  expect([code, said.split('spans cannot be sent').length - 1]).toEqual([0, 1])
  expect(said).not.toContain('sk-secret-canary')
})

test('a protocol that is not supported stops the start', async () => {
  const { code, said } = await serveOne({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  expect(code).not.toBe(0)
  expect(said).toContain('OTEL_EXPORTER_OTLP_PROTOCOL: only http/protobuf is supported')
})

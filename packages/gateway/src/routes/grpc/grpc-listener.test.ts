import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { credentials, Metadata, status } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { indexFolder, localEmbedder, openEngine } from '@stickler/ask/retrieval'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificate } from '../../../../../e2e/support/certificate.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing, silence } from '../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type GrpcClient, grpcClient } from './testing/grpc-client.ts'

let folder: string
let gateway: TestGateway
let client: GrpcClient

const yaml = (more = '', server = '') => `
server: { port: 0${server} }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, model: m, retries: 0 }]
retrieval: { index: ${folder}/index.db, embeddings: local }
ask: { upstreams: [up], pipeline: avap, audit: { question: true } }
grpc: { port: 0${more} }
`
const keys = {
  STICKLER_KEYS: 'alice:alice-key-0123456789,bob:bob-key-0123456789',
  STICKLER_OPERATOR_KEYS: 'olga:olga-key-0123456789',
}
const as = (name: string) => ({ metadata: { authorization: `Bearer ${name}-key-0123456789` } })
const olga = { authorization: 'Bearer olga-key-0123456789' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-agent-'))
  await mkdir(join(folder, 'docs'))
  await writeFile(join(folder, 'docs/grass.md'), '# Grass\n\nGrass is green because of chlorophyll.\n')
  await writeFile(join(folder, 'docs/sky.md'), '# Sky\n\nThe sky is blue because air scatters light.\n')
  const engine = await openEngine(join(folder, 'index.db'), { collection: 'default' })
  await indexFolder({ root: join(folder, 'docs'), base: folder, engine, embedder: localEmbedder() })
  await engine.close()
  gateway = await startTestGateway({ yaml: yaml('', ', perKey: { requestsPerMinute: 500 }'), env: keys })
  client = grpcClient(gateway.grpcUrl ?? '')
})
afterAll(async () => {
  client.close()
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

async function runs(): Promise<Record<string, unknown>[]> {
  const { items } = (await (await gateway.get('/api/v1/runs?limit=5&api=grpc', olga)).json()) as { items: Record<string, unknown>[] }
  return items
}

async function audit(): Promise<Record<string, unknown>[]> {
  const { items } = (await (await gateway.get('/api/v1/audit?limit=5', olga)).json()) as { items: { row: Record<string, unknown> }[] }
  return items.map(({ row }) => row)
}

describe('questions over gRPC', () => {
  const question = 'Why is grass green?'

  test('are answered from what was retrieved, as over HTTP, and recorded', async () => {
    gateway.upstream.otherwise(answering('Because of chlorophyll[^1].'))
    const whole = await client.ask('AskAgent', question, '', { metadata: { ...as('alice').metadata, 'x-request-id': 'req-7' } })
    expect(whole).toMatchObject({ code: status.OK, headers: { 'x-request-id': 'req-7' } })
    const last = { avapCode: '', isFinal: true, validationStatus: '' }
    expect(whole.messages).toEqual([{ text: 'Because of chlorophyll[^1].', ...last }])
    expect(JSON.stringify(gateway.upstream.requests.at(-1)?.json)).toContain('Grass is green because of chlorophyll.')
    const streamed = await client.ask('AskAgentStream', question, 'chat-1', as('alice'))
    expect(streamed.messages.map(({ text }) => text).join('')).toBe('Because of chlorophyll[^1].')
    expect(streamed.messages.at(-1)).toEqual({ text: '', ...last })
    const http = (await (await gateway.post('/ask', { question }, as('alice').metadata)).json()) as Record<string, unknown>
    expect(http).toMatchObject({ answer: 'Because of chlorophyll[^1].', type: 'RETRIEVAL', validation_status: '' })
    await expect
      .poll(async () => (await runs()).slice(0, 2))
      .toMatchObject([
        { api: 'grpc', stream: true, key: 'alice', session: 'chat-1', status: 'valid', delivered: true, httpStatus: 200 },
        { api: 'grpc', stream: false, key: 'alice', requestId: 'req-7', status: 'valid', upstream: 'up' },
      ])
    const { id } = (await runs())[0] ?? {}
    const run = await (await gateway.get(`/api/v1/runs/${String(id)}`, olga)).text()
    expect(run).toContain('check_context_relevance')
    // Rows are safe before the reply, and can be read soon after it.
    await expect.poll(audit).toMatchObject([{ tenant: 'alice' }, { tenant: 'alice', question }, { tenant: 'alice', question }])
    expect(await (await gateway.get('/metrics', olga)).text()).toMatch(/stickler_requests_total\{[^}]*api="grpc"[^}]*\} 2/)
  })

  test('with code are validated before they leave, and asked for again once', async () => {
    const bad = 'Here:\n\n```avap\nhash = getSHA256(pw)\n```\n'
    const good = 'Here:\n\n```avap\naddVar(a, 1)\naddResult(a)\n```\n'
    const ask = 'Write AVAP code that returns a variable.'
    gateway.upstream.enqueue(answering(bad), answering(good))
    const { messages, code } = await client.ask('AskAgentStream', ask, '', as('alice'))
    expect(code).toBe(status.OK)
    expect(messages.map(({ text }) => text).join('')).toBe(good)
    expect(messages.at(-1)).toMatchObject({ avapCode: 'addVar(a, 1)\naddResult(a)\n', validationStatus: '' })
    gateway.upstream.enqueue(answering(bad), answering(bad))
    const unresolved = await client.ask('AskAgent', ask, '', as('alice'))
    expect(unresolved.messages).toEqual([
      { text: bad, avapCode: 'hash = getSHA256(pw)\n', isFinal: true, validationStatus: 'INVALID_UNRESOLVED' },
    ])
  })

  test('of one session are one conversation', async () => {
    gateway.upstream.otherwise(answering('Because of chlorophyll[^1].'))
    await client.ask('AskAgent', question, 'talk', as('alice'))
    await client.ask('AskAgent', 'And why is the sky blue?', 'talk', as('alice'))
    expect(JSON.stringify(gateway.upstream.requests.at(-1)?.json)).toContain(question)
    await client.ask('AskAgent', 'And why is the sky blue?', 'talk', as('bob'))
    expect(JSON.stringify(gateway.upstream.requests.at(-1)?.json)).not.toContain(question)
  })

  // What concerns the gateway's own key, or happens inside its provider, is not the client's.
  test.each<[string, Behaviour, number, boolean]>([
    ['a provider that fails', failing(500, {}, 'words of the provider'), status.UNAVAILABLE, false],
    ['a provider with a rate limit', failing(429, { 'retry-after': '9' }, 'words of the provider'), status.RESOURCE_EXHAUSTED, true],
    ['a provider that refuses the key of the gateway', failing(401, {}, 'words of the provider'), status.FAILED_PRECONDITION, false],
  ])('%s', async (_, behaviour, code, isTold) => {
    for (const way of ['AskAgent', 'AskAgentStream'] as const) {
      gateway.upstream.enqueue(behaviour)
      const reply = await client.ask(way, question, '', as('alice'))
      expect([reply.code, reply.messages]).toEqual([code, []])
      expect(JSON.stringify(reply).includes('words of the provider')).toBe(isTold)
    }
  })

  test('a client that leaves, or whose deadline is over, ends the call of the model', async () => {
    for (const options of [{ deadlineMs: 300 }, { deadlineMs: 400 }]) {
      gateway.upstream.enqueue(silence)
      const before = gateway.upstream.requests.length
      const reply = await client.ask('AskAgentStream', question, '', { ...as('alice'), ...options })
      expect(reply.code).toBe(status.DEADLINE_EXCEEDED)
      await expect.poll(() => gateway.upstream.requests.length).toBe(before + 1)
      await gateway.upstream.requests.at(-1)?.closed
      expect(gateway.upstream.requests.at(-1)?.aborted).toBe(true)
    }
    await expect.poll(async () => (await runs())[0]).toMatchObject({ status: 'failed', delivered: false })
  })

  test('keys have their roles, and refusals their audit row', async () => {
    for (const [metadata, code] of [
      [{}, status.UNAUTHENTICATED],
      [olga, status.PERMISSION_DENIED],
    ] as const) {
      expect(await client.ask('AskAgent', question, '', { metadata })).toMatchObject({ code, messages: [] })
      await expect.poll(async () => (await audit())[0]).toMatchObject({ status: 'refused', tenant: null })
    }
    expect((await client.ask('AskAgent', 'x '.repeat(100_000), '', as('alice'))).code).toBe(status.INVALID_ARGUMENT)
  })
})

describe('around them', () => {
  const health = { path: '/grpc.health.v1.Health/Check', reply: (bytes: Buffer) => bytes }
  const check = (of: GrpcClient): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      of.client.makeUnaryRequest(
        health.path,
        () => Buffer.alloc(0),
        health.reply,
        {},
        (error, reply) => (error ? reject(error) : resolve(reply ?? Buffer.alloc(0))),
      )
    })

  test('health needs no key, and reflection any', async () => {
    expect([...(await check(client))]).toEqual([8, 1])
    const proto = join(
      dirname(createRequire(import.meta.url).resolve('@grpc/reflection/package.json')),
      'build/proto/grpc/reflection/v1/reflection.proto',
    )
    const { ServerReflectionInfo: method } = loadSync(proto, { defaults: true, oneofs: true })[
      'grpc.reflection.v1.ServerReflection'
    ] as unknown as {
      ServerReflectionInfo: MethodDefinition<
        object,
        { listServicesResponse?: { service: { name: string }[] }; fileDescriptorResponse?: { fileDescriptorProto: Buffer[] } }
      >
    }
    const reflect = async (request: object, metadata: Readonly<Record<string, string>>) => {
      const sent = new Metadata()
      for (const [name, value] of Object.entries(metadata)) sent.add(name, value)
      const stream = client.client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize, sent)
      stream.end(request)
      for await (const answer of stream) return answer as ReturnType<typeof method.responseDeserialize>
      return undefined
    }
    await expect(reflect({ listServices: '*' }, {})).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
    const listed = await reflect({ listServices: '*' }, olga)
    expect(listed?.listServicesResponse?.service.map(({ name }) => name).sort()).toEqual([
      'brunix.AssistanceEngine',
      'grpc.health.v1.Health',
    ])
    const described = await reflect({ fileContainingSymbol: 'brunix.AssistanceEngine' }, as('alice').metadata)
    const files = Buffer.concat(described?.fileDescriptorResponse?.fileDescriptorProto ?? [])
    for (const name of ['AskAgentStream', 'session_id', 'avap_code', 'validation_status']) expect(files.includes(name)).toBe(true)
  })

  test('a budget of a key holds for both protocols, TLS is served, and a gateway that goes down says so', async () => {
    await writeFile(join(folder, 'cert.pem'), certificate.cert)
    await writeFile(join(folder, 'key.pem'), certificate.key)
    const tls = `, tls: { cert: ${folder}/cert.pem, key: ${folder}/key.pem }`
    const other = await startTestGateway({
      yaml: yaml(tls, ', perKey: { requestsPerMinute: 2 }'),
      env: keys,
      behaviour: answering('Green[^1].'),
    })
    const secure = grpcClient(
      (other.grpcUrl ?? '').replace('127.0.0.1', 'localhost'),
      {},
      credentials.createSsl(Buffer.from(certificate.cert)),
    )
    try {
      expect(other.grpcUrl).toMatch(/^grpcs:/)
      expect((await client.ask('AskAgent', 'Plain text?', '', { deadlineMs: 300 })).code).not.toBe(status.OK)
      const codes: number[] = []
      for (let count = 0; count < 3; count++) codes.push((await secure.ask('AskAgent', 'Why is grass green?', '', as('alice'))).code)
      expect(codes).toEqual([status.OK, status.OK, status.RESOURCE_EXHAUSTED])
      expect((await other.post('/ask', { question: 'Why is grass green?' }, as('alice').metadata)).status).toBe(429)
      other.drain()
      expect([...(await check(secure))]).toEqual([8, 2])
      expect((await secure.ask('AskAgent', 'Late?', '', as('bob'))).code).toBe(status.UNAVAILABLE)
    } finally {
      secure.close()
      await other.close()
    }
  })
})

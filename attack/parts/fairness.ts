import { connect as connectSession } from 'node:http2'
import { connect } from 'node:net'
import type { MethodDefinition } from '@grpc/grpc-js'
import { startParserService } from '@stickler/parser/service'
import fc from 'fast-check'
import { service as healthService } from 'grpc-health-check'
import { startTestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { fakeParser } from '../../packages/parser/src/testing/fake-parser.ts'
import { rawClient } from '../../packages/parser/src/testing/raw-client.ts'
import { type Attack, attackWith, same } from '../attack.ts'

/** Small limits, so that few connections are a flood. */
const yaml = `
server: { port: 0, inFlight: 8 }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, model: m, retries: 0 }]
routes: [{ model: plain, upstream: up }]
retrieval: { index: ./index.db, embeddings: local }
ask: { upstreams: [up], pipeline: avap }
grpc: { port: 0 }
`
const keys = { STICKLER_KEYS: 'alice:alice-key-0123456789,bob:bob-key-0123456789' }
const headersOf = (name: string) => ({ authorization: `Bearer ${name}-key-0123456789` })

/** What is begun and never ended: bytes over HTTP, or calls of a method over gRPC. */
const begun = {
  nothing: '',
  'a request line': 'POST /v1/chat/completions HTTP/1.1\r\n',
  'a body': `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headersOf('alice').authorization}\r\nContent-Length: 999\r\n\r\n{`,
  'a body without a key': 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{',
} as const
const methods = [
  '/grpc.health.v1.Health/Check',
  '/grpc.health.v1.Health/Watch',
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/brunix.AssistanceEngine/AskAgent',
  '/stickler.parser.v1.Parser/Parse',
  '/no.Service/Method',
] as const

const floods = fc.array(
  fc.oneof(
    fc.record({ http: fc.constantFrom(...(Object.keys(begun) as (keyof typeof begun)[])), count: fc.integer({ min: 1, max: 16 }) }),
    fc.record({
      grpc: fc.constantFrom(...methods),
      at: fc.constantFrom('gateway', 'parser'),
      withKey: fc.boolean(),
      bytes: fc.integer({ min: 0, max: 6 }),
      connections: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
)
type Flood = typeof floods extends fc.Arbitrary<infer Case> ? Case : never

/** What a caller gets while another floods the gateway and the parser service, and what it gets alone; with the key of the other, for tests of the attack, it is not served. */
export function fairnessAttack(caller: 'alice' | 'bob' = 'bob'): Attack {
  return {
    name: 'fairness',
    compares: 'what a caller gets while another one floods gateway and parser, with what it gets alone',
    async start() {
      const gateway = await startTestGateway({ yaml, env: keys })
      const service = await startParserService({ parser: fakeParser(), quiet: true })
      const ports = { gateway: Number(new URL((gateway.grpcUrl ?? '').replace('grpc:', 'http:')).port), parser: service.port }
      const http = Number(new URL(gateway.url).port)
      const seen = async () => ({
        chat: await statusOf(
          gateway.post('/v1/chat/completions', { model: 'plain', messages: [{ role: 'user', content: 'Hi' }] }, headersOf(caller)),
        ),
        liveness: await statusOf(gateway.get('/healthz')),
        gateway: await checkHealth(ports.gateway),
        parser: await checkHealth(ports.parser),
      })
      const alone = await seen()
      return attackWith(
        floods,
        async (flood) => {
          const end = begin(flood, http, ports)
          try {
            await new Promise((resolve) => setTimeout(resolve, 50))
            same('what a caller gets', await seen(), alone)
          } finally {
            end()
          }
        },
        async () => {
          await service.close(0)
          await gateway.close()
        },
      )
    },
  }
}

async function statusOf(asked: Promise<Response>): Promise<number> {
  const response = await asked
  await response.text()
  return response.status
}

async function checkHealth(port: number): Promise<unknown> {
  const raw = rawClient(port)
  const ended = await raw.call(healthService.Check as unknown as MethodDefinition<object, object>, { service: '' })
  raw.close()
  return 'reply' in ended ? ended.reply : ended.code
}

/** Begins a flood; returns how to end it. */
function begin(flood: Flood, http: number, ports: Readonly<Record<'gateway' | 'parser', number>>): () => void {
  const open: { destroy(): void }[] = []
  for (const one of flood) {
    if ('http' in one) {
      for (let index = 0; index < one.count; index++) {
        const socket = connect(http, '127.0.0.1').on('error', () => {})
        socket.write(begun[one.http])
        open.push(socket)
      }
      continue
    }
    for (let index = 0; index < one.connections; index++) {
      const session = connectSession(`http://127.0.0.1:${ports[one.at]}`).on('error', () => {})
      open.push(session)
      for (let stream = 0; stream < 32; stream++) {
        const headers = { ':method': 'POST', ':path': one.grpc, 'content-type': 'application/grpc', te: 'trailers' }
        const call = session.request({ ...headers, ...(one.withKey ? headersOf('alice') : {}) }).on('error', () => {})
        call.resume()
        call.write(Buffer.alloc(one.bytes))
      }
    }
  }
  return () => {
    for (const one of open) one.destroy()
  }
}

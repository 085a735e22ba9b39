import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '@stickler/core/internal'
import { createKeyring } from '../../packages/gateway/dist/front/access/keys.js'
import { openSse } from '../../packages/gateway/dist/front/replies/sse-writer.js'
import { createHttpServer } from '../../packages/gateway/dist/front/server.js'
import { openQuestionServer } from '../../packages/gateway/dist/routes/grpc/question-server.js'

/** Serves the same tokens over gRPC, with and without putting them together, and as server-sent events; tells its processor time when asked. */
const keys = createKeyring({ clients: '' }, Date.now)
const quiet = { warn() {}, error() {}, info() {}, debug() {}, isLevelEnabled: () => false, child: () => quiet }

/** `TOKENS PAUSE`: so many tokens, each after so many milliseconds; 0 for as fast as they are taken. */
async function* tokens(query) {
  const [count, ms] = query.split(' ').map(Number)
  for (let index = 0; index < count; index++) {
    if (ms > 0) await pause(ms)
    else if (index % 8 === 0) await turn()
    yield 'word '
  }
}

const agent = (coalescing) =>
  openQuestionServer({
    host: '127.0.0.1',
    port: 0,
    messageLimit: 4 * 1024 * 1024,
    inFlight: 10_000,
    keys,
    clock: systemClock,
    newId: () => 'x',
    coalescing,
    async *answer(_caller, { question }) {
      yield* tokens(question)
      return { ok: true, status: 200, verdict: 'valid', upstream: '', envelope: { answer: '', type: 'RETRIEVAL', validation_status: '' } }
    },
    refused: async () => {},
    ended: () => {},
  })

const http = createHttpServer({
  settings: { host: '127.0.0.1', port: 0, maxInFlight: 10_000 },
  keys,
  log: quiet,
  clock: systemClock,
  newId: () => 'x',
  routes: [
    {
      method: 'POST',
      path: '/sse',
      access: 'call',
      async handler(exchange) {
        const { question } = await exchange.json()
        const sse = openSse(exchange, { heartbeatMs: 10_000, heartbeat: () => ': still working\n\n' })
        for await (const token of tokens(question)) await sse.write(`event: answer_token\ndata: ${JSON.stringify({ text: token })}\n\n`)
        sse.end()
      },
    },
  ],
})

const each = await agent({ ms: 0, characters: 1 })
const together = await agent(undefined)
const { port } = await http.listen()
process.on('message', () => process.send({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
process.send({ each: each.url, together: together.url, sse: `http://127.0.0.1:${port}/sse` })

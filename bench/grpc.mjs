import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { loadProto } from '../packages/gateway/dist/routes/grpc/proto.js'
import { quartiles, ratio } from './harness.mjs'

const child = fileURLToPath(new URL('grpc/server-child.mjs', import.meta.url))
const { AskAgentStream: method } = loadProto().methods
/** An answer of 2000 tokens, as fast as it is taken; and one at 200 tokens a second. */
const burst = { streams: 8, tokens: 2000, ms: 0 }
const paced = { streams: 64, tokens: 200, ms: 5 }

/** Streams of answers over gRPC, token by token and put together, and as server-sent events. */
export async function benchGrpc({ long }) {
  const server = fork(child)
  const [addresses] = await once(server, 'message')
  const candidates = {
    each: overGrpc(addresses.each),
    together: overGrpc(addresses.together),
    sse: overHttp(addresses.sse),
  }
  try {
    return [...(await measure(server, candidates, burst, long)), ...(await measure(server, candidates, paced, long))]
  } finally {
    for (const { close } of Object.values(candidates)) close()
    server.disconnect()
  }
}

async function measure(server, candidates, { streams, tokens, ms }, long) {
  const question = `${tokens} ${ms}`
  const rounds = long ? 31 : 9
  const seen = Object.fromEntries(Object.keys(candidates).map((name) => [name, { cpu: [], wall: [], messages: 0, bytes: 0 }]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, { ask }] of Object.entries(candidates)) {
      const [before, started] = [await cpuOf(server), performance.now()]
      const answers = await Promise.all(Array.from({ length: streams }, () => ask(question)))
      const [wall, after] = [performance.now() - started, await cpuOf(server)]
      // The first round warms up.
      if (round < 0) continue
      seen[name].cpu.push((after - before) / streams)
      seen[name].wall.push(wall)
      seen[name].messages = answers.reduce((sum, answer) => sum + answer.messages, 0) / streams
      seen[name].bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0)
    }
  }
  const label = ms === 0 ? `${tokens} tokens at once` : `${tokens} tokens, one every ${ms} ms`
  const rate = (name, count) => quartiles(seen[name].wall.map((wall) => (count / wall) * 1000))
  const cpu = (name) => quartiles(seen[name].cpu)
  const throughput = (name, said) => [
    { what: `${label}, ${said}: messages per second, ${streams} streams`, ...rate(name, seen[name].messages * streams) },
    { what: `${label}, ${said}: KB of text per second`, ...rate(name, (tokens * 5 * streams) / 1000) },
  ]
  return [
    ...(ms === 0 ? [...throughput('each', 'a message for each token'), ...throughput('together', 'put together')] : []),
    { what: `${label}: messages of an answer, put together`, median: seen.together.messages },
    { what: `${label}: ms of processor for an answer, a message for each token`, ...cpu('each') },
    { what: `${label}: ms of processor for an answer, put together`, ...cpu('together') },
    { what: `${label}: ms of processor for an answer, as server-sent events`, ...cpu('sse') },
    { what: `${label}: processor, a message for each token ÷ put together`, ...ratio(seen.each.cpu, seen.together.cpu) },
    { what: `${label}: processor, gRPC put together ÷ server-sent events`, ...ratio(seen.together.cpu, seen.sse.cpu) },
  ]
}

async function cpuOf(server) {
  server.send('cpu')
  const [{ cpu }] = await once(server, 'message')
  return (cpu.user + cpu.system) / 1000
}

function overGrpc(url) {
  const clients = Array.from(
    { length: 4 },
    () => new Client(url.replace('grpc://', ''), credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 }),
  )
  let next = 0
  return {
    close() {
      for (const client of clients) client.close()
    },
    async ask(query) {
      const client = clients[next++ % clients.length]
      const { path, requestSerialize, responseDeserialize } = method
      const answer = { messages: 0, bytes: 0 }
      const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { query, sessionId: '' }, new Metadata())
      for await (const { text } of stream) {
        answer.messages++
        answer.bytes += text.length
      }
      return answer
    },
  }
}

function overHttp(url) {
  const agent = new Agent({ keepAlive: true })
  return {
    close: () => agent.destroy(),
    ask: (question) =>
      new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }, (response) => {
          const answer = { messages: 0, bytes: 0 }
          response.setEncoding('utf8')
          response.on('data', (text) => {
            answer.messages += text.split('\n\n').length - 1
            answer.bytes += text.length
          })
          response.on('end', () => resolve(answer))
        })
        sent.on('error', reject)
        sent.end(JSON.stringify({ question }))
      }),
  }
}

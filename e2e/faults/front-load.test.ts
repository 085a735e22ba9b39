import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/gateway/src/testing/fault-gateway.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { endlessStream } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, bodyOf, textOf, type WireReply, ways } from '../../packages/gateway/src/testing/wire.ts'

const open = new Set<TestGateway>()

async function start(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startTestGateway(options)
  open.add(gateway)
  return gateway
}

afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open.clear()
})

describe('H18 more requests at once than may be', () => {
  const cap = 20

  test('H18 beyond the cap 503 with retry-after and nothing queued; room again as soon as one is done', async () => {
    const gateway = await start({
      yaml: `
server: { port: 0, inFlight: ${cap} }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], stream: hold } }
routes: [{ model: brief, upstream: up, contract: brief }]
`,
    })
    for (let round = 0; round < 3; round++) {
      const { behaviour, release } = held()
      gateway.upstream.otherwise(behaviour)
      const before = gateway.upstream.requests.length
      const replies: Promise<WireReply>[] = []
      let refused = 0
      for (let index = 0; index < 1000; index++) {
        const [api, how] = ways[index % ways.length] ?? ['chat', 'whole']
        const reply = ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
        replies.push(reply)
        void reply.then(
          ({ status, headers }) => {
            if (status === 503 && headers.get('retry-after') === '1') refused++
          },
          () => {},
        )
        // Client and server share this thread: it must accept before the kernel's queue of new connections is full.
        if (index % 100 === 99) await eventually(() => refused >= index - 150)
      }
      await eventually(() => refused === 1000 - cap)
      expect(gateway.upstream.requests.length - before).toBe(cap)
      expect((await gateway.get('/healthz')).status).toBe(200)
      release()
      const statuses = (await Promise.all(replies)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(cap)
      expect((await ask(gateway, 'chat', { model: 'brief' })).status).toBe(200)
    }
    expect(gateway.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})

/** Answers that wait until the test lets them go. */
function held(): { readonly behaviour: Behaviour; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    async behaviour(exchange) {
      await Promise.race([released, exchange.request.closed])
      await answering('Use spaces.')(exchange)
    },
    release: () => release(),
  }
}

describe('H09 a client that stops reading', () => {
  test('H09 slows the upstream down, and its end ends the call', async () => {
    const gateway = await start({ behaviour: endlessStream })
    const body = JSON.stringify(bodyOf('chat', { model: 'plain', stream: true }))
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname).pause()
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await eventually(() => (gateway.upstream.requests[0]?.pauses ?? 0) > 0)
    const before = process.memoryUsage.rss()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
    socket.destroy()
    await gateway.upstream.requests[0]?.closed
  })
})

describe('H25 hostile answers', () => {
  const size = 200_000
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length))
  const hostile = [
    'a',
    '[',
    '[^',
    '`',
    '```\n',
    '<!--',
    '\\',
    '|',
    '>',
    '- ',
    '  - x\n',
    '&#',
    'https://',
    '{"k: "v"',
    '{"a":',
    '---\n',
    '[^1',
    'a\r',
  ]
  const contracts = ['words', 'cited', 'steps', 'record', 'json', 'tools']
  const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  words: { checks: [{ max_words: { limit: 1000000 } }], mode: lenient, retries: 0 }
  cited: { checks: [{ citations: { sources: 3 } }], mode: lenient, retries: 0 }
  steps: { checks: [step_marker], mode: lenient, retries: 0 }
  record: { checks: [{ adr_structure: { required: true } }], mode: lenient, retries: 0 }
  json: { checks: [json], mode: lenient, retries: 0 }
  tools: { checks: [tool_calls, phantom_tools], mode: lenient, retries: 0 }
  brief: { checks: [{ max_words: { limit: 5 } }] }
routes:
${[...contracts, 'brief'].map((name) => `  - { model: ${name}, upstream: up, contract: ${name} }`).join('\n')}
`

  test('H25 hold nobody up: no stall of seconds, and healthy requests go on meanwhile', async () => {
    const gateway = await start({ yaml })
    for (const [index, piece] of hostile.entries())
      gateway.upstream.on(`hostile ${index}.`, answering(fill(piece), { chunks: [fill(piece)] }))
    const delays = monitorEventLoopDelay({ resolution: 10 })
    const healthy: string[] = []
    let busy = true
    const others = (async () => {
      while (busy) {
        const reply = await ask(gateway, 'chat', { model: 'brief' })
        healthy.push(`${reply.status} ${textOf('chat', reply)}`)
      }
    })()
    await eventually(() => healthy.length > 0)
    delays.enable()
    const statuses: number[] = []
    for (const model of contracts) {
      for (const index of hostile.keys()) {
        const reply = await ask(gateway, 'chat', { model, prompt: `hostile ${index}.`, stream: index % 2 === 0 })
        statuses.push(reply.status)
      }
    }
    delays.disable()
    busy = false
    await others
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(new Set(healthy)).toEqual(new Set(['200 Hello.']))
    expect(healthy.length).toBeGreaterThan(contracts.length)
    // The machine may be busy with other things; what is not linear takes tens of seconds here.
    expect(delays.max / 1e6).toBeLessThan(5000)
  })
})

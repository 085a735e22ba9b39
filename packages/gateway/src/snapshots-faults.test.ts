import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { readGatewayConfig } from './config/reading/read-gateway-config.ts'
import { answering } from './testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from './testing/test-gateway.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** A configuration of nearly 64 KB. */
const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  brief: { checks: [{ max_words: { limit: 9 } }], stream: verified }
${Array.from({ length: 500 }, (_, at) => `  c${at}: { checks: [{ max_words: { limit: ${at + 1} } }, { pattern: { deny: [{ regex: '^[a-z]{1,9}$' }] } }], retries: 2 }`).join('\n')}
routes: [{ model: brief, upstream: up, contract: brief }]
`

async function open(): Promise<{ gateway: TestGateway; reload: (times: number) => Promise<void> }> {
  const gateway = await startTestGateway({ yaml })
  onTestFinished(() => gateway.close())
  const written = `server: { port: 0 }\nstore: { url: "sqlite::memory:" }\n${yaml.replaceAll('$UP', gateway.upstream.url)}`
  const reload = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++)
      await gateway.reload(
        await readGatewayConfig(`${written}# ${time}`, 'a.yaml', {
          env: {},
          cwd: gateway.folder,
          readFile: () => Promise.reject(new Error('no')),
        }),
      )
  }
  return { gateway, reload }
}

const held = async (): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, 50))
  collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

test('a configuration that is not used any more is not held', async () => {
  const { gateway, reload } = await open()
  await reload(2)
  const before = await held()
  await reload(8)
  // Each of them is some 5 MB.
  expect((await held()) - before).toBeLessThan(15)
  // With a request that runs meanwhile, only what it uses is held.
  gateway.upstream.enqueue(answering('Use spaces, always.', { delayMs: 200 }))
  const running = gateway.post('/v1/chat/completions', { model: 'brief', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
  await expect.poll(() => gateway.upstream.requests.length).toBe(1)
  await reload(6)
  expect((await held()) - before).toBeLessThan(20)
  const response = await running
  expect(response.status).toBe(200)
  const pieces = [...(await response.text()).matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)
  expect(pieces.join('')).toBe('Use spaces, always.')
}, 240_000)

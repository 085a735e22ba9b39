// How far a streamed chat with one retry travels through the built packages: `npm run walk`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
/** The first cites a source that is not there. */
const answers = ['It is in the south[^9].', 'It is in the south[^1], by the river.'].map((text) => text.match(/\S+ ?/g))

const { port: upstreamPort, close } = await startUpstream()
const folder = mkdtempSync(join(tmpdir(), 'stickler-walk-'))
const port = await freePort()
writeFileSync(
  join(folder, 'stickler.yaml'),
  JSON.stringify({
    server: { port },
    store: { url: `sqlite:${join(folder, 'stickler.db')}` },
    upstreams: [{ name: 'up', kind: 'openai', baseUrl: `http://127.0.0.1:${upstreamPort}/v1`, apiKeyEnv: 'UP_KEY' }],
    contracts: { cited: { checks: [{ citations: { sources: 1 } }], retries: 1 } },
    routes: [{ model: 'm', upstream: 'up', contract: 'cited' }],
  }),
)
const gateway = spawn(
  process.execPath,
  ['--import', here('watched.mjs'), here('../../packages/cli/bin/stickler.js'), 'serve', '--config', join(folder, 'stickler.yaml')],
  { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { PATH: process.env.PATH, UP_KEY: 'key' } },
)
try {
  await isListening()
  await ask()
  gateway.send('start')
  await once(gateway, 'message')
  await ask()
  gateway.send('stop')
  const [{ files, stacks }] = await once(gateway, 'message')
  const rows = {
    'files executed': files.length,
    'package borders per chunk, at most': Math.max(...stacks.map(bordersIn)),
    'async layers per chunk, at most': Math.max(...stacks.map(layersIn)),
  }
  for (const [what, count] of Object.entries(rows)) console.log(`${what}: ${count}`)
  if (process.argv.includes('--files')) console.log(files.sort().join('\n'))
  if (process.argv.includes('--stack')) console.log(stacks.reduce((most, stack) => (layersIn(stack) > layersIn(most) ? stack : most)))
} finally {
  gateway.kill()
  close()
  rmSync(folder, { recursive: true, force: true })
}

/** Changes from one package to another between those that wait for a chunk. */
function bordersIn(stack) {
  const packages = [...stack.matchAll(/packages\/([a-z]+)\/dist/g)].map(([, name]) => name)
  return packages.filter((name, index) => index > 0 && name !== packages[index - 1]).length
}

/** Async functions that wait for it. */
function layersIn(stack) {
  return (stack.match(/^ +at async .*packages\//gm) ?? []).length
}

async function ask() {
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Say something short.' }] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 200 || !text.includes('river') || !text.includes('[DONE]')) throw new Error(`${response.status}: ${text}`)
}

async function isListening() {
  for (let left = 400; left > 0; left--) {
    const isThere = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await delay(50)
  }
  throw new Error('the gateway did not start')
}

/** Every other answer breaks the contract. */
async function startUpstream() {
  let asked = 0
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (delta, finish_reason = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      )
    chunk({ role: 'assistant', content: '' })
    for (const content of answers[asked++ % 2]) {
      if (response.destroyed) return
      chunk({ content })
      await delay(2)
    }
    chunk({}, 'stop')
    response.end('data: [DONE]\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: server.address().port, close: () => server.close().closeAllConnections() }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

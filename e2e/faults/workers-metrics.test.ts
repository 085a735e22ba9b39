import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAt } from '../../packages/gateway/src/testing/address-client.ts'
import { bundleCommand, type CommandBundle, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'

let bundle: CommandBundle
const folder = mkdtempSync(join(tmpdir(), 'stickler-workers-'))
beforeAll(async () => {
  bundle = await bundleCommand()
})
afterAll(() => {
  bundle.remove()
  rmSync(folder, { recursive: true, force: true })
})

// New connections go to the workers in turn.
const headers = { connection: 'close' }

const yaml = `
server: { port: 0, workers: 2 }
log: { level: warn }
upstreams: [{ name: up, kind: scripted, answers: [Fine.] }]
routes: [{ model: live, upstream: up }]
`

test('whichever of two workers is asked for metrics, it tells those of both', async () => {
  const served = await serveInProcess(bundle, { folder, yaml })
  try {
    for (let count = 0; count < 6; count++) expect((await askAt(served.url, 'chat', { model: 'live', headers })).status).toBe(200)
    const runs: (string | undefined)[] = []
    const memory = new Set<string | undefined>()
    for (let count = 0; count < 6; count++) {
      const text = await (await fetch(`${served.url}/metrics`, { headers })).text()
      runs.push(/^stickler_runs_total\{.* (\d+)$/m.exec(text)?.[1])
      memory.add(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])
    }
    expect(runs).toEqual(Array(6).fill('6'))
    expect(memory.has(undefined)).toBe(false)
  } finally {
    served.process.kill('SIGTERM')
  }
  expect(await served.ended).toBe(0)
  expect(served.said()).not.toContain('a worker exited')
})

test('workers share the listener of operators too', async () => {
  const env = { STICKLER_KEYS: 'alice:key-of-alice-1', STICKLER_OPERATOR_KEYS: 'ops:key-of-ops-0001' }
  const { served, named: admin } = await serveOnFreePort((port) => `{ port: 0, workers: 2, admin: { port: ${port} } }`, env)
  const as = (key: string) => ({ ...headers, authorization: `Bearer ${key}` })
  try {
    for (let count = 0; count < 4; count++)
      expect((await askAt(served.url, 'chat', { model: 'live', headers: as('key-of-alice-1') })).status).toBe(200)
    for (let count = 0; count < 4; count++) {
      const text = await (await fetch(`${admin}/metrics`, { headers })).text()
      expect(/^stickler_runs_total\{.* (\d+)$/m.exec(text)?.[1]).toBe('4')
      expect((await fetch(`${admin}/readyz`, { headers })).status).toBe(200)
      expect((await fetch(`${served.url}/metrics`, { headers: as('key-of-ops-0001') })).status).toBe(404)
      expect((await fetch(`${admin}/api/v1/runs`, { headers: as('key-of-alice-1') })).status).toBe(401)
      expect((await fetch(`${admin}/api/v1/runs`, { headers: as('key-of-ops-0001') })).status).toBe(200)
    }
    expect(served.said()).toContain(`dashboard  ${admin}/`)
  } finally {
    served.process.kill('SIGTERM')
  }
  expect(await served.ended).toBe(0)
})

/** Serves with a port that the configuration names; another program may take it first, so others are tried. */
async function serveOnFreePort(server: (port: number) => string, env: Readonly<Record<string, string>> = {}) {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    const served = await serveInProcess(bundle, { folder, yaml: yaml.replace('{ port: 0, workers: 2 }', server(port)), env })
    if (served.url !== '') return { served, named: `http://127.0.0.1:${port}` }
    if (tries === 5) throw new Error(served.said())
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('what a worker has counted is not lost when it is killed', async () => {
  // A port of its own choice would be another one when the second worker is killed before the first is replaced.
  const { served } = await serveOnFreePort((port) => `{ port: ${port}, workers: 2 }`)
  const runs = async (): Promise<number> => {
    const text = await (await fetch(`${served.url}/metrics`, { headers })).text()
    return Number(/^stickler_runs_total\{.* (\d+)$/m.exec(text)?.[1] ?? 0)
  }
  try {
    let expected = 0
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) expect((await askAt(served.url, 'chat', { model: 'live', headers })).status).toBe(200)
      expected += 4
      expect(await runs()).toBe(expected)
      const [victim] = childrenOf(served.process.pid ?? 0)
      process.kill(victim ?? 0, 'SIGKILL')
      // Another one takes its place, and begins at zero.
      await expect.poll(() => childrenOf(served.process.pid ?? 0).filter((pid) => pid !== victim).length, { timeout: 30_000 }).toBe(2)
      await expect.poll(runs, { timeout: 30_000 }).toBe(expected)
    }
  } finally {
    served.process.kill('SIGTERM')
  }
  await served.ended
}, 240_000)

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

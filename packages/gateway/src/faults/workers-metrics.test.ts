import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAt } from '../testing/address-client.ts'
import { bundleCommand, type CommandBundle, serveInProcess } from '../testing/served-process.ts'

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
  expect(served.said()).not.toContain('a worker ended')
})

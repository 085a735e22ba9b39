import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lines } from '../../../packages/gateway/src/testing/parser-gateway.ts'
import { bundleCommand, type CommandBundle, serveInProcess } from '../../../packages/gateway/src/testing/served-process.ts'

let bundle: CommandBundle
const folder = mkdtempSync(join(tmpdir(), 'stickler-parser-'))

beforeAll(async () => {
  bundle = await bundleCommand()
}, 60_000)
afterAll(() => {
  bundle.remove()
  rmSync(folder, { recursive: true, force: true })
})

const yaml = `
server: { port: 0 }
upstreams:
  - { name: script, kind: scripted, answers: ["\`\`\`json\\n{}\\n\`\`\`", "\`\`\`json\\n{}\\n\`\`\`", "\`\`\`json\\n{}\\n\`\`\`", "\`\`\`json\\n{}\\n\`\`\`"] }
contracts: { code: { checks: [{ code_syntax: { language: json } }], retries: 0, unchecked: deliver } }
routes: [{ model: code, upstream: script, contract: code }]
parser: { url: 'grpc://127.0.0.1:1', breaker: { cooldown: 3600 } }
`

test('G09: SIGTERM while the circuit is open ends the gateway at once', { timeout: 60_000 }, async () => {
  const served = await serveInProcess(bundle, { folder, yaml })
  for (let count = 0; count < 4; count++) {
    const response = await fetch(`${served.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'code', messages: [{ role: 'user', content: 'x' }] }),
    })
    expect([response.status, response.headers.get('x-stickler-status')]).toEqual([200, 'unchecked'])
    await response.text()
  }
  // A timer of the circuit would hold it for an hour.
  served.process.kill('SIGTERM')
  expect(await served.ended).toBe(0)
  expect(served.said()).toContain(lines.open)
  expect(served.said()).toContain(lines.unvalidated)
})

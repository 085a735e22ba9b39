import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readGatewayConfig, startGateway } from '@stickler/gateway'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Evaluation } from '../evaluation/evaluation.ts'
import { runCli } from '../testing/run-cli.ts'

const hostile = '{"city":"Ro\u001b[31mme"}'
const calling = { toolCalls: [{ name: 'weather', arguments: hostile }] }
const source = (checks: string) => `upstreams:
  - { name: calling, kind: scripted, answers: [${JSON.stringify(calling)}] }
  - { name: fine, kind: scripted, answers: [two words] }
  - { name: gone, kind: openai, baseUrl: "http://127.0.0.1:1/v1", retries: 0 }
contracts:
  calls: { checks: [${checks}], retries: 0 }
routes:
  - { model: gone, upstream: gone, contract: calls }
  - { model: fine, upstream: fine, contract: calls }
  - { model: "*", upstream: calling, contract: calls }
store: { keepText: true }
`
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', required: ['town'] } } }]

let cwd: string
let ids: Readonly<Record<string, string>>
let lines: string
beforeAll(async () => {
  const text = source('tool_calls')
  cwd = mkdtempSync(join(tmpdir(), 'stickler-calls-'))
  writeFileSync(join(cwd, 'stickler.yaml'), text)
  const config = await readGatewayConfig(text, 'stickler.yaml', { env: {}, cwd, readFile: async () => '' })
  const gateway = await startGateway({
    config: { ...config, server: { ...config.server, port: 0, keys: config.server.keys, operatorKeys: config.server.operatorKeys } },
    log: { write: () => {} },
  })
  try {
    const headers = { 'content-type': 'application/json' }
    for (const model of ['calling', 'gone', 'fine']) {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Well?' }], tools })
      await (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    }
    const { items } = await vi.waitFor(
      async () => {
        const found = JSON.parse((await runCli(['runs', '--json'], { cwd })).stdout) as { items: { id: string; model: string }[] }
        expect(found.items).toHaveLength(3)
        return found
      },
      { timeout: 10_000 },
    )
    ids = Object.fromEntries(items.map(({ model, id }) => [model, id]))
    lines = await (await fetch(`${gateway.url}/api/v1/runs.jsonl`)).text()
  } finally {
    await gateway.close()
  }
})

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

test('exported calls have the verdict of their run, and a run that failed is no answer', async () => {
  writeFileSync(join(cwd, 'runs.jsonl'), lines)
  const { stdout } = await runCli(['eval', 'runs.jsonl', '--contract', 'calls', '--json'], { cwd })
  expect(JSON.parse(stdout) as Evaluation).toMatchObject({
    answers: 2,
    statuses: { valid: 1, unresolved: 1 },
    recordings: { records: 3, unusable: { error: 1 } },
  })
})

test('a run with tool calls becomes a case with them and its tools, and one that failed none', async () => {
  expect(await runCli(['new', 'test', ids.calling ?? '', '--dir', 'cases'], { cwd })).toMatchObject({ code: 0 })
  const written = readFileSync(join(cwd, `cases/${ids.calling}.test.yaml`), 'utf8')
  for (const part of ['tool_calls:', 'tools:', 'status: unresolved']) expect(written).toContain(part)
  expect(await runCli(['test', 'cases'], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') as string })
  expect(await runCli(['new', 'test', ids.gone ?? ''], { cwd })).toMatchObject({
    code: 2,
    stderr: `stickler: the run ${ids.gone} has no answer: error\n`,
  })
})

test('a run is shown with the names and arguments of its calls, escaped', async () => {
  const { stdout } = await runCli(['runs', ids.calling ?? ''], { cwd })
  for (const title of ['tool calls', 'tool calls of the answer'])
    expect(stdout).toContain(`\n    ${title}:\n      weather {"city":"Ro\\x1b[31mme"}\n`)
  expect(stdout).not.toContain('\u001b')
})

test('annotations of runs name no file', async () => {
  writeFileSync(join(cwd, 'strict.yaml'), source('tool_calls, { max_words: { limit: 1 } }'))
  const { stdout } = await runCli(['replay', '--config', 'strict.yaml', '--format', 'github'], { cwd })
  expect(stdout).toContain(`::warning title=${ids.fine}::valid before, now unresolved`)
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Gateway, readGatewayConfig, startGateway } from '@stickler/gateway'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Ended, runCli } from '../../testing/run-cli.ts'
import type { Evaluation } from '../evaluation.ts'

const source = (limit: number, keepText = true) => `upstreams:
  - { name: long, kind: scripted, answers: [one two three four five six seven, one two] }
  - { name: short, kind: scripted, answers: ["yes\\e[31m no maybe"] }
contracts:
  brief: { checks: [{ max_words: { limit: ${limit} } }], retries: 1 }
  open: { checks: [{ max_words: { limit: 50 } }] }
routes:
  - { model: long, upstream: long, contract: brief }
  - { model: free, upstream: short }
  - { model: "*", upstream: short, contract: open }
store: { keepText: ${keepText} }
`

let folder: string
const gateways: Gateway[] = []

async function start(text: string, name: string): Promise<Gateway> {
  const config = await readGatewayConfig(text, 'stickler.yaml', { env: {}, cwd: join(folder, name), readFile: async () => '' })
  const gateway = await startGateway({
    config: { ...config, server: { ...config.server, port: 0, keys: config.server.keys, operatorKeys: config.server.operatorKeys } },
    log: { write: () => {} },
  })
  gateways.push(gateway)
  return gateway
}

async function ask(gateway: Gateway, model: string): Promise<void> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Well?' }] })
  const headers = { 'content-type': 'application/json' }
  await (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stickler-replay-'))
  writeFileSync(join(folder, 'changed.yaml'), source(8))
  writeFileSync(join(folder, 'stickler.yaml'), source(5))
  const gateway = await start(source(5), '.')
  for (const model of ['long', 'short', 'free', 'short']) await ask(gateway, model)
  await vi.waitFor(async () => expect(JSON.parse((await cli(['runs', '--json'])).stdout).items).toHaveLength(4), { timeout: 10_000 })
})
afterAll(async () => {
  for (const gateway of gateways) await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

const cli = (argv: readonly string[]): Promise<Ended> => runCli(argv, { cwd: folder })
async function replay(argv: readonly string[]): Promise<Evaluation> {
  const { stdout, stderr } = await cli(['replay', '--json', ...argv])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Evaluation
}

test('the same configuration changes nothing, and a changed one what it says', async () => {
  const same = await replay([])
  expect(same).toMatchObject({ answers: 3, comparison: { changed: 0, pairs: 3 }, statuses: { valid: 2, unresolved: 1 } })
  expect(same.recordings.unusable).toEqual({ 'contract unknown': 1 })
  expect(same.notes[0]).toMatch(/^as recorded, 1 run asked again: \d+ \+ \d+ tokens$/)
  const changed = await replay(['--config', 'changed.yaml'])
  expect(changed.flips).toEqual([
    { from: 'unresolved', to: 'valid', rule: 'max_words/MAX_WORDS', answers: 1, examples: [expect.stringMatching(/^run_/)] },
  ])
  expect(changed.actions).toEqual({ deliver: 3 })
  const strict = await replay(['--contract', 'brief', '--run-contract', 'open', '--max-new-failures', '0', '--min-valid', '1'])
  expect(strict).toMatchObject({ answers: 2, comparison: { changed: 0 } })
})

test('the same runs give the same bytes, in every format', async () => {
  for (const format of ['text', 'json', 'junit', 'markdown', 'html', 'github']) {
    const argv = ['replay', '--config', 'changed.yaml', '--texts', '--format', format]
    const [first, second] = [await cli(argv), await cli(argv)]
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(second.stdout).toBe(first.stdout)
    expect(first.stdout).not.toContain('\u001b')
  }
})

test('a gateway that runs says the same as its store', async () => {
  const [gateway] = gateways
  expect(await replay(['--url', gateway?.url ?? ''])).toEqual(await replay([]))
})

test('labels of the dashboard are read, from the store and from a gateway', async () => {
  const [gateway] = gateways
  const { items } = JSON.parse((await cli(['runs', '--json'])).stdout) as { items: readonly { id: string; model: string }[] }
  const put = async (id: string, label: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    return (
      await fetch(`${gateway?.url}/api/v1/runs/${id}/label`, { method: 'PUT', headers, body: JSON.stringify({ label, note: 'seen' }) })
    ).status
  }
  for (const { id, model } of items.filter(({ model: name }) => name !== 'free'))
    expect(await put(id, model === 'long' ? 'bad' : 'good')).toBeLessThan(300)
  const rules = [{ rule: 'max_words/MAX_WORDS', caught: 1, wronglyBlocked: 0, precision: 1, recall: 1 }]
  const expected = { labels: { good: 2, bad: 1, caught: 1, wronglyBlocked: 0, rules } }
  expect(await replay([])).toMatchObject(expected)
  expect(await replay(['--url', gateway?.url ?? ''])).toMatchObject(expected)
})

test('a retry costs what the contract of the run would send', async () => {
  const [gateway] = gateways
  // The demo's models report no usage; this gateway does.
  const counting = createServer(async (request, response) => {
    const body = (await (await fetch(`${gateway?.url}${request.url}`)).json()) as { attempts?: object[] }
    const usage = { promptTokens: 100, completionTokens: 7 }
    const counted = Array.isArray(body.attempts) ? { ...body, attempts: body.attempts.map((attempt) => ({ ...attempt, usage })) } : body
    response.setHeader('content-type', 'application/json').end(JSON.stringify(counted))
  })
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`
    mkdirSync(join(folder, 'anew'))
    writeFileSync(join(folder, 'anew/stickler.yaml'), source(5).replace('retries: 1 }', 'retries: 1, askAgain: anew }'))
    const retried = async (cwd: string): Promise<unknown> =>
      (JSON.parse((await runCli(['replay', '--json', '--url', url], { cwd })).stdout) as Evaluation).retries.usage
    expect(await retried(folder)).toEqual({ promptTokens: 107, completionTokens: 7 })
    expect(await retried(join(folder, 'anew'))).toEqual({ promptTokens: 100, completionTokens: 7 })
  } finally {
    counting.close()
  }
})

test('annotations name the command', async () => {
  const { code, stdout } = await cli(['replay', '--min-valid', '1', '--format', 'github'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('::error title=stickler replay%3A min-valid::')])
})

test('nothing to judge is a failure, with and without gates', async () => {
  const { code, stdout } = await cli(['replay', '--json', '--model', 'nobody'])
  expect([code, JSON.parse(stdout).answers]).toEqual([1, 0])
})

test('gates fail, and runs without texts are counted and never judged', async () => {
  const gate = await cli(['replay', '--contract', 'brief', '--max-new-failures', '0', '--min-valid', '0.9'])
  expect([gate.code, gate.stdout]).toEqual([1, expect.stringContaining('FAILED --min-valid 0.9')])
  mkdirSync(join(folder, 'silent'))
  writeFileSync(join(folder, 'silent/stickler.yaml'), source(5, false))
  const gateway = await start(source(5, false), 'silent')
  await ask(gateway, 'short')
  const silent = () => runCli(['replay', '--json', '--max-unchecked', '0'], { cwd: join(folder, 'silent') })
  await vi.waitFor(async () => expect(JSON.parse((await silent()).stdout).recordings.records).toBe(1), { timeout: 10_000 })
  const { code, stdout } = await silent()
  expect(JSON.parse(stdout)).toMatchObject({ answers: 0, recordings: { unusable: { 'text not kept': 1 } } })
  expect(code).toBe(1)
})

test.each([
  [['--config', 'gone.yaml'], 2, 'gone.yaml'],
  [['--contract', 'none'], 2, 'none'],
  [['--store', 'sqlite:gone.db'], 2, 'there is no store'],
  [['--store', 'postgres://u:secret@127.0.0.1:1/x'], 3, 'cannot read the store'],
  [['--since', 'today', '--until', 'yesterday'], 2, 'later'],
])('%j ends with %i', async (argv, code, words) => {
  const ended = await cli(['replay', ...argv])
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
  expect(ended.stderr).not.toContain('secret')
})

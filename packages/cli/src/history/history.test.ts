import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Gateway, readGatewayConfig, startGateway } from '@stickler/gateway'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Ended, runCli, type Setting } from '../testing/run-cli.ts'
import { readMoment } from './filter-options.ts'

const source = `upstreams:
  - { name: long, kind: scripted, answers: [one two three four five six seven, one two three four five six] }
  - { name: short, kind: scripted, answers: ["yes\\e[31m\\r\\n\\u202eevil\\a"] }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1 }
  open: { checks: [{ max_words: { limit: 50 } }] }
routes:
  - { model: long, upstream: long, contract: brief }
  - { model: "*", upstream: short, contract: open }
store: { keepText: true }
`
const keys = {
  STICKLER_KEYS: 'alice:key-of-alice-0123456789abcdef,bob:key-of-bob-0123456789abcdef',
  STICKLER_OPERATOR_KEYS: 'ops:key-of-operators-0123456789',
}

let folder: string
let gateway: Gateway
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stickler-history-'))
  writeFileSync(join(folder, 'stickler.yaml'), source)
  const config = await readGatewayConfig(source, 'stickler.yaml', { env: keys, cwd: folder, readFile: async () => '' })
  gateway = await startGateway({
    config: { ...config, server: { ...config.server, port: 0, keys: config.server.keys, operatorKeys: config.server.operatorKeys } },
    log: { write: () => {} },
  })
  const ask = async (model: string, key: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Well?' }] })
    await (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
  }
  await ask('long', 'key-of-alice-0123456789abcdef')
  await ask('anything', 'key-of-bob-0123456789abcdef')
  await ask('long', 'key-of-bob-0123456789abcdef')
  await vi.waitFor(async () => expect(await list([])).toHaveLength(3), { timeout: 10_000 })
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

const cli = (argv: readonly string[], setting: Setting = {}): Promise<Ended> => runCli(argv, { cwd: folder, ...setting })
const operator = { env: { STICKLER_API_KEY: 'key-of-operators-0123456789' } }
async function list(argv: readonly string[], setting?: Setting): Promise<{ id: string; status: string; contract: string; key: string }[]> {
  const { stdout } = await cli(['runs', '--json', ...argv], setting)
  return (JSON.parse(stdout) as { items: [] }).items
}

test('runs are listed from the store while the gateway runs, as the gateway itself lists them', async () => {
  const filters = [
    [],
    ['--contract', 'brief'],
    ['--key', 'bob'],
    ['--status', 'unresolved'],
    ['--code', 'MAX_WORDS'],
    ['--since', '1h'],
    ['--until', 'yesterday'],
    ['--limit', '1'],
    ['--model', 'none'],
  ]
  for (const filter of filters) {
    expect(await list(['--url', gateway.url, ...filter], operator)).toEqual(await list(filter))
  }
  expect((await list(['--contract', 'brief'])).map(({ key }) => key)).toEqual(['bob', 'alice'])
  expect(await list(['--key', 'alice', '--model', 'long'])).toMatchObject([{ key: 'alice', status: 'unresolved' }])
  expect(await list(['--url', gateway.url], { env: { STICKLER_API_KEY: 'key-of-alice-0123456789abcdef' } })).toMatchObject([
    { key: 'alice' },
  ])
  const { stderr } = await cli(['runs', '--limit', '2'])
  expect(stderr).toBe('stickler: there are more; --limit 20 shows them\n')
})

test('one run is shown with its attempts, issues and texts, hostile texts escaped', async () => {
  const [run] = await list(['--key', 'alice'])
  const { stdout, code } = await cli(['runs', run?.id ?? ''])
  expect([code, stdout]).toEqual([0, expect.stringContaining('attempt 2')])
  expect(stdout).toContain('error MAX_WORDS')
  expect(stdout).toContain('one two three four five six seven')
  // Its answer has colours, a direction mark and a bell.
  const [odd] = await list(['--contract', 'open'])
  expect((await cli(['runs', odd?.id ?? ''])).stdout).toContain('\\x1b[31m')
  for (const argv of [['runs'], ['runs', odd?.id ?? ''], ['runs', '--json'], ['stats'], ['stats', '--json']]) {
    const { stdout: shown } = await cli(argv)
    for (const character of ['\u001b', '\u202e', '\u0007', '\r']) expect(shown).not.toContain(character)
  }
  const viaGateway = await cli(['runs', run?.id ?? '', '--url', gateway.url], operator)
  expect(viaGateway.stdout).toBe(stdout)
  expect(await cli(['runs', 'run_none'])).toMatchObject({ code: 2, stderr: 'stickler: there is no run run_none\n' })
})

test('stats say what failed, why, and what it cost, by contract and key', async () => {
  const { stdout } = await cli(['stats'])
  for (const line of [
    /3 runs, 2 unresolved, 1 valid/,
    /brief +2 +2/,
    /bob +2/,
    /unresolved +no-retries-left +2/,
    /max_words +MAX_WORDS +2/,
    /max_words +2 +2 /,
  ])
    expect(stdout).toMatch(line)
  const own = JSON.parse((await cli(['stats', '--day', 'today', '--json', '--key', 'bob'])).stdout) as object
  expect(own).toMatchObject({ runs: 2, keys: [{ key: 'bob' }], contracts: [{ runs: 1 }, { runs: 1 }] })
  expect(JSON.parse((await cli(['stats', '--day', 'today', '--json', '--key', 'bob', '--url', gateway.url], operator)).stdout)).toEqual(own)
  expect(JSON.parse((await cli(['stats', '--day', 'yesterday', '--json'])).stdout)).toMatchObject({ runs: 0, keys: [] })
})

test('a store that is not there yet is empty, and none is made', async () => {
  for (const argv of [['runs'], ['stats']]) {
    const { code, stderr } = await runCli(argv, { files: {} })
    expect([code, stderr]).toEqual([0, expect.stringContaining('yet; `stickler serve` creates it')])
  }
  expect(await cli(['runs', '--store', 'sqlite:none.db'])).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no store') })
  expect(existsSync(join(folder, 'none.db'))).toBe(false)
  writeFileSync(join(folder, 'text.db'), 'not a database, but long enough to look like one at first sight'.repeat(100))
  expect(await cli(['runs', '--store', 'sqlite:text.db'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('cannot read the store'),
  })
  expect(await cli(['runs', '--store', 'sqlite::memory:'])).toMatchObject({ code: 2, stderr: expect.stringContaining('use --url') })
  const away = 'postgres://user:secret-password@127.0.0.1:1/none'
  const { code, stderr } = await cli(['stats', '--store', away])
  expect([code, stderr]).toEqual([3, expect.not.stringContaining('secret-password')])
})

test.each([
  [['--url', 'ftp://x'], 2, 'such as http://'],
  [['--url', 'http://user:pass@127.0.0.1'], 2, 'user or password'],
  [['--url', 'http://127.0.0.1:1'], 3, 'no connection'],
  [['--url', 'http://127.0.0.1:1', '--store', 'sqlite:x'], 2, 'excludes'],
  [['--since', 'tomorrow'], 2, 'Write today'],
  [['--since', 'today', '--until', 'yesterday'], 2, 'later'],
  [['--store', 'mysql://x'], 2, '--store: expected'],
])('%j ends with %i', async (argv, code, words) => {
  for (const command of ['runs', 'stats'])
    expect(await cli([command, ...argv])).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
})

test('a gateway that refuses, or is none, is told of in one line', async () => {
  expect((await cli(['runs', '--url', gateway.url])).stderr).toBe('stickler: the gateway needs a key; set STICKLER_API_KEY\n')
  const wrong = await cli(['runs', '--url', gateway.url, '--key-env', 'OTHER'], { env: { OTHER: 'not-a-key' } })
  expect(wrong).toMatchObject({ code: 2, stderr: 'stickler: the gateway does not accept the key in OTHER\n' })
  const replies = ['<html>\u001b[2J</html>', '{"items":3}', '[]', '{"error":{"message":"\u001b[2Jno"}}']
  let status = 200
  const server = createServer((_request, response) => response.writeHead(status).end(replies[0]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  for (; replies.length > 0; replies.shift()) {
    status = replies.length === 1 ? 503 : 200
    const { code, stderr } = await cli(['runs', '--url', url])
    expect([code, stderr.split('\n').length]).toEqual([status === 503 ? 3 : 2, 2])
    expect(stderr).not.toContain('\u001b')
  }
  server.close()
})

test.each([
  ['today', '2026-11-16T00:00:00.000Z'],
  ['yesterday', '2026-11-15T00:00:00.000Z'],
  ['90m', '2026-11-16T08:30:00.000Z'],
  ['7d', '2026-11-09T10:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
])('%s is %s', (written, moment) => {
  expect(new Date(readMoment(written, Date.parse('2026-11-16T10:00:00Z'))).toISOString()).toBe(moment)
})

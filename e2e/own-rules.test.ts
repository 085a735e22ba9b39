import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../packages/cli/src/testing/run-cli.ts'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'
import { run } from './support/run.ts'

const python = spawnSync('python3', ['--version']).status === 0
const bin = join(root, 'packages/cli/bin/stickler.js')
const example = join(root, 'examples/own-rules')
const env = { PATH: process.env.PATH ?? '' }

let folder = ''
const children: ChildProcess[] = []
beforeAll(async () => {
  requireBuilt(['core', 'gateway', 'cli'])
  if (!python) console.warn('python3 is not here: the rules in Python are not tested')
  folder = await mkdtemp(join(tmpdir(), 'stickler-own-rules-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** The program in the page of a validator. */
async function programOf(page: string): Promise<string> {
  const text = await readFile(join(root, `docs/reference/validators/${page}.md`), 'utf8')
  return /```python file=\S+\n([\s\S]*?)```/.exec(text)?.[1] ?? expect.fail(`${page}.md has no program`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function start(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): ChildProcess {
  const child = spawn(command, args, { stdio: 'ignore', ...options })
  children.push(child)
  return child
}

const answers = async (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD' }).then(
    () => true,
    () => false,
  )
const lines = [
  { id: 1, text: 'We will try.' },
  { id: 2, text: 'We guarantee it.' },
]
const verdicts = [
  { id: 1, status: 'valid', issues: [] },
  {
    id: 2,
    status: 'unresolved',
    issues: [{ code: 'PROMISE', validator: 'no_promises', message: 'Follow the rule no_promises: "Do not guarantee anything".' }],
  },
]
const jsonl = lines.map((line) => JSON.stringify(line)).join('\n')
const parsed = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe.runIf(python)('the programs of the docs', () => {
  test('a command in Python', async () => {
    const program = await programOf('command')
    expect(program.split('\n').length).toBeLessThanOrEqual(16)
    await writeFile(join(folder, 'promises.py'), program)
    await writeFile(join(folder, 'command.yaml'), 'checks: [{ command: { name: no_promises, run: [python3, promises.py] } }]')
    const { stdout, code } = await runCli(['check', '--jsonl', '--contract', 'command.yaml'], { cwd: folder, stdin: jsonl, env })
    expect(parsed(stdout)).toMatchObject(verdicts)
    expect(code).toBe(1)
  })

  test('a service in Python', async () => {
    const port = await freePort()
    const program = await programOf('remote')
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(16)
    await writeFile(join(folder, 'service.py'), program.replace('9100', String(port)))
    start('python3', ['service.py'], { cwd: folder })
    const url = `http://127.0.0.1:${port}/`
    await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(true)
    await writeFile(join(folder, 'remote.yaml'), `checks: [{ remote: { name: no_promises, url: "${url}" } }]`)
    const { stdout } = await runCli(['check', '--jsonl', '--contract', 'remote.yaml'], { cwd: folder, stdin: jsonl, env })
    expect(parsed(stdout)).toMatchObject(verdicts)
  })
})

describe('`stickler check --jsonl` as a command', () => {
  const rule = {
    name: 'brief',
    run: [process.execPath, bin, 'check', '--jsonl', '--check', 'max_words={"limit":8}', '--check', 'step_marker'],
  }
  const contract = JSON.stringify({ checks: [{ command: { ...rule, timeoutMs: 20_000 } }], timeoutMs: 60_000, allow: ['lossless'] })

  test('gives the same verdicts and repairs as its own output', async () => {
    await writeFile(join(folder, 'nested.json'), contract)
    const text = ['This answer has more than eight words in it, really.', 'Which one?', 'Done.\n<!-- STEP: done -->', '']
    const stdin = text.map((one, id) => JSON.stringify({ id, text: one })).join('\n')
    const asked = { cwd: folder, stdin, env }
    const nested = parsed((await runCli(['check', '--jsonl', '--contract', 'nested.json'], asked)).stdout) as Record<string, unknown>[]
    const plain = parsed((await runCli(['check', '--jsonl', ...rule.run.slice(4)], asked)).stdout) as Record<string, unknown>[]
    const codes = (list: unknown) => ((list ?? []) as { code: string }[]).map(({ code }) => code)
    const shown = ({ status, issues, fixed, repairs, text: after }: Record<string, unknown>) => ({
      status,
      after,
      repairs,
      issues: codes(issues),
      fixed: codes(fixed),
    })
    expect(nested.map(shown)).toEqual(plain.map(shown))
    expect(new Set(plain.map(({ status }) => status)).size).toBeGreaterThan(1)
  })

  test('a line cannot bring a program or an address of its own, and can choose a rule by its name', async () => {
    const own = [
      { id: 1, text: 'x', checks: [{ command: { name: 'own', run: ['touch', 'canary'] } }] },
      { id: 2, text: 'x', checks: [{ remote: { name: 'own', url: 'http://127.0.0.1:1/' } }] },
      { id: 3, text: 'one two three four five six seven eight nine', checks: ['brief'] },
    ]
    await writeFile(join(folder, 'nested.json'), contract)
    const stdin = own.map((line) => JSON.stringify(line)).join('\n')
    const { stdout } = await runCli(['check', '--jsonl', '--contract', 'nested.json'], { cwd: folder, stdin, env })
    expect(parsed(stdout)).toMatchObject([
      { id: 1, error: { message: 'checks: command must be part of the contract; a line can only choose it by its name' } },
      { id: 2, error: { message: expect.stringContaining('remote must be part of the contract') } },
      { id: 3, status: 'unresolved', issues: expect.arrayContaining([expect.objectContaining({ code: 'MAX_WORDS', validator: 'brief' })]) },
    ])
    await expect(readFile(join(folder, 'canary'))).rejects.toThrow('ENOENT')
  })
})

test('a plugin repairs an answer that a rule outside judges too, before and after', async () => {
  const plugin = `
import { defineValidator, issue } from '@stickler/core'
import * as z from 'zod'
export const shouting = defineValidator({
  name: 'shouting',
  summary: 'No exclamation marks.',
  options: z.strictObject({}),
  codes: { SHOUTING: { severity: 'error', when: 'There is one.', fix: 'Leave it out.' } },
  instruct: () => 'Do not shout.',
  prepare: () => ({
    *check({ text }) {
      if (text.includes('!')) yield issue('SHOUTING', 'Do not shout.')
    },
    *repair({ text }) {
      const start = text.indexOf('!')
      yield { rule: 'calm-down', class: 'lossless', span: { start, end: start + 1 }, before: '!', after: '.' }
    },
  }),
})
`
  const program = `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, text } = JSON.parse(line)
  appendFileSync('asked', text + '|')
  console.log(JSON.stringify({ id, issues: text.includes('bad') ? [{ message: 'Say good.' }] : [] }))
}
`
  await writeFile(join(folder, 'shouting.mjs'), plugin)
  await writeFile(join(folder, 'rule.mjs'), program)
  await writeFile(
    join(folder, 'mixed.yaml'),
    `plugins: [./shouting.mjs]\ncontracts: { own: { checks: [shouting, { command: { name: good, run: [${process.execPath}, rule.mjs] } }], timeoutMs: 30000 } }`,
  )
  const stdin = '{"id":1,"text":"Fine!"}\n{"id":2,"text":"So bad!"}'
  const { stdout } = await runCli(['check', '--jsonl', '--config', 'mixed.yaml'], { cwd: folder, stdin, env })
  expect(parsed(stdout)).toMatchObject([
    { id: 1, status: 'repaired', text: 'Fine.', repairs: [{ rule: 'calm-down' }] },
    { id: 2, status: 'unresolved', issues: expect.arrayContaining([expect.objectContaining({ validator: 'good' })]) },
  ])
  expect(await readFile(join(folder, 'asked'), 'utf8')).toContain('Fine.|')
})

test('stickler doctor says which rule is not there', async () => {
  const yaml = `
store: { url: "sqlite::memory:" }
upstreams: [{ name: up, kind: scripted, answers: [x] }]
contracts: { own: { checks: [{ command: { name: here, run: [${process.execPath}] } }, { command: { name: gone, run: [no-such-program] } }] } }
routes: [{ model: m, upstream: up, contract: own }]
`
  const { stdout } = await runCli(['doctor', '--json'], { files: { 'stickler.yaml': yaml }, env })
  const { findings } = JSON.parse(stdout) as { findings: { name: string; state: string }[] }
  expect(findings.filter(({ name }) => name.startsWith('rule '))).toMatchObject([
    { name: 'rule here', state: 'ok' },
    { name: 'rule gone', state: 'warn', message: expect.stringContaining('the command was not found; answers stay unchecked') },
  ])
})

describe.runIf(python)('one contract with a plugin, a service in Python and our own validators', () => {
  test('behind the gateway, streamed to the OpenAI client: the retry and the redaction are visible', async () => {
    const [port, rules] = [String(await freePort()), String(await freePort())]
    const given = { ...process.env, PORT: port, RULES_PORT: rules }
    start('python3', ['promises.py'], { cwd: example, env: given })
    await expect.poll(() => answers(`http://127.0.0.1:${rules}/`), { timeout: 10_000 }).toBe(true)
    start(process.execPath, [bin, 'serve', '--config', join(example, 'stickler.yaml'), '--port', port], { cwd: folder, env: given })
    await expect.poll(() => answers(`http://127.0.0.1:${port}/healthz`), { timeout: 30_000 }).toBe(true)
    const { code, output } = await run(process.execPath, [join(example, 'ask.mjs')], { cwd: example, env: given })
    expect(code, output).toBe(0)
    const [reply = '', verdict, ...changes] = output.trimEnd().split('\n')
    expect(JSON.parse(reply)).toEqual({ reply: 'You may ask for a refund. Write to [EMAIL].', refund: true })
    expect(verdict).toBe('repaired after 2 attempts')
    expect(changes).toEqual(['repaired: SENSITIVE of sensitive', expect.stringMatching(/^lossy \S+: \[hidden\] → \[EMAIL\]$/)])
  })
})

describe.runIf(python)('a validator in Python, unchanged', () => {
  const example = join(root, 'examples/python-rules')

  test('rejects an answer of the gateway, and finds nothing in the next one', async () => {
    const port = String(await freePort())
    const given = { ...process.env, PORT: port }
    start(process.execPath, [bin, 'serve', '--config', join(example, 'stickler.yaml'), '--port', port], { cwd: folder, env: given })
    await expect.poll(() => answers(`http://127.0.0.1:${port}/healthz`), { timeout: 30_000 }).toBe(true)
    const { code, output } = await run('python3', ['-B', 'chat.py'], { cwd: example, env: given })
    const shown = /```text\n([\s\S]*?)```/.exec(await readFile(join(example, 'README.md'), 'utf8'))?.[1]
    expect([code, output]).toEqual([0, shown])
  })

  test('gives its errors and warnings, and no verdict where it crashes', async () => {
    const call = (name: string, given = '{}') => ({ id: 'a', type: 'function', function: { name, arguments: given } })
    const parameters = { type: 'object', properties: { adapter: { type: 'string' } }, required: ['adapter'] }
    const tools = [{ type: 'function', function: { name: 'get_ip_config', parameters } }]
    const given = [
      { text: 'Fine.', tools },
      { text: '', tools, tool_calls: [call('get_ip_config')] },
      { text: 'I ran check_wifi.', tools, tool_calls: [call('get_ip_config', '{"adapter": 7}')] },
      { text: '', tools, tool_calls: [call('get_ip_config', 'null')] },
    ]
    const stdin = given.map((line, id) => JSON.stringify({ id, ...line })).join('\n')
    const contract = (trusted: boolean) => ({
      checks: [{ command: { name: 'response_validator', run: ['python3', '-B', join(example, 'rule.py')], trusted } }],
    })
    const found = async (trusted: boolean) => {
      await writeFile(join(folder, 'python-rules.json'), JSON.stringify(contract(trusted)))
      const { stdout } = await runCli(['check', '--jsonl', '--contract', 'python-rules.json'], { cwd: folder, stdin, env })
      return (parsed(stdout) as { status: string; issues: { severity: string; message: string }[] }[]).map(({ status, issues }) => [
        status,
        ...issues.map(({ severity, message }) => `${severity} ${message}`),
      ])
    }
    const missing = "Tool 'get_ip_config' missing required arguments: {'adapter'}"
    const type = "Tool 'get_ip_config' argument 'adapter' expected string, got int"
    const phantom = "Content mentions non-existent tool-like name: 'check_wifi'"
    expect(await found(true)).toEqual([
      ['valid'],
      ['unresolved', `error ${missing}`],
      ['valid', `warning ${type}`, `warning ${phantom}`],
      ['unchecked'],
    ])
    expect((await found(false))[1]).toEqual(['unresolved', `error Follow the rule response_validator: "${missing}".`])
  })
})

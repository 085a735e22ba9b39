import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { folderWith } from '../testing/run-cli.ts'

beforeAll(() => requireBuilt(['core', 'gateway', 'cli']))
const stickler = fileURLToPath(new URL('../../bin/stickler.js', import.meta.url))

/** How large the files below a folder are. */
function sizeIn(folder: string): number {
  try {
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  } catch {
    return 0
  }
}

/** Runs the command, and kills it as soon as `isTime`. */
function run(argv: readonly string[], cwd: string, isTime?: () => boolean, signal: NodeJS.Signals = 'SIGKILL') {
  return new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [stickler, 'eval', ...argv], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const out = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => {
        out[name] += chunk.toString()
      })
    const timer = setInterval(() => {
      if (isTime?.() !== true) return
      // A second signal would end the command at once.
      clearInterval(timer)
      child.kill(signal)
    }, 1)
    child.on('close', (code) => {
      clearInterval(timer)
      resolve({ code, ...out })
    })
  })
}

const data = (stdout: string): object => ({ ...(JSON.parse(stdout) as object), id: '', at: 0 })

test('an evaluation that is killed at any point loses and doubles nothing', async () => {
  const lines = Array.from(
    { length: 6000 },
    (_, at) => `${JSON.stringify({ id: `r${at}`, text: `Answer ${at} ${'is rather long. '.repeat(at % 50)}` })}\n`,
  )
  const cwd = await folderWith({
    'stickler.yaml': 'contracts: { a: { checks: [{ max_words: { limit: 60 } }, repetition] } }\n',
    'a.jsonl': lines.join(''),
  })
  const argv = ['a.jsonl', '--json']
  const whole = await run([...argv, '--no-cache'], cwd)
  expect(whole.code).toBe(0)
  let killed = 0
  const folder = join(cwd, '.stickler/verdicts')
  // Each time when more is written than the others have left.
  for (const grown of fc.sample(fc.integer({ min: 1, max: 100_000 }), 5)) {
    const enough = sizeIn(folder) + grown
    if ((await run(argv, cwd, () => sizeIn(folder) > enough)).code === null) killed++
  }
  expect(killed).toBeGreaterThan(1)
  const last = await run(argv, cwd)
  expect(data(last.stdout)).toEqual(data(whole.stdout))
  const [name = ''] = await readdir(join(cwd, '.stickler/verdicts'))
  const kept = (await readFile(join(cwd, '.stickler/verdicts', name), 'utf8')).split('\n').filter((line) => line.endsWith('}]'))
  // Two lines for one answer are only possible where one of them was torn.
  expect([kept.length, new Set(kept).size]).toEqual([6000, 6000])
}, 240_000)

test('calls that were paid for are never made again; only one under way at a kill may be', async () => {
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    request.resume()
    request.on('end', () => {
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } }]
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'm',
            choices,
            usage: { prompt_tokens: 1, completion_tokens: 1 },
          }),
        )
      }, 20)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const cwd = await folderWith({
    'stickler.yaml': `upstreams: [{ name: m, kind: openai, baseUrl: "${url}", model: m }]\ncontracts: { a: { checks: [{ max_words: { limit: 3 } }] } }\n`,
    'p.jsonl': Array.from({ length: 100 }, (_, at) => `{"id":"p${at}","prompt":"Number ${at}?"}\n`).join(''),
  })
  const argv = ['--prompts', 'p.jsonl', '--upstream', 'm', '--json']
  let kills = 0
  const folder = join(cwd, '.stickler')
  const more = (grown: number) => {
    const enough = sizeIn(folder) + grown
    return () => sizeIn(folder) > enough
  }
  for (const grown of fc.sample(fc.integer({ min: 1, max: 2000 }), 4)) if ((await run(argv, cwd, more(grown))).code === null) kills++
  expect(kills).toBe(4)
  const interrupted = await run(argv, cwd, more(1000), 'SIGINT')
  expect([interrupted.code, interrupted.stderr]).toEqual([130, expect.stringContaining('interrupted; the answers so far are kept')])
  const done = await run(argv, cwd)
  expect(done.code).toBe(0)
  expect(JSON.parse(done.stdout)).toMatchObject({ answers: 100, statuses: { valid: 100 }, recordings: { faults: 0 } })
  expect(calls).toBeLessThanOrEqual(100 + kills + 1)
  const journal = readFileSync(join(cwd, '.stickler/calls.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
  expect(new Set(journal.map((line) => (JSON.parse(line) as { key: string }).key)).size).toBe(journal.length)
  expect(journal.length).toBe(100)
})

test('threads say what one thread says', async () => {
  const lines = Array.from({ length: 500 }, (_, at) => `${JSON.stringify({ id: `r${at}`, text: 'word '.repeat(at % 9) })}\n`)
  const cwd = await folderWith({
    'stickler.yaml': 'contracts: { a: { checks: [{ max_words: { limit: 4 } }] }, b: { checks: [step_marker] } }\n',
    'a.jsonl': lines.join(''),
  })
  const argv = ['a.jsonl', '--contract', 'a', '--against', 'b', '--json', '--no-cache']
  const [one, two] = [await run(argv, cwd), await run([...argv, '--workers', '2'], cwd)]
  expect(data(two.stdout)).toEqual(data(one.stdout))
})

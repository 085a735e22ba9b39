import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { run as runProgram } from './support/run.ts'

const bin = join(root, 'packages/cli/bin/stickler.js')

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly child: ReturnType<typeof spawn>
  readonly ended: Promise<Ended>
}

/** Starts the built command as its own process. */
function start(argv: readonly string[], cwd: string, shell?: string): Started {
  const [command, args] =
    shell === undefined ? [process.execPath, [bin, ...argv]] : ['bash', ['--norc', '-c', shell, 'bash', process.execPath, bin, ...argv]]
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, NO_COLOR: '1' } })
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk: Buffer) => (text[name] += chunk.toString()))
  child.stdin.on('error', () => {})
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...text }))
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended }
}

async function run(
  argv: readonly string[],
  { stdin = '', files = {}, shell }: { stdin?: string; files?: Record<string, string>; shell?: string } = {},
): Promise<Ended> {
  const cwd = await scratchFolder()
  await writeFiles(cwd, files)
  const { child, ended } = start(argv, cwd, shell)
  child.stdin?.end(stdin)
  return ended
}

test('a checkout that is not built says so', async () => {
  const folder = await scratchFolder()
  await writeFiles(folder, { 'package.json': '{ "type": "module" }', 'bin/stickler.js': await readFile(bin, 'utf8') })
  const { code, output } = await runProgram(process.execPath, [join(folder, 'bin/stickler.js')], { cwd: folder })
  expect([code, output]).toEqual([2, 'stickler: not built yet; run `npm run build` first\n'])
})

describe('the stickler command as a process', () => {
  test('checks a file and ends with its verdict', async () => {
    const files = { 'good.md': '<!-- STEP: done -->', 'bad.md': 'one two' }
    expect(await run(['check', '--check', 'step_marker', 'good.md'], { files })).toEqual({
      code: 0,
      stdout: 'good.md: valid\n  step: done\n',
      stderr: '',
    })
    expect(await run(['check', '--check', 'max_words={"limit":1}', 'bad.md'], { files })).toMatchObject({ code: 1, stderr: '' })
    expect(await run(['check', '--check', 'step_marker', 'gone.md'], { files })).toMatchObject({ code: 2, stdout: '' })
  })

  test('reads lines from a pipe, many at a time', async () => {
    const text = '---\nadr_id: 1\nfiles:\n  modify: [gone.ts]\n---\n'
    const line = (id: number) => JSON.stringify({ id, checks: [{ file_existence: {} }], text, repair: 'never' })
    const { code, stdout, stderr } = await run(['check', '--jsonl', '-'], {
      stdin: Array.from({ length: 300 }, (_, id) => line(id)).join('\n'),
    })
    expect([code, stderr]).toEqual([1, ''])
    const results = stdout.trim().split('\n')
    expect(results.map((result) => (JSON.parse(result) as { id: number }).id)).toEqual(Array.from({ length: 300 }, (_, id) => id))
  })

  test('takes an empty standard input for an empty answer, or for no lines', async () => {
    expect((await run(['check', '--check', 'step_marker', '--repair', 'never', '-'])).code).toBe(1)
    expect(await run(['check', '--jsonl', '-'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('says nothing when its reader leaves', async () => {
    const stdin = `${JSON.stringify({ checks: [{ step_marker: {} }], text: 'x'.repeat(5000) })}\n`.repeat(2000)
    const ended = await run(['check', '--jsonl', '-'], { stdin, shell: '"$@" | head -n 1; echo "$PIPESTATUS" >&2' })
    expect(ended).toMatchObject({ code: 0, stderr: '141\n' })
    expect(ended.stdout.split('\n')).toHaveLength(2)
  })

  test('says nothing when the reader of a report on several files leaves', async () => {
    const names = Array.from({ length: 8 }, (_, number) => `${number}.md`)
    const files = Object.fromEntries(names.map((name) => [name, `${'word '.repeat(20_000)}`]))
    const argv = ['check', '--check', 'max_words={"limit":2}', '--check', 'step_marker', '--format', 'json', ...names]
    const ended = await run(argv, { files, shell: '"$@" | head -c 1; echo "$PIPESTATUS" >&2' })
    expect(ended).toEqual({ code: 0, stdout: '{', stderr: '141\n' })
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends with %s while rules of several files are still asked', async (signal, code) => {
    const cwd = await scratchFolder()
    const rule = "require('fs').appendFileSync('started', 'x'); setInterval(() => {}, 1000)"
    await writeFiles(cwd, {
      ...{ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'rule.cjs': rule },
      'stickler.yaml': 'contracts: { it: { checks: [{ command: { name: slow, run: [node, rule.cjs] } }] } }\n',
    })
    const { child, ended } = start(['check', 'a.md', 'b.md', 'c.md'], cwd)
    while (!existsSync(join(cwd, 'started'))) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill(signal)
    expect(await ended).toMatchObject({ code, stderr: '' })
  })

  test.runIf(existsSync('/dev/full'))('tells when its output cannot be written', async () => {
    expect(await run(['list'], { shell: '"$@" > /dev/full' })).toMatchObject({
      code: 2,
      stderr: 'stickler: cannot write: the disk is full\n',
    })
  })

  test('works from init to run', async () => {
    const cwd = await scratchFolder()
    expect((await start(['init'], cwd).ended).code).toBe(0)
    expect(await start(['run', 'Nobody can log in.'], cwd).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"priority": "high"'),
      stderr: expect.stringContaining('asking again'),
    })
  })

  test('ends on Ctrl-C with the trace written and the call given up', async () => {
    const { url, connected, closed } = await silentModel()
    const cwd = await scratchFolder()
    const { child, ended } = start(['run', '--base-url', url, '--model', 'm', '--check', 'step_marker', '--trace', 't.jsonl', 'Hi'], cwd)
    await connected
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stdout: '' })
    await closed
    expect(await readFile(join(cwd, 't.jsonl'), 'utf8')).toMatch(/"type":"run-started"[\s\S]*"type":"run-ended".*\n$/)
  })

  test('ends on Ctrl-C while it waits for input', async () => {
    const { child, ended } = start(['check', '--jsonl', '-'], await scratchFolder())
    child.stdin?.write('{"id":1,"checks":[]}\n')
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stderr: '' })
  })
})

/** A model that takes requests and never says a word. */
async function silentModel(): Promise<{ url: string; connected: Promise<void>; closed: Promise<void> }> {
  const waiting = { connect: (): void => {}, close: (): void => {} }
  const connected = new Promise<void>((resolve) => {
    waiting.connect = resolve
  })
  const closed = new Promise<void>((resolve) => {
    waiting.close = resolve
  })
  const server = createServer((request, response) => {
    response.on('close', waiting.close)
    request.on('end', waiting.connect).resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, connected, closed }
}

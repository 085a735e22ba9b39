import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { watchParent } from './process-io.ts'

const command = fileURLToPath(new URL('../bin/stickler.js', import.meta.url))
const serve = 'serve --demo --no-traffic --port 0 --json'

let project: string
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'stickler-npm-'))
  const scripts = { start: `node ${command} ${serve}`, chained: `node --version && node ${command} ${serve} && node --version` }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, scripts }))
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  symlinkSync(command, join(project, 'node_modules/.bin/stickler'))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** The process that listens, once it does. */
async function pidOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line.startsWith('{')) return (JSON.parse(line) as { pid: number }).pid
  }
  throw new Error('the gateway did not start; is it built?')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.concurrent.each([
  ['npm start', ['npm', 'start']],
  ['a script whose shell does not pass signals on', ['npm', 'run', 'chained']],
  ['npx', ['npx', '--no-install', 'stickler', ...serve.split(' ')]],
] as const)('SIGTERM through %s stops the gateway', { timeout: 60_000 }, async (_name, [program, ...argv]) => {
  const child = spawn(program, argv, {
    cwd: project,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, npm_config_update_notifier: 'false' },
  })
  const pid = await pidOf(child)
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGTERM')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000, interval: 50 })
})

it('only commands that npm started watch their parent', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (const [event, expected] of [
    ['start', 1],
    [undefined, 0],
  ] as const) {
    const process = { env: event === undefined ? {} : { npm_lifecycle_event: event }, ppid: 7 }
    let gone = 0
    watchParent(process, () => gone++)
    vi.advanceTimersByTime(5000)
    expect(gone).toBe(0)
    process.ppid = 1
    vi.advanceTimersByTime(5000)
    expect(gone).toBe(expected)
  }
})

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { RunnerFailure } from '@stickler/core'
import { afterAll, describe, expect, it } from 'vitest'
import { type ClaudeCliSettings, claudeCli } from './claude-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-flood-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

/** A `claude` as a shell script. */
function fakeClaude(script: string): string {
  const path = join(folder, `claude-${count++}`)
  writeFileSync(path, `#!/bin/sh\ncat > /dev/null\necho $$ > ${path}.pid\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function run(command: string, settings: ClaudeCliSettings = {}) {
  try {
    const runner = claudeCli({ command, graceMs: 300, ...settings })
    for await (const _ of runner.run(undefined, 'hi', { stream: false, signal: new AbortController().signal }));
    return 'an answer'
  } catch (thrown) {
    if (!(thrown instanceof RunnerFailure)) throw thrown
    return `${thrown.kind}: ${thrown.message.replace(command, 'claude')}`
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a process that writes without end is stopped while it writes', () => {
  it.each<[string, string, ClaudeCliSettings, string]>([
    ['one line', `exec tr '\\0' x < /dev/zero`, {}, 'protocol: claude wrote a line of more than 16777216 bytes'],
    ['line breaks', `exec tr '\\0' '\\n' < /dev/zero`, {}, 'protocol: claude wrote more than 100000 lines'],
    ['messages', `exec yes '{"type":"assistant","message":{}}'`, {}, 'protocol: claude wrote more than 100000 lines'],
    ['bytes', `exec yes '{"type":"assistant","message":{}}'`, { maxOutputBytes: 1e6 }, 'protocol: claude wrote more than 1000000 bytes'],
    ['errors', 'exec yes oops >&2', {}, 'protocol: claude wrote more than 67108864 bytes to its error stream'],
    ['one line of errors', `exec tr '\\0' x < /dev/zero >&2`, {}, 'protocol: claude wrote more than 67108864 bytes to its error stream'],
    ['deaf to signals', `trap '' TERM PIPE; yes '' || sleep 60`, {}, 'protocol: claude wrote more than 100000 lines'],
  ])('%s', async (_, script, settings, failure) => {
    const path = fakeClaude(script)
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    expect(await run(path, settings)).toBe(failure)
    delay.disable()
    // Generous, because machines are busy: reading all of it would never end.
    expect(delay.max / 1e6).toBeLessThan(10_000)
    const pid = Number(readFileSync(`${path}.pid`, 'utf8'))
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  })

  it.each([{ maxLines: 0 }, { maxLineBytes: 1.5 }, { maxOutputBytes: Number.NaN }, { maxProcesses: 0 }])('refuses %j', (settings) => {
    expect(() => claudeCli(settings)).toThrow(/must be a positive whole number/)
  })
})

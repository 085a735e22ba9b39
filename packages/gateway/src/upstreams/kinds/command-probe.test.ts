import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createUpstream } from '../../testing/create-upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-probe-'))
afterAll(() => rmSync(folder, { recursive: true }))

function script(name: string, lines: string, mode = 0o755): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${lines}\n`)
  chmodSync(file, mode)
  return file
}

const probe = async (command: string, signal = new AbortController().signal, more: { readonly cwd?: string } = {}) =>
  (await createUpstream({ kind: 'claude-cli', name: 'cli', command, model: 'sonnet', ...more })).probe?.(signal)

describe('the probe of a command', () => {
  it('asks for the version and nothing else', async () => {
    const said = join(folder, 'said')
    expect(await probe(script('fine', `echo "$@" > '${said}'; yes | head -c 1000000`))).toEqual({ ok: true })
    expect(readFileSync(said, 'utf8')).toBe('--version\n')
  })

  it.each<[string, () => string, { readonly cwd?: string }, RegExp]>([
    ['no such command', () => 'stickler-no-such-command', {}, /^could not start "stickler-no-such-command": the command was not found$/],
    [
      'no such folder',
      () => script('homeless', 'exit 0'),
      { cwd: join(folder, 'none') },
      /^could not start .*: its working directory .*none" does not exist$/,
    ],
    ['a file that is no command', () => script('plain', 'exit 0', 0o644), {}, /it may not be run \(EACCES\)$/],
    ['a command that fails', () => script('failing', 'exit 7'), {}, /ended with exit code 7/],
    ['a command that is killed', () => script('killed', 'kill -9 $$'), {}, /was ended by SIGKILL$/],
  ])('%s', async (_, command, more, says) => {
    expect(await probe(command(), undefined, more)).toEqual({ ok: false, kind: 'exit', message: expect.stringMatching(says) })
  })

  it('ends with its time, and leaves nothing running', async () => {
    const started = join(folder, 'started')
    const controller = new AbortController()
    const result = probe(script('slow', `sleep 600 & echo $! > '${started}'; wait`), controller.signal)
    await expect.poll(() => existsSync(started) && readFileSync(started, 'utf8').trim()).toMatch(/^\d+$/)
    controller.abort()
    expect(await result).toMatchObject({ ok: false, kind: 'timeout' })
    const pid = Number(readFileSync(started, 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect(await probe('stickler-no-such-command', controller.signal)).toMatchObject({ ok: false, kind: 'timeout' })
  })
})

/** A process that has ended may stay in the list until its parent looks. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

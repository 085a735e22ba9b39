import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallOptions, type ModelEvent, RunnerFailure } from '@stickler/core'
import { manualClock } from '@stickler/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { type ClaudeCliSettings, claudeCli, type ProcessReport } from './claude-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-claude-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

/** Writes a `claude` that first notes its arguments, input and process id, then does as the script says. */
function fakeClaude(script: string, { reads = true } = {}) {
  const path = join(folder, `claude-${count++}`)
  const log = `${path}.json`
  const lines = [
    `#!${process.execPath}`,
    `const { writeFileSync, readFileSync, writeSync } = require('node:fs')`,
    `const { spawn } = require('node:child_process')`,
    `const input = ${reads} ? readFileSync(0, 'utf8') : null`,
    `const note = (more = {}) => writeFileSync(${JSON.stringify(log)}, JSON.stringify({ pid: process.pid, args: process.argv.slice(2), input, cwd: process.cwd(), env: process.env.MARK, ...more }))`,
    `const say = (message) => writeSync(1, JSON.stringify(message) + '\\n')`,
    `const result = (text, more = {}) => say({ type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's-end', ...more })`,
    `const said = (id, stop_reason, parent_tool_use_id = null) => say({ type: 'assistant', message: { id, role: 'assistant', content: [], stop_reason }, parent_tool_use_id })`,
    `const init = () => say({ type: 'system', subtype: 'init', session_id: 's-init' })`,
    `const hang = () => setInterval(() => {}, 1000)`,
    'note()',
    script,
  ]
  writeFileSync(path, lines.join('\n'))
  chmodSync(path, 0o755)
  return {
    path,
    log: () => JSON.parse(readFileSync(log, 'utf8')),
    has: (field: string) => existsSync(log) && readFileSync(log, 'utf8').includes(field),
  }
}

async function listen(events: AsyncIterable<ModelEvent>) {
  const got: ModelEvent[] = []
  try {
    for await (const event of events) got.push(event)
  } catch (thrown) {
    if (!(thrown instanceof RunnerFailure)) throw thrown
    return { got, kind: thrown.kind, message: thrown.message, details: thrown.details }
  }
  return { got }
}

const call = (signal = new AbortController().signal): CallOptions => ({ stream: true, signal })
const run = (command: string, settings: ClaudeCliSettings = {}, signal?: AbortSignal) =>
  listen(claudeCli({ command, graceMs: 300, ...settings }).run(undefined, 'hi', call(signal)))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that ended, but that nobody has buried yet, does nothing any more.
    return !/^\d+ \(.*\) Z/.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')
  } catch {
    return false
  }
}

const end = { type: 'end', session: 's-end', finishReason: 'stop' }
const ended = (finishReason: string) => ({ type: 'end', session: 's-end', finishReason })
const answered = (text: string) => [{ type: 'text', text }, end]

describe('secrets', () => {
  const own = 'correct-horse-7-battery'
  const other = `sk-ant-api03-${'aB3x'.repeat(6)}`
  const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: own, HOME: '/srv/someone' }
  const say = `'x'.repeat(8180) + 'key ' + process.env.ANTHROPIC_API_KEY + ' ${other} at ' + process.env.HOME`
  it.each([
    ['the error stream', `writeSync(2, ${say}); process.exit(1)`],
    ['the error stream of one that succeeds', `writeSync(2, ${say}); result('ok')`],
    ['an error', `result((${say}).slice(8000), { is_error: true })`],
    ['an error where it is cut', `result('x'.repeat(290) + process.env.ANTHROPIC_API_KEY, { is_error: true })`],
  ])('of its environment, and keys, are masked in %s', async (_, script) => {
    const reports: ProcessReport[] = []
    const end = await run(fakeClaude(script).path, { env, onProcess: (report) => reports.push(report) })
    const seen = JSON.stringify([end, reports])
    expect(seen).not.toMatch(/correct-horse|battery|aB3x|ant-api/)
    expect(seen).toMatch(/\[redacted\]|x{290}/)
    if (script.includes('writeSync')) expect(seen).toContain('at /srv/someone')
  })
})

describe('asking', () => {
  it('gives the prompt on stdin and takes the result for the answer', async () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 10, cache_creation_input_tokens: 100, output_tokens: 5 }
    const { path, log } = fakeClaude(
      `init(); say({ type: 'assistant', message: { content: [{ type: 'text', text: 'let me see' }] } })
       result('Grüße 🙂', { total_cost_usd: 0.25, usage: ${JSON.stringify(usage)} })`,
    )
    const { got } = await run(path, { args: ['--model', 'sonnet'], cwd: folder, env: { ...process.env, MARK: 'here' } })
    expect(got).toEqual([
      { type: 'text', text: 'Grüße 🙂' },
      { ...end, usage: { promptTokens: 113, completionTokens: 5, cost: 0.25 } },
    ])
    expect(log()).toMatchObject({
      args: ['-p', '--output-format', 'stream-json', '--verbose', '--model', 'sonnet'],
      input: 'hi',
      env: 'here',
      cwd: expect.stringContaining('stickler-claude-'),
    })
  })
  it('resumes the session on a retry', async () => {
    const { path, log } = fakeClaude(`result('ok')`)
    const options = { ...call(), original: 'hi', rejected: 'bad' }
    expect(await listen(claudeCli({ command: path }).continue('s-1', 'fix', options))).toEqual({ got: answered('ok') })
    expect(log()).toMatchObject({ args: expect.arrayContaining(['--resume', 's-1']), input: 'fix' })
  })
  it('tells everything again when there is no session', async () => {
    const { path, log } = fakeClaude(`result('ok')`)
    await listen(claudeCli({ command: path }).continue(undefined, 'fix', { ...call(), original: 'hi', rejected: 'bad' }))
    expect(log().input).toBe('<user>\nhi\n</user>\n\n<assistant>\nbad\n</assistant>\n\n<user>\nfix\n</user>')
    expect(log().args).not.toContain('--resume')
  })
  it.each(['--dangerously-skip-permissions', '-x', '', 'a b', 'a\nb', '../a'])('does not resume %j', async (session) => {
    const { path, has } = fakeClaude('')
    expect(await listen(claudeCli({ command: path }).run(session, 'hi', call()))).toMatchObject({ kind: 'protocol' })
    expect(has('pid')).toBe(false)
  })
})

describe.concurrent('a session that is gone', () => {
  const gone = 'No conversation found with session ID: s-1'
  const asked = { ...call(), original: 'hi', rejected: 'bad' }
  /** Knows no session: says so as the script does, and answers without one. */
  const forgetful = (script: string) => fakeClaude(`if (process.argv.includes('--resume')) { ${script} } else result(input)`)
  it.each([
    ['on its error stream', `console.error('${gone}'); process.exit(1)`],
    [
      'among the errors of its result',
      `say({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['${gone}'], session_id: 's-1' }); process.exit(1)`,
    ],
    ['because another process has it', `console.error('Error: Session ID s-1 is already in use.'); process.exit(1)`],
  ])('is replaced by the transcript, told %s', async (_how, script) => {
    const { path } = forgetful(script)
    const reports: ProcessReport[] = []
    const onProcess = (report: ProcessReport): void => void reports.push(report)
    const { got } = await listen(claudeCli({ command: path }).continue('s-1', 'fix', { ...asked, onProcess }))
    expect(got[0]).toEqual({ type: 'text', text: '<user>\nhi\n</user>\n\n<assistant>\nbad\n</assistant>\n\n<user>\nfix\n</user>' })
    expect(reports).toMatchObject([{ forgotten: true }, { session: 's-end' }])
  })
  it('is a failure where no transcript is given', async () => {
    const { path } = forgetful(`console.error('${gone}'); process.exit(1)`)
    expect(await listen(claudeCli({ command: path }).run('s-1', 'hi', call()))).toMatchObject({
      kind: 'exit',
      details: { stderr: `${gone}\n` },
    })
  })
  it.each([
    ['another failure', `console.error('Invalid API key'); process.exit(1)`],
    ['words of an answer', `result('${gone}')`],
  ])('is not seen in %s', async (_what, script) => {
    const { path, log } = forgetful(script)
    await listen(claudeCli({ command: path }).continue('s-1', 'fix', asked))
    expect(log().args).toContain('--resume')
  })
})

describe.concurrent('output', () => {
  it.each<[string, string, unknown[]]>([
    [
      'every byte on its own',
      `for (const byte of Buffer.from(JSON.stringify({ type: 'result', subtype: 'success', result: 'ä€🙂', session_id: 's-end' }))) writeSync(1, Buffer.of(byte))`,
      answered('ä€🙂'),
    ],
    ['lines that are no JSON', `writeSync(1, 'Debugger attached.\\n{"type":\\n\\n[1]\\nnull\\n7\\r\\n'); result('ok')`, answered('ok')],
    [
      'no session but in the beginning',
      `init(); say({ type: 'result', subtype: 'success', result: 'ok' })`,
      [answered('ok')[0], { ...end, session: 's-init' }],
    ],
    ['an empty result', `result('')`, [end]],
    ['a result that is no text', `result({ a: 1 }, { usage: 'none', total_cost_usd: 'free' })`, [end]],
    ['no more room', `result('cut', { stop_reason: 'max_tokens' })`, [answered('cut')[0], ended('max_tokens')]],
    ['a null for an end', `result('ok', { stop_reason: null })`, answered('ok')],
    [
      'neither reason nor success',
      `result('ok', { subtype: undefined })`,
      [answered('ok')[0], { type: 'end', session: 's-end', finishMissing: 'usual' }],
    ],
    [
      'the reason of the last message',
      `said('a', 'tool_use'); said('b', 'max_tokens'); said('b', null); said('c', 'end_turn', 't1'); result('cut')`,
      [answered('cut')[0], ended('max_tokens')],
    ],
    ['a last message without a reason', `said('a', 'max_tokens'); said('b'); result('ok')`, answered('ok')],
    ['a last message that called a tool', `said('a', 'tool_use'); result('ok', { stop_reason: null })`, answered('ok')],
    ['a plain end', `result('ok', { stop_reason: 'end_turn' })`, [answered('ok')[0], ended('end_turn')]],
    ['a big result', `result('x'.repeat(1000000))`, answered('x'.repeat(1_000_000))],
  ])('%s', async (_, script, expected) => {
    expect((await run(fakeClaude(script).path)).got).toEqual(expected)
  })
  it('does not wait for a process that hangs after its result', async () => {
    const { path, log } = fakeClaude(`result('ok'); hang()`)
    expect((await run(path, { graceMs: 500 })).got).toEqual(answered('ok'))
    expect(isAlive(log().pid)).toBe(false)
  })
  it('does not wait for a stranger that holds the output open', async () => {
    const { path, log } = fakeClaude(
      `const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { detached: true, stdio: 'inherit' }); child.unref(); note({ child: child.pid }); result('ok'); process.exit(0)`,
    )
    expect((await run(path, { graceMs: 500 })).got).toEqual(answered('ok'))
    process.kill(log().child, 'SIGKILL')
  })
})

describe.concurrent('failures', () => {
  it.each<[string, string, object]>([
    [
      'exit code',
      `process.stderr.write('Grüße from stderr'); process.exitCode = 3`,
      { kind: 'exit', details: { exitCode: 3, stderr: 'Grüße from stderr' } },
    ],
    ['exit code despite a result', `result('ok'); process.exitCode = 1`, { kind: 'exit', details: { exitCode: 1 } }],
    [
      'error and exit code',
      `result('Credit balance is too low', { is_error: true }); process.exitCode = 1`,
      { kind: 'exit', message: expect.stringContaining('Credit balance') },
    ],
    [
      'error without exit code',
      `result('API Error: 529', { is_error: true })`,
      { kind: 'exit', message: expect.stringContaining('API Error: 529'), details: { exitCode: 0 } },
    ],
    [
      'error by name',
      `say({ type: 'result', subtype: 'error_max_turns' })`,
      { kind: 'exit', message: expect.stringContaining('error_max_turns') },
    ],
    ['killed by somebody', `process.kill(process.pid, 'SIGKILL')`, { kind: 'exit', message: expect.stringContaining('SIGKILL') }],
    ['no result', `init()`, { kind: 'protocol', message: expect.stringContaining('without a result') }],
    ['half a result', `writeSync(1, '{"type":"result","result":"o')`, { kind: 'protocol' }],
    ['nothing', '', { kind: 'protocol' }],
    [
      'much to stderr',
      `process.stderr.write('x'.repeat(1000000) + 'the end', () => process.exit(1))`,
      { kind: 'exit', details: { stderr: expect.stringMatching(/^x{8185}the end$/) } },
    ],
  ])('%s', async (_, script, failure) => {
    expect(await run(fakeClaude(script).path)).toMatchObject({ got: [], ...failure })
  })
  it('names a command that is not there', async () => {
    expect(await run('no-such-claude', { cwd: folder })).toMatchObject({
      kind: 'exit',
      message: expect.stringContaining('"no-such-claude"'),
    })
    expect(await run(process.execPath, { cwd: join(folder, 'nowhere') })).toMatchObject({
      kind: 'exit',
      message: expect.stringContaining('nowhere'),
    })
  })
  it('names a command that may not be started', async () => {
    const path = join(folder, 'plain-text')
    writeFileSync(path, 'hello')
    expect(await run(path)).toMatchObject({ kind: 'exit', message: expect.stringContaining('EACCES') })
  })
  it('survives a process that ends without reading', async () => {
    const { path } = fakeClaude('process.exit(4)', { reads: false })
    const { kind, details } = await listen(claudeCli({ command: path }).run(undefined, 'x'.repeat(5_000_000), call()))
    expect([kind, details?.exitCode]).toEqual(['exit', 4])
  })
  it('stops a process that writes without end', async () => {
    const { path, log } = fakeClaude(`while (true) writeSync(1, 'x'.repeat(10000))`)
    expect(await run(path, { maxOutputBytes: 100_000 })).toMatchObject({ kind: 'protocol', message: expect.stringContaining('100000') })
    expect(isAlive(log().pid)).toBe(false)
  })
})

describe('stopping', () => {
  it('ends a process that takes too long, and keeps what it said', async () => {
    const clock = manualClock()
    const { path, log, has } = fakeClaude(`process.stderr.write('busy'); note({ spoke: true }); hang()`)
    const got = run(path, { timeoutMs: 1000, clock })
    await expect.poll(() => has('spoke')).toBe(true)
    await clock.advanceAsync(999)
    clock.advance(1)
    expect(await got).toMatchObject({ kind: 'timeout', details: { stderr: 'busy' } })
    expect(clock.pending).toBe(0)
    expect(isAlive(log().pid)).toBe(false)
  })
  it('starts nothing for a caller that has given up', async () => {
    const { path, has } = fakeClaude('')
    expect(await run(path, {}, AbortSignal.abort())).toMatchObject({ kind: 'aborted' })
    expect(has('pid')).toBe(false)
  })
  it.each([
    ['polite', ''],
    ['deaf to SIGTERM', `process.on('SIGTERM', () => {});`],
  ])('ends a %s process and its children when the caller gives up', async (_, manners) => {
    const { path, log, has } = fakeClaude(
      `${manners} const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setTimeout(() => {}, 20000)"], { stdio: 'inherit' }); note({ child: child.pid }); hang()`,
    )
    const caller = new AbortController()
    const got = run(path, { graceMs: 100 }, caller.signal)
    await expect.poll(() => has('child')).toBe(true)
    caller.abort()
    expect(await got).toMatchObject({ kind: 'aborted', got: [] })
    await expect.poll(() => [isAlive(log().pid), isAlive(log().child)]).toEqual([false, false])
  })
  it('forgets a process that is gone', async () => {
    const before = process.listenerCount('exit')
    const { path } = fakeClaude(`result('ok')`)
    await Promise.all(Array.from({ length: 4 }, () => run(path)))
    expect(process.listenerCount('exit')).toBe(before)
  })
})

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, contract } from '@stickler/core'
import type { RuleEvent } from '@stickler/core/validators'
import { afterAll, describe, expect, test } from 'vitest'
import { type CommandRulesSettings, commandRules } from './command-rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that does what the answer says. */
writeFileSync(
  join(folder, 'rule.mjs'),
  `
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
appendFileSync('starts', '.')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, text, options = {} } = JSON.parse(line)
  const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  const fine = { id, issues: [] }
  if (text === 'bad') say({ id, issues: [{ message: 'Say please.' }] })
  else if (text === 'slow') setTimeout(say, 150, fine)
  else if (text === 'silent') continue
  else if (text === 'garbage') process.stdout.write('Traceback: canary\\n')
  else if (text === 'two lines') process.stdout.write(JSON.stringify(fine) + '\\n' + JSON.stringify(fine) + '\\n')
  else if (text.startsWith('late')) {
    const late = text.includes('no id') ? { issues: [] } : fine
    say(fine)
    setTimeout(say, 100, late)
  }
  else if (text === 'half a line') process.stdout.write('{"id"')
  else if (text === 'half a line and gone') process.stdout.write('{"id"', () => process.exit(0))
  else if (text === 'another id') say({ ...fine, id: 'x' })
  else if (text === 'no id') say({ issues: [] })
  else if (text === 'exit') process.exit(3)
  else if (text === 'killed') process.kill(process.pid, 'SIGKILL')
  else if (text === 'huge') process.stdout.write('x'.repeat(10 * 1024 * 1024) + '\\n')
  else if (text === 'deaf') { process.on('SIGTERM', () => {}); appendFileSync('pids', process.pid + ' ') }
  else if (text === 'family') {
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    appendFileSync('pids', process.pid + ' ' + child.pid + ' ')
  } else if (text === 'stderr') process.stderr.write('noise '.repeat(200_000) + 'the end', () => say(fine))
  else if (text === 'stderr and exit') process.stderr.write('it broke', () => process.exit(1))
  else if (text === 'environment') say({ id, issues: Object.keys(process.env).sort().map((message) => ({ message })) })
  else if (text === 'folder') say({ id, issues: [{ message: process.cwd() + ' ' + process.argv.slice(2).join('|') }] })
  else say(fine)
}
`,
)

const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const one of open) await one.close()
})

interface Options {
  readonly args?: readonly string[]
  readonly processes?: number
  readonly timeoutMs?: number
  readonly env?: readonly string[]
  readonly run?: readonly [string, ...string[]]
}

function start(options: Options = {}, settings: Partial<CommandRulesSettings> = {}) {
  const events: RuleEvent[] = []
  const env = { PATH: process.env.PATH, SECRET_KEY: 'canary', RULES_TOKEN: 'token', LC_ALL: 'C' }
  const command = commandRules({ env, folder, onEvent: (event) => events.push(event), ...settings })
  open.push(command)
  const { args = [], ...rest } = options
  const run: readonly [string, ...string[]] = [process.execPath, 'rule.mjs', ...args]
  const rule = { name: 'polite', run, processes: 1, timeoutMs: 5000, ...rest }
  const rules = contract({ checks: [{ command: rule }], timeoutMs: 60_000 })
  const judge = (text: string, signal?: AbortSignal) => check(rules, text, { ports: { command }, ...(signal ? { signal } : {}) })
  return { command, events, judge, rule: rules.validators[0]?.options }
}

const shared = start()
const countOf = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').length : 0)
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a program that answers', () => {
  test('has one process for one answer after the other', async () => {
    await shared.judge('fine')
    const before = countOf('starts')
    expect(await shared.judge('bad')).toMatchObject({ issues: [{ code: 'COMMAND_RULE', validator: 'polite' }], unchecked: [] })
    for (const text of ['fine', 'stderr', 'line\nbreak \u2028 \ud800'])
      expect(await shared.judge(text)).toMatchObject({ issues: [], unchecked: [] })
    expect(countOf('starts')).toBe(before)
  })

  test('gets its arguments as they are, in the folder of the rule, and nothing of the environment but what is usual and named', async () => {
    const { judge } = start({ args: ['$(touch x)', 'a b', ';'], env: ['RULES_TOKEN'] })
    const [names, place] = [await judge('environment'), await judge('folder')]
    const said = names.issues.map(({ message }) => message).join()
    expect(said).toMatch(/"LC_ALL".*"PATH".*"RULES_TOKEN"/)
    expect(said).not.toMatch(/SECRET|canary/)
    expect(place.issues[0]?.message).toContain(`${folder} $(touch x)|a b|;`)
  })

  test('1000 answers at once share the processes', async () => {
    const before = countOf('starts')
    const { judge } = start({ processes: 3 })
    const all = await Promise.all(Array.from({ length: 1000 }, (_, at) => judge(at % 2 ? 'bad' : 'fine')))
    expect([all.filter(({ issues }) => issues.length === 1).length, all.filter(({ unchecked }) => unchecked.length > 0).length]).toEqual([
      500, 0,
    ])
    expect(countOf('starts') - before).toBeLessThanOrEqual(3)
  })

  test('more answers than may wait are not asked', async () => {
    const { judge } = start({}, { queue: 1 })
    const all = await Promise.all(['slow', 'slow', 'slow'].map((text) => judge(text)))
    expect(all.map(({ unchecked }) => unchecked[0]?.reason)).toEqual([undefined, undefined, 'refused'])
  })
})

describe('a program that does not', () => {
  test.each([
    ['garbage', 'protocol', 'its reply is not JSON'],
    ['another id', 'protocol', 'its reply has the id of another request'],
    ['no id', 'protocol', 'its reply has no id'],
    ['half a line and gone', 'exit', 'it ended with exit code 0'],
    ['exit', 'exit', 'it ended with exit code 3'],
    ['killed', 'exit', 'it was ended by SIGKILL'],
    ['huge', 'protocol', 'it wrote a line of more than 1048576 bytes'],
  ])('%s: is unchecked, and the next answer has its verdict from another process', async (text, fault, why) => {
    const { issues, unchecked } = await shared.judge(text)
    expect(issues).toEqual([])
    expect(unchecked).toMatchObject([{ validator: 'polite', cause: 'unavailable', reason: 'fault', fault }])
    expect(unchecked[0]?.message).toContain(`the rule polite failed: ${why}`)
    expect(unchecked[0]?.message).not.toContain('canary')
    expect(await shared.judge('bad')).toMatchObject({ issues: { length: 1 }, unchecked: [] })
  })

  test('two lines: the first is the verdict, and the process that is out of step is replaced', async () => {
    const before = countOf('starts')
    expect(await shared.judge('two lines')).toMatchObject({ issues: [], unchecked: [] })
    expect(await shared.judge('bad')).toMatchObject({ issues: { length: 1 }, unchecked: [] })
    expect(countOf('starts')).toBe(before + 1)
  })

  test.each(['late', 'late, no id'])('%s: a line too many is never the verdict on the answer that waits then', async (text) => {
    const { judge } = start()
    expect(await judge(text)).toMatchObject({ issues: [], unchecked: [] })
    // The line comes while this one is under way.
    expect((await judge('slow')).unchecked).toMatchObject([{ validator: 'polite', cause: 'unavailable', reason: 'fault' }])
    expect(await judge('bad')).toMatchObject({ issues: { length: 1 }, unchecked: [] })
  })

  test.each(['silent', 'half a line', 'deaf', 'family'])('%s: ends at the deadline with everything that it started', async (text) => {
    rmSync(join(folder, 'pids'), { force: true })
    const { judge } = start({ timeoutMs: 200 })
    await judge('fine')
    expect((await judge(text)).unchecked).toMatchObject([
      { reason: 'fault', fault: 'timeout', message: 'the rule polite did not answer within 200 ms' },
    ])
    const pids = existsSync(join(folder, 'pids')) ? readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number) : []
    expect(pids).toHaveLength({ deaf: 1, family: 2 }[text] ?? 0)
    await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([])
  })

  test('is not there: nothing is started, and a probe says so', async () => {
    const { judge, command } = start({ run: ['stickler-no-such-program'] })
    const message = 'the rule polite failed: could not start "stickler-no-such-program": the command was not found'
    expect((await judge('fine')).unchecked).toMatchObject([{ fault: 'missing', message }])
    const rule = { name: 'x', run: ['stickler-no-such-program'], processes: 1, env: [], timeoutMs: 1, startMs: 1 } as const
    expect(() => command.probe(rule)).toThrow('the command was not found')
    expect(() => command.probe({ ...rule, run: [process.execPath] })).not.toThrow()
  })

  test('after five failures none is started for a while', async () => {
    const { judge, events } = start()
    for (let call = 0; call < 5; call++) expect((await judge('stderr and exit')).unchecked).toMatchObject([{ reason: 'fault' }])
    const before = countOf('starts')
    expect((await judge('fine')).unchecked).toMatchObject([{ reason: 'open', circuit: 'open' }])
    expect(countOf('starts')).toBe(before)
    expect(events).toContainEqual({ type: 'process', rule: 'polite', reason: 'it ended with exit code 1', stderr: 'it broke', exitCode: 1 })
    expect(events).toContainEqual({ type: 'circuit', rule: 'polite', state: 'open' })
  })
})

describe('the end', () => {
  test('a caller that leaves has no verdict, and the process serves the next one', async () => {
    const { judge } = start()
    await judge('fine')
    const before = countOf('starts')
    const controller = new AbortController()
    const [left, waiting] = [judge('slow', controller.signal), judge('bad', controller.signal)]
    setTimeout(() => controller.abort(new Error('the client has gone')), 30)
    expect([await left, await waiting].map(({ unchecked }) => unchecked[0]?.cause)).toEqual(['aborted', 'aborted'])
    expect(await judge('bad')).toMatchObject({ issues: { length: 1 }, unchecked: [] })
    expect(countOf('starts')).toBe(before)
  })

  test('closing in the middle ends what runs and what waits', async () => {
    const { judge, command } = start()
    await judge('fine')
    const running = [judge('silent'), judge('fine')]
    await new Promise((resolve) => setTimeout(resolve, 50))
    await command.close()
    for (const { unchecked } of await Promise.all(running)) expect(unchecked).toMatchObject([{ cause: 'unavailable' }])
    expect((await judge('fine')).unchecked[0]?.message).toBe('the rule polite is shut down')
  })

  test('one that is retired finishes what it has begun', async () => {
    rmSync(join(folder, 'pids'), { force: true })
    const { judge, command } = start()
    await judge('fine')
    const running = judge('slow')
    command.retire()
    expect((await running).unchecked).toEqual([])
    expect((await judge('bad')).issues).toHaveLength(1)
  })
})

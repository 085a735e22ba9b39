import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { recordingFixtures as fixtures } from '../testing/recording-fixtures.ts'
import { folderWith, runCli } from '../testing/run-cli.ts'

const lines = (...all: readonly unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const parsed = (stdout: string): unknown[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

const batch = fixtures.filter(({ format }) => format === 'openai-batch').map(({ record }) => record)

describe('stickler import', () => {
  it('writes lines, and what it could not use', async () => {
    const { code, stdout, stderr } = await runCli(['import', 'out.jsonl'], { files: { 'out.jsonl': lines(...batch, batch[0]) } })
    expect(stderr).toBe('9 lines: 5 answers, 1 error, 1 expired, 1 not a generation, 1 duplicate (openai-batch)\n')
    expect(code).toBe(0)
    expect(parsed(stdout)).toMatchObject([
      { id: 'r1', model: 'gpt-5.4-mini' },
      { id: 'r2' },
      { id: 'r3', text: 'Yes.', finish_reason: 'length' },
      { id: 'r4/0' },
      { id: 'r4/1' },
    ])
  })

  it('joins the requests of a batch', async () => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }]
    const body = { model: 'm', messages: [{ role: 'user', content: 'Rain?' }], tools }
    const files = {
      'out.jsonl': lines(batch[0]),
      'in.jsonl': lines(
        { custom_id: 'r0', method: 'POST', url: '/v1/chat/completions', body: {} },
        { custom_id: 'r1', method: 'POST', url: '/v1/chat/completions', body },
      ),
    }
    const { stdout } = await runCli(['import', 'out.jsonl', '--requests', 'in.jsonl'], { files })
    expect(parsed(stdout)).toMatchObject([{ id: 'r1', messages: body.messages, tools }])
    expect((await runCli(['import', 'in.jsonl'], { files })).stderr).toBe(
      'stickler: in.jsonl: these are requests, not answers; give the output of the batch, and this file with --requests\n',
    )
    expect(await runCli(['import', 'out.jsonl', '--requests', 'out.jsonl'], { files })).toMatchObject({
      code: 2,
      stderr: 'stickler: out.jsonl:1: a request of a batch has custom_id, and body or params\n',
    })
  })

  test.each([...new Set(fixtures.map(({ format }) => format))].filter((name) => name !== 'batch-requests'))(
    '%s is read back as it was written',
    async (name) => {
      const text = lines(...fixtures.filter(({ format }) => format === name).map(({ record }) => record))
      const once = await runCli(['import'], { stdin: text })
      const again = await runCli(['import'], { stdin: once.stdout })
      expect(once.stderr).toContain(`(${name})`)
      expect(again.stderr).toContain('(stickler)')
      expect(again.stdout).toBe(once.stdout)
      const forced = await runCli(['import', '--format', name], { stdin: text })
      expect(forced.stdout).toBe(once.stdout)
    },
  )

  it('writes a file only when it is complete', async () => {
    const cwd = await folderWith({ 'a.jsonl': lines({ text: 'a' }, { text: 'b' }), 'old.jsonl': 'old' })
    expect(await runCli(['import', 'a.jsonl', '--out', 'old.jsonl'], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '2 lines: 2 answers (stickler)\n',
    })
    expect(parsed(await readFile(join(cwd, 'old.jsonl'), 'utf8'))).toEqual([
      { id: 'a.jsonl:1', text: 'a' },
      { id: 'a.jsonl:2', text: 'b' },
    ])
    const stop = new AbortController()
    const endless = Readable.from(
      (async function* () {
        for (let count = 0; ; count++) {
          if (count === 200) stop.abort('SIGINT')
          yield '{"text":"a"}\n'
        }
      })(),
      { objectMode: false },
    )
    expect((await runCli(['import', '-', '--out', 'old.jsonl'], { cwd, stdin: endless, signal: stop.signal })).code).toBe(130)
    expect(parsed(await readFile(join(cwd, 'old.jsonl'), 'utf8'))).toHaveLength(2)
    expect(await runCli(['import', 'a.jsonl', '--out', 'no/where.jsonl'], { cwd })).toMatchObject({
      code: 2,
      stderr: 'stickler: cannot write no/where.jsonl: there is no such file\n',
    })
  })

  it('ends quietly when its output is closed', async () => {
    const closed = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('closed'), { code: 'EPIPE' }))
      },
    })
    const { code, stderr } = await runCli(['import'], {
      stdin: lines(...Array.from({ length: 5000 }, () => ({ text: 'a' }))),
      stdout: closed,
    })
    expect(code).toBe(141)
    expect(stderr).toBe('')
  })

  test.each<readonly [what: string, argv: readonly string[], stdin: string, code: number, says: RegExp]>([
    ['nothing to use', [], lines({ input: 'a', output: null }), 1, /^1 line: 0 answers, 1 without text \(plain\)\n$/],
    [
      'an unknown format',
      [],
      lines({ foo: 1 }),
      2,
      /<stdin>:1: unknown format; keys seen: foo; formats known: stickler, .*braintrust, plain \(--format\)/,
    ],
    ['a hostile key', [], lines({ 'a\u001b[31m\n': 1 }), 2, /keys seen: a\\x1b\[31m\\n;/],
    ['a missing file', ['gone.jsonl'], '', 2, /cannot read gone\.jsonl: there is no such file/],
    ['a misspelt format', ['--format', 'langfus'], '{}', 2, /--format: unknown format "langfus"; did you mean "langfuse"\?/],
  ])('says so: %s', async (_, argv, stdin, code, says) => {
    const ended = await runCli(['import', ...argv], { stdin })
    expect(ended.code).toBe(code)
    expect(ended.stderr).toMatch(says)
    expect(ended.stdout).toBe('')
  })
})

it.skipIf(process.platform === 'win32')('keeps the mode of the file that it replaces', async () => {
  const cwd = await folderWith({ 'a.jsonl': '{"id":"1","text":"x"}\n', 'out.jsonl': '' })
  // More than the umask would leave.
  await chmod(join(cwd, 'out.jsonl'), 0o666)
  expect((await runCli(['import', 'a.jsonl', '--out', 'out.jsonl'], { cwd })).code).toBe(0)
  expect((await stat(join(cwd, 'out.jsonl'))).mode & 0o777).toBe(0o666)
})

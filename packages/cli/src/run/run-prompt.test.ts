import { chmod, readFile, realpath } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { folderWith, runCli, type Setting } from '../testing/run-cli.ts'

function scriptedBy(answers: readonly unknown[], contract: object = { checks: ['step_marker'] }): string {
  return JSON.stringify({ upstreams: [{ name: 'demo', kind: 'scripted', answers }], contracts: { it: contract } })
}

const run = (config: string, argv: readonly string[] = [], setting: Setting = {}) =>
  runCli(['run', ...argv], { files: { 'stickler.yaml': config }, ...setting })

const done = 'All done.\n<!-- STEP: done -->'
const brief = { checks: [{ max_words: { limit: 2 } }], retries: 1, stream: 'hold' }

describe('what is printed, and how it ends', () => {
  const cases: readonly (readonly [what: string, config: string, code: number, stdout: string, stderr: RegExp])[] = [
    ['valid', scriptedBy([done]), 0, `${done}\n`, /^attempt 1 of 3\nvalid after 1 attempt\n$/],
    [
      'repaired',
      scriptedBy(['Hi.']),
      0,
      'Hi.\n\n<!-- STEP: done -->\n',
      /repaired by append-step-marker \(lossless\): nothing → "\\n\\n<!-- STEP: done -->"\nrepaired after 1 attempt\n$/,
    ],
    [
      'asked again',
      scriptedBy(['far too long', 'Yes.'], brief),
      0,
      'Yes.\n',
      /^attempt 1 of 2\n(?: {2}stopped after 9 characters\n)? {2}error MAX_WORDS .*\n {2}asking again\nattempt 2 of 2\nvalid after 2 attempts\n$/,
    ],
    [
      'what a fault had hidden',
      scriptedBy(['{"priority": "ASAP",}', '{"priority": "low"}'], {
        checks: [{ json: { schema: { properties: { priority: { enum: ['low'] } } } } }],
        stream: 'hold',
        stop: 'end',
      }),
      0,
      '{"priority": "low"}\n',
      /error INVALID_JSON .*\n {2}no allowed repair makes it valid\n {2}error SCHEMA_MISMATCH Set priority to low; .*\n {2}asking again\n/,
    ],
    [
      'given up, and nothing of it shown',
      scriptedBy(['secret secret secret', 'still secret secret'], brief),
      1,
      '',
      /unresolved after 2 attempts: no retries are left\n$/,
    ],
    [
      'calls of tools, without text',
      scriptedBy([{ toolCalls: [{ name: 'look_up', arguments: { city: 'Ulm\u001b' } }, { name: 'stop' }] }], brief),
      0,
      '',
      /^attempt 1 of 2\n {2}calls look_up \{"city":"Ulm\\u001b"\}\n {2}calls stop \{\}\nvalid after 1 attempt\n$/,
    ],
    ['lenient', scriptedBy(['far too long'], { ...brief, mode: 'lenient' }), 1, 'far too long\n', /unresolved after 1 attempt\n$/],
    ['shadow', scriptedBy(['far too long'], { ...brief, mode: 'shadow' }), 1, 'far too long\n', /unresolved after 1 attempt\n$/],
    [
      'cut off',
      scriptedBy([{ text: done, finishReason: 'length' }], { checks: ['step_marker'], retries: 0, stream: 'hold' }),
      1,
      '',
      /TRUNCATED/,
    ],
    [
      'the upstream fails',
      scriptedBy([{ failure: { kind: 'http', status: 503, message: 'down \u001b[31m' } }]),
      3,
      '',
      /failed: down \\x1b\[31m\nfailed after 1 attempt\n$/,
    ],
    [
      'the retry fails, and the first answer can be repaired',
      scriptedBy(['Hi.', { failure: { kind: 'http', status: 503, message: 'down' } }], {
        checks: ['step_marker'],
        repair: 'last',
        stream: 'hold',
      }),
      0,
      'Hi.\n\n<!-- STEP: done -->\n',
      /failed: down\n {2}going back to attempt 1\n {2}repaired by .*\nrepaired after 2 attempts: the call for a better answer failed\n$/,
    ],
    ['the upstream says nothing', scriptedBy(['', '', '']), 1, '', /MISSING_STEP_MARKER/],
    [
      'the upstream says nothing more',
      scriptedBy(['Hi.', ''], { checks: ['step_marker'], repair: 'never', stream: 'hold' }),
      3,
      '',
      /neither text nor a tool call/,
    ],
    ['the script has ended', scriptedBy([]), 3, '', /the script has 0 turns/],
  ]
  for (const mode of [[], ['--no-stream']]) {
    test.each(cases)(`%s ${mode.join('')}`, async (_, config, code, stdout, stderr) => {
      expect(await run(config, [...mode, 'Hi'])).toEqual({ code, stdout, stderr: expect.stringMatching(stderr) })
    })
  }
  test.each(cases)('%s --json', async (_, config, code, stdout) => {
    const ended = await run(config, ['--json', 'Hi'])
    expect(ended.code).toBe(code)
    const { text } = JSON.parse(ended.stdout) as { text: string }
    expect(text).toBe(stdout.replace(/\n$/, ''))
    expect(ended.stdout).not.toContain('secret')
  })
  it('releases what is safe, and no more', async () => {
    const config = scriptedBy([{ text: 'one two three', chunkSize: 1 }], { checks: [{ max_words: { limit: 2 } }], retries: 0 })
    expect(await run(config, ['Hi'])).toMatchObject({
      code: 1,
      stdout: 'one two \n',
      stderr: expect.stringMatching(/stopped after 9 characters/),
    })
  })
  describe('control characters', () => {
    const hostile = 'a\u001b[31m\r\nb\rc\u202e\u0007\u009b\t🙂\n <!-- STEP: done -->'
    const escaped = 'a\\x1b[31m\r\nb\\rc\\u202e\\x07\\x9b\t🙂\n <!-- STEP: done -->\n'
    const config = scriptedBy([{ text: hostile, chunkSize: 1 }])
    test.each<[string, readonly string[], Setting, string]>([
      ['are escaped in a pipe', [], {}, escaped],
      ['are escaped in a pipe, in one piece', ['--no-stream'], {}, escaped],
      ['are left in a pipe with --raw', ['--raw'], {}, `${hostile}\n`],
      ['are left in a pipe with --raw, in one piece', ['--raw', '--no-stream'], {}, `${hostile}\n`],
      ['are escaped on a terminal', [], { terminals: ['stdout'] }, escaped.replace('\r\n', '\n')],
      ['are escaped on a terminal even with --raw', ['--raw'], { terminals: ['stdout'] }, escaped.replace('\r\n', '\n')],
    ])('%s', async (_, argv, setting, stdout) => {
      expect((await run(config, [...argv, 'Hi'], setting)).stdout).toBe(stdout)
    })
    it('are escaped in JSON as JSON does it', async () => {
      const { stdout } = await run(config, ['--json', '--raw', 'Hi'])
      expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
      expect(JSON.parse(stdout)).toMatchObject({ text: hostile })
    })
  })
})

it('does not speak into the last line of an answer on a terminal', async () => {
  let screen = ''
  const stream = () =>
    new Writable({
      write(chunk: Buffer, _encoding, end) {
        screen += chunk.toString()
        end()
      },
    })
  const config = scriptedBy([{ text: 'one two three', chunkSize: 1 }, 'One.'], { checks: [{ max_words: { limit: 2 } }], retries: 1 })
  await run(config, ['Hi'], { terminals: ['stdout', 'stderr'], stdout: stream(), stderr: stream(), env: { NO_COLOR: '1' } })
  expect(screen).toMatch(
    /^attempt 1 of 2\none two \n {2}stopped after 9 characters\n {2}error MAX_WORDS .*\n {2}asking again\nattempt 2 of 2\n/,
  )
})

describe('the prompt', () => {
  it.each([
    ['none, in a terminal', [], ['stdin'] as const],
    ['none, and nothing piped in', [], [] as const],
    ['an empty one', [''], [] as const],
    ['a blank one', [' \n'], [] as const],
  ])('%s is an error, also for a script that needs none', async (_what, prompt, terminals) => {
    expect(await runCli(['run', ...prompt], { files: { 'stickler.yaml': scriptedBy([done]) }, terminals })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'stickler: give a prompt: stickler run "…", or - for standard input\n',
    })
  })
  const config = (upstream: object) => JSON.stringify({ upstreams: [upstream], contracts: { it: { checks: [] } } })
  it('comes from the command line or standard input', async () => {
    const { url, seen } = await modelSaying(() => 'Yes.')
    const upstream = config({ name: 'x', kind: 'openai', baseUrl: url, model: 'm' })
    expect((await run(upstream, ['Tabs?'])).stdout).toBe('Yes.\n')
    expect((await run(upstream, ['-'], { stdin: 'Spaces?\n' })).stdout).toBe('Yes.\n')
    expect((await run(upstream, [], { stdin: 'Both?' })).stdout).toBe('Yes.\n')
    expect(seen.map(({ body }) => body.messages)).toEqual([
      [{ role: 'user', content: 'Tabs?' }],
      [{ role: 'user', content: 'Spaces?\n' }],
      [{ role: 'user', content: 'Both?' }],
    ])
  })
  it('must be there', async () => {
    const upstream = config({ name: 'x', kind: 'openai', baseUrl: 'http://127.0.0.1:1', model: 'm' })
    expect(await run(upstream, [], { terminals: ['stdin'] })).toMatchObject({
      code: 2,
      stderr: 'stickler: give a prompt: stickler run "…", or - for standard input\n',
    })
    expect(await run(upstream, ['-'], { stdin: ' \n' })).toMatchObject({
      code: 2,
      stderr: 'stickler: the prompt on standard input is empty\n',
    })
  })
})

describe('upstreams', () => {
  it('asks an address with a key from the environment, and streams', async () => {
    const { url, seen } = await modelSaying(() => done)
    const argv = ['run', '--base-url', url, '--model', 'tiny', '--key-env', 'MY_KEY', '--check', 'step_marker', 'Hi']
    expect(await runCli(argv, { env: { MY_KEY: 'sk-1' } })).toMatchObject({ code: 0, stdout: `${done}\n` })
    expect(seen).toMatchObject([{ authorization: 'Bearer sk-1', body: { model: 'tiny', stream: true } }])
    expect(await runCli(argv)).toMatchObject({ code: 2, stderr: 'stickler: --key-env: the environment variable MY_KEY is not set\n' })
  })
  it('asks the configured model again with feedback', async () => {
    const { url, seen } = await modelSaying((call) => (call === 1 ? 'far too long' : 'Yes.'))
    const config = `upstreams:\n- { name: a, kind: scripted, answers: [] }\n- { name: b, kind: openai, baseUrl: "${url}", model: m, timeouts: { firstByte: 5, idle: 5, total: 5 } }\ncontracts: { it: ${JSON.stringify(brief)} }\n`
    expect(await run(config, ['--upstream', 'b', '--model', 'other', 'Hi'])).toMatchObject({ code: 0, stdout: 'Yes.\n' })
    expect(seen.map(({ body }) => [body.model, body.messages.length])).toEqual([
      ['other', 1],
      ['other', 3],
    ])
  })
  it('asks the Claude command line, in the session', async () => {
    const script = `#!${process.execPath}
let input = ''
process.stdin.on('data', (chunk) => { input += chunk })
process.stdin.on('end', () => console.log(JSON.stringify({ type: 'result', subtype: 'success', session_id: 's2', result: input + ' ' + process.argv.slice(2).join(' ') + ' ' + process.env.MARK + ' ' + process.env.OTHER })))
`
    const cwd = await folderWith({ 'claude.mjs': script })
    await chmod(join(cwd, 'claude.mjs'), 0o755)
    const config = `upstreams:\n- { name: c, kind: claude-cli, command: "${join(cwd, 'claude.mjs')}", args: [--x], env: [MARK], model: opus, timeouts: { total: 20 } }\ncontracts: { it: { checks: [] } }\n`
    const ended = await run(config, ['--session', 's1', '--json', 'Hi'], { env: { MARK: 'marked', OTHER: 'secret' } })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: 'valid',
      session: 's2',
      text: expect.stringMatching(/^Hi .*--x --model opus --resume s1 marked undefined$/),
    })
  })
  it.each([
    ['its own', ', cwd: work', ['--root', 'docs'], 'work'],
    ['the root', '', ['--root', 'docs'], 'docs'],
    ['the current one', '', [], '.'],
  ])('starts the Claude command line in a folder: %s', async (_whose, key, argv, folder) => {
    const script = `#!${process.execPath}\nconsole.log(JSON.stringify({ type: 'result', session_id: 's', result: process.cwd() }))\n`
    const command = join(await folderWith({ 'claude.cjs': script }), 'claude.cjs')
    await chmod(command, 0o755)
    const config = `upstreams:\n- { name: c, kind: claude-cli, command: "${command}"${key} }\ncontracts: { it: { checks: [] } }\n`
    const cwd = await folderWith({ 'stickler.yaml': config, 'work/a': '', 'docs/a': '' })
    const ended = await runCli(['run', ...argv, '--json', 'Hi'], { cwd })
    expect(JSON.parse(ended.stdout).text).toBe(await realpath(join(cwd, folder)))
  })
  it('masks keys in what the Claude command line says, in its output and in a trace', async () => {
    const script = `#!${process.execPath}\nconsole.error('bad key ' + process.env.ANTHROPIC_API_KEY)\nprocess.exit(1)\n`
    const folder = await folderWith({ 'claude.cjs': script })
    const command = join(folder, 'claude.cjs')
    await chmod(command, 0o755)
    const config = `upstreams:\n- { name: c, kind: claude-cli, command: "${command}" }\ncontracts: { it: { checks: [] } }\n`
    const trace = join(folder, 'trace.jsonl')
    const ended = await run(config, ['--json', '--trace', trace, 'Hi'], { env: { ANTHROPIC_API_KEY: 'correct-horse-7-battery' } })
    expect(JSON.parse(ended.stdout).failure).toMatchObject({ exitCode: 1, stderr: 'bad key [redacted]\n' })
    const traced = await readFile(trace, 'utf8')
    expect(traced).toContain('bad key [redacted]')
    expect(ended.stdout + ended.stderr + traced).not.toContain('horse')
  })
  const wrong: readonly (readonly [what: string, config: string | undefined, argv: readonly string[], says: string | RegExp])[] = [
    ['none', undefined, ['--check', 'step_marker'], /^stickler: there is no upstream to ask; pass --base-url and --model/],
    ['an unknown one', scriptedBy([]), ['--upstream', 'dmo'], 'stickler: unknown upstream "dmo"; did you mean "demo"?\n'],
    ['an address without model', undefined, ['--base-url', 'http://x', '--check', 'step_marker'], 'stickler: --base-url needs --model\n'],
    [
      'an address and a name',
      undefined,
      ['--base-url', 'http://x', '--upstream', 'a', '--model', 'm', '--check', 'step_marker'],
      'stickler: --upstream and --base-url exclude each other\n',
    ],
    ['a key without address', scriptedBy([]), ['--key-env', 'X'], /^stickler: --key-env requires --base-url/],
    [
      'a key in place of its variable',
      undefined,
      ['--base-url', 'http://x', '--model', 'm', '--key-env', 'sk-abc', '--check', 'step_marker'],
      /^stickler: --key-env: give the name of an environment variable/,
    ],
    [
      'no model',
      'upstreams: [{ name: a, kind: openai, baseUrl: http://x }]\ncontracts: { it: { checks: [] } }',
      ['Hi'],
      /^stickler\.yaml:1:13: upstreams\.0\.model: is missing; write it here or pass --model\n$/,
    ],
    [
      'no key',
      'upstreams: [{ name: a, kind: openai, baseUrl: http://x, model: m, apiKeyEnv: NO_KEY }]\ncontracts: { it: { checks: [] } }',
      ['Hi'],
      /^stickler\.yaml:1:67: upstreams\.0\.apiKeyEnv: the environment variable NO_KEY is not set\n$/,
    ],
    [
      'a bad address',
      'upstreams: [{ name: a, kind: openai, baseUrl: "ftp://x", model: m }]\ncontracts: { it: { checks: [] } }',
      ['Hi'],
      /^stickler\.yaml:1:38: upstreams\.0\.baseUrl: /,
    ],
    ['no contract', 'upstreams: [{ name: a, kind: scripted, answers: [] }]', ['Hi'], /^stickler: choose what to check/],
    [
      'a trace that cannot be written',
      scriptedBy([done]),
      ['--trace', 'no/such/folder.jsonl', 'Hi'],
      'stickler: cannot write the trace to no/such/folder.jsonl: there is no such folder\n',
    ],
  ]
  test.each(wrong)('%s', async (_, config, argv, says) => {
    const files = config === undefined ? {} : { 'stickler.yaml': config }
    expect(await runCli(['run', ...argv], { files, terminals: ['stdin'] })).toEqual({
      code: 2,
      stdout: '',
      stderr: typeof says === 'string' ? says : expect.stringMatching(says),
    })
  })
})

describe('--trace', () => {
  it('adds every event to the file', async () => {
    const cwd = await folderWith({ 'stickler.yaml': scriptedBy(['Hi.']), 't.jsonl': '{"before":1}\n' })
    await runCli(['run', '--trace', 't.jsonl', 'Hi'], { cwd })
    const events = (await readFile(join(cwd, 't.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type?: string })
    const types = events.map(({ type }) => type).filter((type) => type !== 'text-released')
    expect(types).toEqual([
      undefined,
      'run-started',
      'attempt-started',
      'attempt-received',
      'checked',
      'decided',
      'repaired',
      'decided',
      'run-ended',
    ])
  })
  it('has the events until Ctrl-C', async () => {
    const cwd = await folderWith({ 'stickler.yaml': scriptedBy([{ text: done, chunkSize: 1, delayMs: 1000 }]) })
    const controller = new AbortController()
    setTimeout(() => controller.abort('SIGINT'), 50)
    const ended = await runCli(['run', '--trace', 't.jsonl', 'Hi'], { cwd, signal: controller.signal })
    expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('failed: the run was aborted') })
    const text = await readFile(join(cwd, 't.jsonl'), 'utf8')
    expect(text).toMatch(/"type":"run-started"[\s\S]*"type":"run-ended".*\n$/)
  })
})

it('stops asking when nobody reads any more', async () => {
  const { url, closed } = await modelSaying(() => undefined)
  const stdout = new Writable({ write: (_chunk, _encoding, end) => end(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })) })
  const argv = ['run', '--base-url', url, '--model', 'm', '--check', 'max_words={"limit":1000}', 'Hi']
  expect(await runCli(argv, { stdout })).toMatchObject({ code: 141 })
  await closed
})

interface Seen {
  readonly authorization: string | undefined
  readonly body: { readonly model: string; readonly stream?: boolean; readonly messages: readonly unknown[] }
}

/** A model on loopback that streams what it is told to say, or goes on for ever. */
async function modelSaying(say: (call: number) => string | undefined): Promise<{ url: string; seen: Seen[]; closed: Promise<void> }> {
  const seen: Seen[] = []
  let gone = (): void => {}
  const closed = new Promise<void>((resolve) => {
    gone = resolve
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ authorization: request.headers.authorization, body: JSON.parse(body) as Seen['body'] })
    response.on('close', gone)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish: string | null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    const text = say(seen.length)
    if (text === undefined) {
      const timer = setInterval(() => send({ content: 'word ' }, null), 5)
      response.on('close', () => clearInterval(timer))
      return
    }
    for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) send({ content: piece }, null)
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen, closed }
}

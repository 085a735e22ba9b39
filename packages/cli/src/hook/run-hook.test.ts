import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { configSchema } from '@stickler/gateway/internal/config'
import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'
import { knownKeys } from './run-hook.ts'

const config = `
contracts:
  Stop: { checks: [{ max_words: { limit: 3 } }, { sensitive: { kinds: [email], redact: true } }] }
  SubagentStop: { checks: [{ max_words: { limit: 3 } }], retries: 0 }
  PreToolUse:
    checks:
      - json: { schema: { type: object, properties: { timeout: { type: number } } } }
      - pattern: { deny: [{ regex: 'rm -rf' }] }
      - sensitive: { kinds: [email], redact: true }
  PostToolUse:
    checks:
      - sensitive: { kinds: [email], redact: true }
      - contains: { none: [secret plan] }
  UserPromptSubmit: { checks: [{ sensitive: { kinds: [email] } }] }
  lenient: { checks: [{ max_words: { limit: 3 } }], mode: lenient }
  shadow: { checks: [{ max_words: { limit: 3 } }], mode: shadow }
  code: { checks: [tool_calls, file_existence] }
`
const long = 'one two three four'

/** Sends events to the command, one after the other, in one folder with its own state. */
async function session(files: Readonly<Record<string, string>> = { 'stickler.yaml': config }) {
  const cwd = await folderWith({ ...files, 'below/it/a.md': '' })
  const env: Record<string, string> = { XDG_STATE_HOME: join(cwd, 'state') }
  const send = async (event: object | string | Readable, ...argv: readonly string[]) => {
    const stdin = typeof event === 'string' || event instanceof Readable ? event : JSON.stringify({ session_id: 's', cwd, ...event })
    const { code, stdout, stderr } = await runCli(['hook', ...argv], { cwd, env, stdin })
    return { code, stderr, said: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>) }
  }
  return { cwd, env, send, answer: async (event: object, ...argv: readonly string[]) => (await send(event, ...argv)).said }
}

const stop = (text: unknown, more: object = {}) => ({
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: text,
  ...more,
})
const call = (input: unknown, more: object = {}) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 't',
  tool_input: input,
  ...more,
})
const result = (response: unknown) => ({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {}, tool_response: response })
const failure = (error: unknown) => ({ hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: {}, error })
const prompt = (text: unknown) => ({ hook_event_name: 'UserPromptSubmit', prompt: text })
const blocked = { decision: 'block', reason: expect.stringContaining('MAX_WORDS') }
const gaveUp = (after = '') => ({ systemMessage: expect.stringContaining(`breaks its contract${after}: MAX_WORDS`) })
const denied = (why: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining(why),
  },
})
const updated = (input: unknown, permissionDecision = 'ask') => ({
  hookSpecificOutput: expect.objectContaining({ permissionDecision, updatedInput: input }),
})
const output = (replaced: unknown) => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: expect.any(String), updatedToolOutput: replaced },
})

describe('an event', () => {
  it.each<readonly [string, object, object, ...string[]]>([
    ['a turn that keeps its contract', stop('one two'), {}],
    ['output that is absent', result(undefined), output('[withheld by Stickler]')],
    ['an error with a secret', failure('from jane@acme.com'), { systemMessage: expect.stringMatching(/^Stickler: the error(?!.*jane)/) }],
    ['an error that is right', failure('Exit code 1'), {}],
    ['an error that is absent', failure(undefined), { systemMessage: expect.stringContaining('no error') }],
    ['one that breaks it', stop(long), blocked],
    ['one that only a repair would keep', stop('jane@acme.com'), { decision: 'block', reason: expect.stringContaining('SENSITIVE') }],
    ['one without a text', stop(undefined), { systemMessage: expect.stringContaining('last_assistant_message') }],
    ['one with an odd text', stop({ text: long }), { systemMessage: expect.stringContaining('could not check') }],
    ['an empty one', stop(''), {}],
    ['a lenient contract', stop(long), { systemMessage: expect.stringContaining('MAX_WORDS') }, '--contract', 'lenient'],
    ['a shadow contract', stop(long), {}, '--contract', 'shadow'],
    ['a check of the command line', stop(long), blocked, '--check', 'max_words={"limit":2}'],
    ['no blocks at all', stop(long), gaveUp(), '--max-blocks', '0'],
    ['a subagent without retries', { ...stop(long), hook_event_name: 'SubagentStop', agent_id: 'x' }, gaveUp()],
    ['an unknown contract', stop(long), { systemMessage: expect.stringContaining('unknown contract "brif"') }, '--contract', 'brif'],
    ['a call that is right', call({ command: 'ls' }), {}],
    ['a call to repair', call({ command: 'ls', timeout: '3' }), updated({ command: 'ls', timeout: 3 })],
    ['a call to redact', call({ command: 'mail\njane@acme.com' }), updated({ command: 'mail\n[EMAIL]' })],
    ['one that may run unasked', call({ timeout: '3' }, { permission_mode: 'bypassPermissions' }), updated({ timeout: 3 }, 'allow')],
    ['a call to refuse', call({ command: 'rm -rf /' }), denied('PATTERN_DENIED')],
    ['a text deep inside', call({ edits: [{ text: 'rm -rf' }] }), denied('PATTERN_DENIED')],
    ['a call without input', call(undefined), denied('tool_input')],
    ['input that is a list', call([]), denied('tool_input')],
    ['a check that cannot run', call({}), denied('tool_calls'), '--contract', 'code'],
    ['a call under an unknown contract', call({}), denied('unknown contract'), '--contract', 'brif'],
    ['output that is right', result({ stdout: 'fine', stderr: '' }), {}],
    [
      'output to redact',
      result({ stdout: 'a\njane@acme.com', stderr: '', interrupted: false }),
      output({ stdout: 'a\n[EMAIL]', stderr: '', interrupted: false }),
    ],
    ['output as a text', result('jane@acme.com'), output('[EMAIL]')],
    ['output of an MCP tool', result([{ type: 'text', text: 'jane@acme.com' }]), output([{ type: 'text', text: '[EMAIL]' }])],
    ['output to withhold', result({ stdout: 'the secret plan', code: 0 }), output({ stdout: '[withheld by Stickler]', code: 0 })],
    ['output with too many texts', result(Array(5001).fill('x')), output(Array(5001).fill('[withheld by Stickler]'))],
    ['no output', result(null), {}],
    ['a prompt that is right', prompt('hello'), {}],
    ['a prompt to block', prompt('write to jane@acme.com'), { decision: 'block', reason: expect.stringContaining('SENSITIVE') }],
    ['a prompt that is not text', prompt(7), { decision: 'block', reason: expect.stringContaining('could not check') }],
    ['another event', { hook_event_name: 'SessionEnd', reason: 'other' }, {}],
    ['an event of the future', { hook_event_name: 'constructor' }, {}],
  ])('%s', async (_name, event, expected, ...argv) => {
    const { send } = await session()
    expect(await send(event, ...(argv as string[]))).toEqual({ code: 0, stderr: '', said: expected })
  })

  it('has no contract of its own: only final answers are judged, by the only one there is', async () => {
    const one = await session({ 'stickler.yaml': 'contracts: { brief: { checks: [{ max_words: { limit: 3 } }] } }' })
    expect(await one.answer(stop(long))).toEqual(blocked)
    for (const event of [call({ command: long }), result(long), prompt(long), { ...stop(long), hook_event_name: 'SubagentStop' }])
      expect(await one.answer(event)).toEqual({})
    expect(await one.answer(call({ command: long }), '--check', 'contains={"none":["two"]}')).toEqual(denied('two'))
  })

  it('finds the configuration above the folder of its session, and applies checks by its name as a tag', async () => {
    const tagged = 'contracts: { all: { checks: [{ max_words: { limit: 3 }, when: { tag: Stop } }] } }'
    const { cwd, env, answer } = await session({ 'stickler.yaml': tagged })
    env.CLAUDE_PROJECT_DIR = join(cwd, 'below/it')
    expect(await answer(stop(long, { cwd: '/' }))).toEqual(blocked)
    expect(await answer(prompt(long), '--contract', 'all')).toEqual({})
  })

  it.each([
    ['the folder that Claude Code names', 'project'],
    ['its own folder', undefined],
  ])('is judged by the contract of %s, whatever folder the agent has changed to', async (_name, project) => {
    const run = `{ command: { name: own, run: [sh, -c, 'touch ran; echo {}'] } }`
    const own = `contracts: { Stop: { checks: [{ max_words: { limit: 99 } }, ${run}] }, PreToolUse: { checks: [${run}] } }`
    const { cwd, env, answer } = await session({ 'stickler.yaml': project ? own : config, 'project/stickler.yaml': project ? config : own })
    if (project) env.CLAUDE_PROJECT_DIR = join(cwd, project)
    const elsewhere = await folderWith({ 'stickler.yaml': own })
    const folders = [cwd, join(cwd, 'project'), join(cwd, 'project', '..', 'below'), elsewhere, '/', '.', 'project', 7]
    for (const folder of folders) {
      const told = [stop(long, { cwd: folder, session_id: String(folder) }), call({ command: 'rm -rf /' }, { cwd: folder })]
      for (const [at, event] of told.entries()) {
        expect(await answer(event, '--if-configured')).toEqual([blocked, denied('PATTERN_DENIED')][at])
        expect(await answer(event)).toEqual([blocked, denied('PATTERN_DENIED')][at])
      }
    }
    for (const folder of [elsewhere, join(cwd, 'project'), cwd]) expect(await readdir(folder)).not.toContain('ran')
  })

  it('is about the files of the folder of the agent, inside its project', async () => {
    const { cwd, env, answer } = await session({ 'stickler.yaml': config, 'below/b.md': '', 'c.md': '' })
    env.CLAUDE_PROJECT_DIR = join(cwd, 'below')
    const header = (file: string) => `---\nfiles: { modify: [${file}] }\n---\nDone.`
    const see = (file: string, folder: unknown) => answer(stop(header(file), { cwd: folder }), '--check', 'file_existence')
    expect(await see('a.md', join(cwd, 'below/it'))).toEqual({})
    expect(await see('b.md', join(cwd, 'below/it'))).not.toEqual({})
    for (const folder of [join(cwd, 'below'), 'gone', cwd, '/', 'a\0b', 7]) {
      expect(await see('b.md', folder)).toEqual({})
      expect(await see('c.md', folder)).not.toEqual({})
    }
  })

  it.each<readonly [string, object, object]>([
    ['a turn', stop(long), { systemMessage: expect.stringContaining('there is no stickler.yaml in ') }],
    ['a call', call({}), denied('there is no stickler.yaml in ')],
    ['a prompt', prompt('x'), { decision: 'block', reason: expect.stringContaining('there is no stickler.yaml in ') }],
    ['output', result('x'), output('[withheld by Stickler]')],
  ])('without any configuration, %s fails as it must, unless that is allowed', async (_name, event, expected) => {
    const { answer } = await session({})
    expect(await answer(event)).toEqual(expected)
    expect(await answer(event, '--if-configured')).toEqual({})
  })

  it('fails as it must under a broken configuration too', async () => {
    const { answer } = await session({ 'stickler.yaml': 'contract: {}' })
    expect(await answer(stop(long), '--if-configured')).toEqual({ systemMessage: expect.stringContaining('did you mean "contracts"') })
    expect(await answer(call({}), '--if-configured')).toEqual(denied('did you mean "contracts"'))
  })
})

describe('whether an event has a contract is decided by what the file says, however it is written', () => {
  const deny = "{ checks: [{ pattern: { deny: [{ regex: 'rm -rf' }] } }] }"
  const other = `Stop: ${deny}, brief: ${deny}`
  const event = call({ command: 'rm -rf /' })

  it.each<readonly [string, string, object]>([
    ['other contracts', `contracts: { ${other} }`, {}],
    ['its name elsewhere', `contracts: { ${other} } # PreToolUse`, {}],
    ['its name in a contract', `contracts: { brief: { checks: [{ contains: { none: [PreToolUse] } }] } }`, {}],
    ['a name with another case', `contracts: { pretooluse: ${deny} }`, {}],
    ['inherited names', 'contracts: { constructor: { checks: [json] } }', {}],
    ['an escaped name', `contracts: { "Pre\\x54oolUse": ${deny} }`, denied('PATTERN_DENIED')],
    ['a name over two lines', `contracts:\n  ? "PreTool\\\n    Use"\n  : ${deny}`, denied('PATTERN_DENIED')],
    [
      'a name as an alias',
      `contracts:\n  brief: { checks: [{ contains: { none: [&a PreToolUse] } }] }\n  *a : ${deny}`,
      denied('a key must be a plain word'),
    ],
    ['a merge of its contract', `contracts: { ${other}, <<: { PreToolUse: ${deny} } }`, denied('could not check')],
    ['a merge of all contracts', `contracts: { ${other} }\n<<: { contracts: { PreToolUse: ${deny} } }`, denied('<<')],
    ['a list as a name', `contracts: { ${other}, [PreToolUse]: ${deny} }`, denied('a key must be a plain word')],
    ['a prototype', `contracts: { ${other}, __proto__: { PreToolUse: ${deny} } }`, denied('__proto__')],
    [
      'JSON with a mark of its encoding',
      `\uFEFF{"contracts":{"PreToolUse":{"checks":[{"pattern":{"deny":[{"regex":"rm"}]}}]}}}`,
      denied('PATTERN_DENIED'),
    ],
    ['the name twice', `contracts: { PreToolUse: ${deny}, PreToolUse: { checks: [] } }`, denied('duplicate')],
    ['nothing', '', {}],
    ['no contracts', 'server: { port: 1 }', {}],
    ['no contracts of a gateway', 'upstreams: [{ name: a, kind: scripted, answers: [x] }]', {}],
    ['contracts that are none', 'contracts: [PreToolUse]', denied('contracts')],
    ['a key that does not exist', 'contract: {}', denied('did you mean "contracts"')],
    ['a misspelt key beside others', `contracts: { ${other} }\ncontract: { PreToolUse: ${deny} }`, denied('did you mean "contracts"')],
    ['a misspelt key beside upstreams', `upstreams: []\ncontract: { PreToolUse: ${deny} }`, denied('did you mean "contracts"')],
    ['YAML that breaks off', `contracts: { ${other}`, denied('could not check')],
    ['YAML without end', `contracts: { ${other} }\na: ${'['.repeat(70)}${']'.repeat(70)}`, denied('nested deeper')],
    ['more YAML than is read', `contracts: { ${other} }\n# ${'x'.repeat(70_000)}`, denied('larger than')],
  ])('%s', async (_name, yaml, expected) => {
    const { answer } = await session({ 'stickler.yaml': yaml })
    const said = await answer(event, '--if-configured')
    expect(said).toEqual(expected)
    // The rest of the command decides the same.
    expect(await answer(event, '--max-blocks', '1')).toEqual(said)
  })

  it('every key of a configuration is known', () => {
    expect([...knownKeys].sort()).toEqual(Object.keys(configSchema.shape).sort())
  })

  it('a folder of this name cannot be read', async () => {
    const { answer } = await session({ 'stickler.yaml/a': '' })
    expect(await answer(event, '--if-configured')).toEqual(denied('it is a folder'))
  })

  it('errors of tools have the contract of outputs', async () => {
    const { answer } = await session({ 'stickler.yaml': `contracts: { PostToolUse: ${deny} }` })
    expect(await answer(failure('rm -rf'), '--if-configured')).toEqual({ systemMessage: expect.stringContaining('PATTERN_DENIED') })
  })
})

describe('input that cannot be read', () => {
  const bytes = (...parts: readonly (string | Buffer)[]) => Readable.from([Buffer.concat(parts.map((part) => Buffer.from(part)))])
  it.each<readonly [string, () => Readable, object]>([
    ['a call that breaks off', () => bytes('{"hook_event_name":"PreToolUse","tool_input":{'), denied('not JSON')],
    [
      'a call that is not UTF-8',
      () => bytes('{"hook_event_name": "PreToolUse", "tool_input": {"a": "', Buffer.from([0xff]), '"}}'),
      denied('not UTF-8'),
    ],
    [
      'a call that names another event inside',
      () => bytes('{"hook_event_name":"PreToolUse","tool_input":{"hook_event_name":"Stop"'),
      denied('not JSON'),
    ],
    ['output that breaks off', () => bytes('{"hook_event_name":"PostToolUse","tool_response":{'), output('[withheld by Stickler]')],
    ['a turn that breaks off', () => bytes('{"hook_event_name":"Stop",'), { systemMessage: expect.stringContaining('not JSON') }],
  ])('%s', async (_name, input, expected) => {
    const { send } = await session()
    expect((await send(input())).said).toEqual(expected)
  })

  it('a call that is too large', async () => {
    const { send } = await session()
    function* flood() {
      yield Buffer.from('{"hook_event_name":"PreToolUse","tool_input":{"a":"')
      for (;;) yield Buffer.alloc(1 << 22, 'x')
    }
    expect((await send(Readable.from(flood(), { objectMode: false }))).said).toEqual(denied('larger than'))
  })

  it.each([
    ...['', 'x', '[]', '"Stop"', '{"a":', '{}', '{"hook_event_name":null}', '{"hook_event_name":["PreToolUse"]}'].map(
      (text) => [text, 2] as const,
    ),
    ['{"hook_event_name":"SessionEnd",', 1],
  ] as const)('%j ends with %i: only an event that is known not to be judged goes on', async (text, code) => {
    const { send } = await session()
    expect(await send(text)).toMatchObject({ code, said: undefined, stderr: expect.stringMatching(/not the event of a hook/) })
  })

  it('data nested without end', async () => {
    const { cwd, send } = await session()
    const deep = `${'['.repeat(50_000)}"jane@acme.com"${']'.repeat(50_000)}`
    const said = async (event: string, key: string) =>
      (await send(`{"hook_event_name":"${event}","tool_name":"a","cwd":${JSON.stringify(cwd)},"${key}":{"a":${deep}}}`)).said
    expect(JSON.stringify(await said('PostToolUse', 'tool_response'))).toMatch(/withheld/)
    expect(JSON.stringify(await said('PostToolUse', 'tool_response'))).not.toContain('jane')
    expect(await said('PreToolUse', 'tool_input')).toEqual(denied('nested deeper'))
  })
})

describe('a turn is sent back', () => {
  const again = stop(long, { stop_hook_active: true })

  it('as often as the contract allows retries, and anew in the next turn', async () => {
    const { answer } = await session()
    for (const event of [stop(long), again]) expect(await answer(event)).toEqual(blocked)
    expect(await answer(again)).toEqual(gaveUp(' after 2 retries'))
    expect(await answer(stop(long))).toEqual(blocked)
    expect(await answer(stop('fine', { stop_hook_active: true }))).toEqual({})
    expect(await answer(again)).toEqual(blocked)
  })

  it('as often as the option says, by session and agent', async () => {
    const { answer } = await session()
    const send = (event: object) => answer(event, '--max-blocks', '1', '--contract', 'Stop')
    expect(await send(stop(long))).toEqual(blocked)
    expect(await send({ ...again, session_id: 'other' })).toEqual(blocked)
    expect(await send({ ...again, hook_event_name: 'SubagentStop', agent_id: 'a' })).toEqual(blocked)
    expect(await send(again)).toEqual(gaveUp(' after one retry'))
  })

  it.each([
    ['never says so', {}],
    ['says so of one prompt', { prompt_id: 'p' }],
  ])('only so often even if the host %s', async (_name, more) => {
    const { answer } = await session()
    const seen: unknown[] = []
    for (let turn = 0; turn < 3; turn++) seen.push(await answer(stop(long, more)))
    expect(seen).toEqual([blocked, blocked, gaveUp(' after 2 retries')])
  })

  it('afresh for another prompt', async () => {
    const { answer } = await session()
    for (const prompt_id of ['a', 'b', 'c', 'd']) expect(await answer(stop(long, { prompt_id }))).toEqual(blocked)
  })

  it.each([
    ['cannot be written', 'state', 'a file'],
    ['is damaged', 'state/stickler/hooks', 'a file'],
  ])('once where the count %s', async (_name, path, text) => {
    const { answer } = await session({ 'stickler.yaml': config, [path]: text })
    expect(await answer(stop(long))).toEqual(blocked)
    expect(await answer(again)).toEqual(gaveUp())
  })

  it('not for ever where the count is not a number', async () => {
    const { cwd, answer } = await session()
    await answer(stop(long))
    const folder = join(cwd, 'state/stickler/hooks')
    const [file = ''] = await readdir(folder)
    expect(JSON.parse(await readFile(join(folder, file), 'utf8'))).toEqual({ count: 1 })
    await writeFile(join(folder, file), '{"count":"x"}')
    expect(await answer(again)).toEqual(gaveUp())
  })
})

test('the plugin runs the command for every event that is judged', async () => {
  const at = (path: string) => new URL(`../../../../${path}`, import.meta.url)
  const read = async (path: string) => JSON.parse(await readFile(at(path), 'utf8')) as Record<string, unknown>
  const { plugins } = (await read('.claude-plugin/marketplace.json')) as { plugins: { name: string; source: string }[] }
  const [plugin] = plugins
  const folder = plugin?.source.replace('./', '') ?? ''
  expect((await read(`${folder}/.claude-plugin/plugin.json`)).name).toBe(plugin?.name)
  const { hooks } = (await read(`${folder}/hooks/hooks.json`)) as { hooks: Record<string, unknown> }
  expect(Object.keys(hooks).sort()).toEqual(['PostToolUse', 'PostToolUseFailure', 'PreToolUse', 'Stop', 'SubagentStop', 'UserPromptSubmit'])
  const { answer } = await session()
  for (const event of Object.keys(hooks)) {
    const all = {
      ...stop(long),
      ...call({ command: 'rm -rf' }),
      ...result('jane@acme.com'),
      ...prompt('a@b.de'),
      tool_input: { a: 'rm -rf' },
    }
    expect(await answer({ ...all, hook_event_name: event }, '--if-configured')).not.toEqual({})
  }
})

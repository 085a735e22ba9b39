import { Readable, Writable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli, type Setting } from '../testing/run-cli.ts'

const marker = { step_marker: {} }

async function lines(input: readonly unknown[], argv: readonly string[] = [], setting: Setting = {}) {
  const stdin = input.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const { code, stdout, stderr } = await runCli(['check', '--jsonl', '-', ...argv], { stdin, ...setting })
  return {
    code,
    stderr,
    raw: stdout,
    results: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

describe('one line in, one line out', () => {
  it('gives the keys in their order', async () => {
    const { code, raw } = await lines([{ text: '<!-- STEP: whta -->', checks: [marker], id: 7 }])
    expect(code).toBe(0)
    expect(raw).toBe(
      '{"id":7,"status":"repaired","issues":[],' +
        '"fixed":[{"code":"INVALID_STEP","severity":"error","validator":"step_marker","message":"Use a valid step in the STEP marker, not whta.","hint":"Valid steps: constraints, done, finalize, generate, what, why","span":{"start":0,"end":19},"suggestion":"what"}],' +
        '"repairs":[{"rule":"correct-step-name","span":{"start":0,"end":19},' +
        '"before":"<!-- STEP: whta -->","after":"<!-- STEP: what -->","class":"lossless"}],"text":"<!-- STEP: what -->","facts":{"step_marker":{"step":"what"}}}\n',
    )
  })
  it.each([['text'], [7], [null], [{ a: [1] }], [['x']], [true]])('keeps the id %j', async (id) => {
    expect((await lines([{ id, checks: [], text: '' }])).results).toEqual([{ id, status: 'valid', issues: [], repairs: [] }])
  })
  it('repairs as the line says', async () => {
    const line = (repair: string) => ({ id: repair, checks: [marker], text: 'x', repair })
    const { code, results } = await lines([line('first'), line('last'), line('never')])
    expect([code, results.map(({ status }) => status)]).toEqual([1, ['repaired', 'repaired', 'unresolved']])
  })
  it('allows what the line allows', async () => {
    const line = { checks: [{ file_existence: {} }], text: '---\nadr_id: 1\nfiles:\n  modify: [gone.ts]\n---\n' }
    const { results } = await lines([line, { ...line, allow: ['lossless', 'guess'] }])
    expect(results.map(({ status }) => status)).toEqual(['unresolved', 'repaired'])
  })
  it('looks below the root of the line, or the common one', async () => {
    const cwd = await folderWith({ 'a/x.ts': '', 'b/y.ts': '' })
    const line = (root?: string) => ({
      checks: [{ file_existence: {} }],
      text: '---\nadr_id: 1\nfiles: { modify: x.ts }\n---\n',
      repair: 'never',
      root,
    })
    const { results } = await lines([line(), line('a'), line('b'), line('nowhere')], ['--root', 'a'], { cwd })
    expect(results.map(({ status }) => status)).toEqual(['valid', 'valid', 'unresolved', 'unchecked'])
    expect(results[3]?.unchecked).toMatchObject([{ validator: 'file_existence' }])
  })
  it('never calls a cut-off answer valid', async () => {
    const { results } = await lines([{ checks: [marker], text: 'x <!-- STEP: done -->', finish_reason: 'length' }])
    expect(results).toMatchObject([{ status: 'unresolved', issues: [{ code: 'TRUNCATED' }] }])
  })
  it('gives tool calls back as they came', async () => {
    const tool_calls = [{ id: 'c', type: 'function', extra: 1, function: { name: 'f', arguments: '{"n":1.0}' } }]
    expect((await lines([{ id: 1, checks: [], tool_calls }])).results).toEqual([
      { id: 1, status: 'valid', issues: [], repairs: [], tool_calls },
    ])
  })
  it('refuses calls that nobody offered, and turns text into a call only as a guess', async () => {
    const tools = [{ name: 'f', parameters: { type: 'object' } }]
    const called = { checks: ['tool_calls'], tools, tool_calls: [{ name: 'f', arguments: '{"n": 1}' }] }
    const text = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    const { results } = await lines([
      called,
      { ...called, tool_choice: 'none' },
      { ...called, tools: [] },
      { ...called, tool_calls: [{ name: 'f', arguments: '{"n": 1, "n": 2}' }] },
      { checks: ['tool_calls'], tools, text, allow: ['lossless', 'guess'] },
      { checks: ['tool_calls'], tools, text },
    ])
    expect(results.map(({ status, issues }) => [status, ...(issues as { code: string }[]).map(({ code }) => code)])).toEqual([
      ['valid'],
      ['unresolved', 'UNKNOWN_TOOL'],
      ['unresolved', 'UNKNOWN_TOOL'],
      ['unresolved', 'DUPLICATE_KEY'],
      ['repaired'],
      ['unresolved', 'TOOL_CALL_IN_TEXT'],
    ])
    expect(results[4]?.repairs).toMatchObject([{ class: 'guess' }])
  })
  it('reads what was called before, what is expected, and whether one call is enough', async () => {
    const call = (name: string) => ({ type: 'function', function: { name, arguments: '{}' } })
    const tools = ['ping_gateway', 'check_adapter_status'].map((name) => ({ name, parameters: { type: 'object' } }))
    const called = { tools, tool_calls: [call('check_adapter_status')] }
    const messages = [{ role: 'assistant', content: null, tool_calls: [{ id: 'a', ...call('ping_gateway') }] }]
    const { results } = await lines(
      [
        called,
        { ...called, messages },
        { ...called, transcript: ['ping_gateway'] },
        { ...called, context: { transcript: ['ping_gateway'] } },
        { ...called, context: { expected_sequence: ['ping_gateway'] } },
        { ...called, tools: null, functions: tools },
        { ...called, tool_calls: [call('check_adapter_status'), call('ping_gateway')], parallel_tool_calls: false },
        { ...called, expected_sequence: 'ping_gateway' },
      ],
      ['--preset', 'techtime'],
    )
    const told = results.map(({ issues, error }) => error ?? (issues as { code: string }[]).map(({ code }) => code))
    expect(told).toEqual([
      [],
      ['OUT_OF_ORDER'],
      ['OUT_OF_ORDER'],
      ['OUT_OF_ORDER'],
      ['UNEXPECTED_CALL'],
      [],
      ['PARALLEL_CALLS'],
      { message: 'expected_sequence: must be a list of names' },
    ])
  })
  it.each<[string, object]>([
    ['message: excludes text', { text: 'Bad [^9]', message: { content: 'ok' } }],
    ['choices: excludes text', { text: 'Bad [^9]', choices: [{ message: { content: 'ok' } }] }],
    ['candidates: excludes text', { text: 'Bad [^9]', candidates: [{ content: { parts: [{ text: 'ok' }] } }] }],
    ['content: excludes text', { text: 'ok', content: 'Bad [^9]' }],
    ['message: excludes tool_calls', { tool_calls: [{ function: { name: 'rm', arguments: '{}' } }], message: { content: 'ok' } }],
    ['response: excludes tool_calls', { tool_calls: [], response: { content: 'Bad [^9]' } }],
    ['response: excludes message', { message: { content: 'ok' }, response: { content: 'Bad [^9]' } }],
  ])('rejects two answers in one line: %s', async (message, line) => {
    const { results } = await lines([{ ...line, sources: 1 }], ['--preset', 'reddb'])
    expect(results).toMatchObject([{ error: { message } }])
  })
  it.each([{ answer: 'Bad [^9]' }, { sources: 1 }, { text: null }])('rejects a line without an answer: %j', async (line) => {
    const { results } = await lines([line], ['--preset', 'reddb'])
    expect(results).toMatchObject([{ error: { message: expect.stringContaining('can be read') } }])
  })
  it('needs no answer where only the context is judged', async () => {
    const asked = { question: 'How often does the gateway retry?', context: ['The gateway retries at most twice.', { text: 'Pasta' }] }
    const relevance = ['context_relevance']
    const { results } = await lines([
      { ...asked, id: 1, checks: relevance },
      { ...asked, id: 2, checks: relevance, context: ['Pasta'] },
      { ...asked, id: 3, checks: relevance, context: 'Pasta' },
      { ...asked, id: 4, checks: [...relevance, { max_words: { limit: 3 } }], answer: 'misspelled key' },
      { ...asked, id: 5, checks: [] },
      { question: asked.question, id: 6, checks: relevance },
    ])
    expect(results).toMatchObject([
      { id: 1, status: 'valid', issues: [], scores: { context_relevance: expect.any(Number) } },
      { id: 2, status: 'valid', issues: [{ code: 'CONTEXT_IRRELEVANT' }], scores: { context_relevance: 0 } },
      { id: 3, status: 'unchecked' },
      ...[4, 5, 6].map((id) => ({ id, error: { message: expect.stringContaining('can be read') } })),
    ])
  })
  it('reads what the user was allowed to hear again', async () => {
    const line = { checks: [{ sensitive: { allowFromPrompt: true } }], text: 'Call +49 30 1234567.' }
    const { results } = await lines([
      { ...line, prompt: 'I am (030) 1234567' },
      { ...line, messages: [{ role: 'user', content: 'I am (030) 1234567' }] },
      { ...line, messages: [{ role: 'system', content: 'I am (030) 1234567' }] },
      { ...line, prompt: 7 },
    ])
    expect(results).toMatchObject([
      { status: 'valid' },
      { status: 'valid' },
      { status: 'unresolved' },
      { error: { message: expect.any(String) } },
    ])
  })
  it('reads responses of any client, and calls in any of their places', async () => {
    const tools = [{ name: 'ping', parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }]
    const parts = [{ functionCall: { name: 'ping', args: {} } }]
    const output = [{ type: 'function_call', call_id: 'a', name: 'ping', arguments: '{}' }]
    const { results } = await lines(
      [
        { tools, function_call: { name: 'ping', arguments: '{}' } },
        { tools, tool_execution_history: [{ tool_name: 'ping', arguments: {} }] },
        { tools, invalid_tool_calls: [{ name: 'ping', args: "{'n': 1}", type: 'invalid_tool_call' }], tool_calls: [] },
        { tools, response: { output, status: 'completed' } },
        { tools, response: { candidates: [{ content: { parts }, finishReason: 'STOP' }] } },
        { tools, message: { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ping', input: {} }] } },
        { tools, text: 'Cut', finish_reason: 'max_tokens' },
        { tools, text: 'Cut', stop_reason: 'max_tokens' },
        { tools, response: { content: 'Cut', stop_reason: 'max_tokens' } },
        { tools, text: 'Whole.', message: 'a line of a log' },
        { tools, response: { id: 1 } },
        { tools, function_call: { name: 'ping', arguments: '{"n": "1"}' } },
      ],
      ['--preset', 'techtime'],
    )
    const told = results.map(({ issues, error }) => error ?? (issues as { code: string }[]).map(({ code }) => code).join())
    expect(told).toEqual([
      ...['MISSING_ARGUMENT', 'MISSING_ARGUMENT', '', 'MISSING_ARGUMENT', 'MISSING_ARGUMENT', 'MISSING_ARGUMENT'],
      ...['TRUNCATED', 'TRUNCATED', 'TRUNCATED', ''],
      {
        message: expect.stringMatching(
          /^response: cannot be read: it has neither text nor calls in a known place; its keys are id; known are a text, .*one call \{name, arguments\}$/,
        ),
      },
      '',
    ])
    expect(results[11]).toMatchObject({ status: 'repaired', tool_calls: [{ name: 'ping', arguments: '{"n": 1}' }] })
  })
  it('loses no call of a response: it is printed, or the line is an error', async () => {
    const tools = [{ name: 'ping', parameters: { type: 'object' } }]
    const content = [{ toolUse: { toolUseId: 'a', name: 'ping', input: {} } }]
    const { results } = await lines(
      [
        { tools, response: { output: { message: { role: 'assistant', content } }, stopReason: 'tool_use' } },
        { tools, response: { content: [{ type: 'hologram' }] } },
        { tools, response: { choices: [{ message: { content: 'Hi.' } }, { message: { content: 'Ho.' } }] } },
        { tools, response: { output: [] } },
        { tools, tool_calls: [{ name: 'ping' }], messages: [{ foo: 1 }] },
      ],
      ['--preset', 'techtime'],
    )
    expect(results[0]).toMatchObject({ status: 'valid', tool_calls: [{ id: 'a', function: { name: 'ping' } }] })
    expect(results.slice(1, 4).map(({ error }) => error)).toEqual([
      { message: 'response: cannot be read: parts of unknown types: hologram' },
      { message: 'response: cannot be read: it has 2 choices; give one of them' },
      { message: 'response: cannot be read: it is empty' },
    ])
    expect(results[4]).toMatchObject({ unchecked: [{ validator: 'tool_sequence' }] })
  })
  it('uses the contract of the command line where a line has no checks', async () => {
    const { results } = await lines(
      [{ text: 'two words' }, { text: 'two words', checks: [{ max_words: { limit: 5 } }] }],
      ['--check', 'max_words={"limit":1}'],
    )
    expect(results.map(({ status }) => status)).toEqual(['unresolved', 'valid'])
  })
  it('passes over empty lines and unknown keys', async () => {
    const { code, results } = await lines(['', { id: 1, checks: [], text: '', origin: 'x', kind: 'y' }, '', '  '])
    expect([code, results.length]).toEqual([0, 1])
  })
  it('has nothing to say of nothing', async () => {
    expect(await lines([])).toMatchObject({ code: 0, raw: '', stderr: '' })
  })
  it('says when something could not be checked', async () => {
    const { code, stderr } = await lines([
      { checks: [{ file_existence: {} }], text: '---\nadr_id: 1\nfiles: { modify: x.ts }\n---\n', root: 'nowhere' },
    ])
    expect([code, stderr]).toEqual([1, 'stickler: 1 of the answers could not be checked in full\n'])
  })
})

describe('bad lines', () => {
  const bad: readonly (readonly [what: string, line: unknown, message: string | RegExp, id: unknown])[] = [
    ['no JSON', '{"id": 1', /^the line is not JSON: /, null],
    ['a number', '7', 'a line must be a JSON object', null],
    ['a list', '[]', 'a line must be a JSON object', null],
    ['null', 'null', 'a line must be a JSON object', null],
    ['a text that is none', { id: 1, checks: [], text: 5 }, /^text: must be a string/, 1],
    ['checks that are no list', { id: 2, checks: 'step_marker' }, 'checks: must be a list', 2],
    [
      'an unknown check',
      { id: 3, checks: [{ step_markr: {} }], text: '' },
      'checks.0.step_markr: unknown validator "step_markr"; did you mean "step_marker"?',
      3,
    ],
    [
      'bad options',
      { id: 4, checks: [{ max_words: { limits: 1 } }], text: '' },
      /checks\.0\.max_words\.limits: unknown \w+ "limits"; did you mean "limit"\?/,
      4,
    ],
    [
      'a check of several names',
      { id: 5, checks: [{ step_marker: {}, max_words: {} }], text: '' },
      'checks.0: a check is a name, or one name with its options',
      5,
    ],
    ['a check that is none', { id: 5, checks: [5], text: '' }, /checks\.0/, 5],
    ['a prototype', '{"id":6,"checks":[{"__proto__":{}}],"text":""}', /unknown validator "__proto__"/, 6],
    ['an unknown order of repairs', { id: 7, checks: [], repair: 'soon' }, /^repair: /, 7],
    ['an unknown class', { id: 7, checks: [], allow: ['all'] }, /^allow\.0: /, 7],
    ['tool calls that are no list', { id: 8, checks: [], tool_calls: { name: 'f' } }, /^tool_calls/, 8],
    ['a negative number of sources', { id: 9, checks: [], sources: -1 }, /^sources/, 9],
    [
      'a row that is not an answer',
      { id: 11, checks: ['json'], name: 'gen', completion: 'garbage' },
      /^text: is missing; an answer can be read from .* a message or response is a text, .*\{choices\}/,
      11,
    ],
    [
      'a row of Langfuse',
      { id: 12, checks: ['json'], name: 'chat', input: { messages: [] }, output: { role: 'assistant', content: '{}' } },
      /^output: cannot be read: .*its keys are id, name, output; known are a text, /,
      12,
    ],
    [
      'a response of no known shape',
      { id: 13, checks: ['json'], response: { name: 'gen', completion: 'garbage' } },
      /^response: cannot be read: .*known are/,
      13,
    ],
    ['no checks, and no contract', { id: 10, text: 'x' }, /^the line has no checks; choose what to check with --check/, 10],
    ['an id too deep to write', `{"id":${'['.repeat(20_000)}${']'.repeat(20_000)},"checks":[],"text":5}`, /./, null],
  ]
  test.each(bad)('%s', async (_, line, message, id) => {
    const expected: unknown = typeof message === 'string' ? message : expect.stringMatching(message)
    const good = { id: 'good', checks: [], text: '' }
    const { code, results } = await lines([good, line, good])
    expect(code).toBe(1)
    expect(results.map((result) => result.id)).toEqual(['good', id, 'good'])
    expect(results[1]).toEqual({ id, line: 2, error: { message: expected } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
  it('names the file where there are several', async () => {
    const files = { 'a.jsonl': '{"checks":[],"text":""}\n', 'b.jsonl': '\noops\n' }
    const { stdout } = await runCli(['check', '--jsonl', 'a.jsonl', 'b.jsonl'], { files })
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toMatchObject({ id: null, file: 'b.jsonl', line: 2 })
  })
  it('refuses a line that is too long, and goes on', async () => {
    async function* source(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"id":1,"checks":[],"text":"')
      for (let part = 0; part < 65; part++) yield Buffer.alloc(1024 * 1024, 97)
      yield Buffer.from('"}\n{"id":2,"checks":[],"text":""}\n')
    }
    const { code, results } = await lines([], [], { stdin: Readable.from(source()) })
    expect(code).toBe(1)
    expect(results).toEqual([
      { id: null, line: 1, error: { message: 'the line is longer than 67108864 bytes' } },
      { id: 2, status: 'valid', issues: [], repairs: [] },
    ])
  })
})

describe('streaming', () => {
  it('keeps the order though lines take different times', async () => {
    const cwd = await folderWith({ 'x.ts': '' })
    const text = '---\nadr_id: 1\nfiles:\n  modify: [x.ts, gone.ts]\n---\n'
    const input = Array.from({ length: 200 }, (_, id) =>
      id % 3 === 0 ? { id, checks: [{ file_existence: {} }], text } : { id, checks: [marker], text: 'x' },
    )
    const { results } = await lines(input, [], { cwd })
    expect(results.map(({ id }) => id)).toEqual(input.map(({ id }) => id))
  })
  it('answers a line before the next one comes', async () => {
    const written: string[] = []
    const stdin = new Readable({ read() {} })
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (chunk.length > 0) written.push(chunk.toString())
        stdin.push(written.length < 3 ? `{"id":${written.length},"checks":[],"text":""}\n` : null)
        done()
      },
    })
    stdin.push('{"id":0,"checks":[],"text":""}\n')
    expect((await runCli(['check', '--jsonl', '-'], { stdin, stdout })).code).toBe(0)
    expect(written.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([0, 1, 2])
  })
  it('ends without a word when nobody reads any more, though input still waits', async () => {
    const stdin = new Readable({ read() {} })
    stdin.push('{"id":0,"checks":[],"text":""}\n')
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })) })
    expect(await runCli(['check', '--jsonl', '-'], { stdin, stdout })).toMatchObject({ code: 141, stderr: '' })
    expect(stdin.destroyed).toBe(true)
  })
  it('ends on Ctrl-C', async () => {
    const stdin = new Readable({ read() {} })
    const controller = new AbortController()
    setTimeout(() => controller.abort('SIGINT'), 20)
    expect((await runCli(['check', '--jsonl', '-'], { stdin, signal: controller.signal })).code).toBe(130)
  })
})

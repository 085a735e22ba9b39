import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Answer } from '../../answer/answer.ts'
import { readToolCalls } from '../../answer/tool-calls.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import type { Report } from '../../engine/check/report.ts'
import { settle } from '../../engine/repair/settle.ts'
import { type Example, localeFaults } from '../../testing/locale-faults.ts'
import { toolCalls } from './index.ts'

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', minLength: 2 },
          days: { type: 'integer' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
          at: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
        },
        required: ['city'],
      },
    },
  },
  { name: 'get_ip_config', parameters: [] },
]

interface Given {
  readonly options?: Parameters<typeof toolCalls>[0] | undefined
  readonly tools?: unknown
  readonly text?: string
  readonly finishReason?: string
  readonly locale?: 'en' | 'de'
}

async function judge(calls: unknown, given: Given = {}): Promise<Report> {
  const parts = { toolCalls: readToolCalls(calls), ...(given.finishReason === undefined ? {} : { finishReason: given.finishReason }) }
  const rules = contract({ checks: [toolCalls(given.options ?? {})], locale: given.locale ?? 'en' })
  return check(rules, new Answer(given.text ?? '', parts), { context: 'tools' in given ? { tools: given.tools } : { tools } })
}

const weather = (given: unknown): unknown => [{ name: 'get_weather', arguments: given }]
const said = ({ issues }: Report): string[] => issues.map(({ code, severity, path }) => `${severity} ${code} ${path?.join('.') ?? ''}`)
const where = 'tool_calls.0.arguments'

describe('tool_calls', () => {
  test.each<[string, unknown, string[]]>([
    ['right', { city: 'Paris', days: 1, unit: 'celsius', at: { lat: 1 } }, []],
    ['1.0 for an integer', '{"city": "Paris", "days": 1.0}', []],
    ['a number too large to be exact', '{"city": "Paris", "days": 12345678901234567890}', []],
    ['absent', undefined, [`error MISSING_ARGUMENT ${where}.city`]],
    ['null', null, [`error MISSING_ARGUMENT ${where}.city`]],
    ['an empty text', '', [`error MISSING_ARGUMENT ${where}.city`]],
    ['the text null', 'null', [`error ARGUMENTS_NOT_OBJECT ${where}`]],
    ['a list', '["Paris"]', [`error ARGUMENTS_NOT_OBJECT ${where}`]],
    ['a number', '7', [`error ARGUMENTS_NOT_OBJECT ${where}`]],
    ['an object in quotes', '"{\\"city\\": \\"Paris\\"}"', [`error ARGUMENTS_NOT_OBJECT ${where}`]],
    ['a number out of range', '{"city": "Paris", "days": [-1e400]}', [`error INVALID_ARGUMENTS_JSON ${where}.days.0`]],
    ['single quotes', "{'city': 'Paris'}", [`error INVALID_ARGUMENTS_JSON ${where}`]],
    ['a missing bracket, without a finish reason', '{"city": "Paris"', [`error TRUNCATED ${where}`]],
    ['a number at the end, without a finish reason', '{"city": "Paris", "days": 1', [`error TRUNCATED ${where}`]],
    ['cut inside a text', '{"city": "Par', [`error TRUNCATED ${where}`]],
    ['cut behind a comma', '{"city": "Paris",', [`error TRUNCATED ${where}`]],
    ['cut inside broken JSON', "{'city': 'Par", [`error TRUNCATED ${where}`]],
    ['1.5 for an integer', { city: 'Paris', days: 1.5 }, [`warning WRONG_TYPE ${where}.days`]],
    ['true for a number', { city: 'Paris', at: { lat: true } }, [`warning WRONG_TYPE ${where}.at.lat`]],
    ['no member', { city: 'Paris', unit: 'Celcius' }, [`error INVALID_ENUM ${where}.unit`]],
    ['a nested argument is missing', { city: 'Paris', at: {} }, [`error MISSING_ARGUMENT ${where}.at.lat`]],
    [
      'unknown ones',
      { city: 'Paris', dayz: 1, at: { lat: 1, lon: 2 } },
      [`warning UNKNOWN_ARGUMENT ${where}.dayz`, `warning UNKNOWN_ARGUMENT ${where}.at.lon`],
    ],
    ['a key twice', '{"city": "Paris", "city": "Ulm"}', [`error DUPLICATE_KEY ${where}.city`]],
    ['a key twice, once in an escape', '{"city": "Paris", "c\\u0069ty": "Ulm"}', [`error DUPLICATE_KEY ${where}.city`]],
    ['a key twice, deep inside', '{"city": "Paris", "at": {"lat": 1, "lat": 2}}', [`error DUPLICATE_KEY ${where}.at.lat`]],
    ['a key twice with the same value', '{"city": "Paris", "city": "Paris", "at": {"lat": 1, "lat": 1.0}}', []],
    ['a key twice in broken JSON', "{'city': 'Paris', 'city': 'Ulm'}", [`error INVALID_ARGUMENTS_JSON ${where}`]],
    ['too short', { city: 'P' }, [`error INVALID_ARGUMENT ${where}.city`]],
  ])('arguments: %s', async (_name, given, expected) => {
    expect(said(await judge(weather(given))).sort()).toEqual([...expected].sort())
    // What is a warning is then an error, and only that.
    const strict = await judge(weather(given), { options: { strict: true } })
    expect(said(strict).sort()).toEqual(expected.map((one) => one.replace('warning', 'error')).sort())
  })

  test('an unknown tool makes the answer invalid, and is told with the tools that exist', async () => {
    const { issues } = await judge([{ name: 'get_wether', arguments: '{"x": 1}' }])
    expect(issues).toEqual([
      {
        code: 'UNKNOWN_TOOL',
        severity: 'error',
        validator: 'tool_calls',
        message: 'Call only the tools that are offered (get_ip_config, get_weather); get_wether is none of them.',
        hint: 'Did you mean get_weather?',
        suggestion: 'get_weather',
        path: ['tool_calls', 0, 'name'],
      },
    ])
    expect((await judge([{ name: 'get_wether' }], { locale: 'de' })).issues[0]?.message).toMatch(/^Rufe nur/)
  })

  test('a format is a rule where the contract is strict', async () => {
    const dated = [{ name: 'book', parameters: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } } }]
    const call = [{ name: 'book', arguments: '{"at": "2026-11-19T10:00:00"}' }]
    expect(said(await judge(call, { tools: dated }))).toEqual([])
    expect(said(await judge(call, { tools: dated, options: { strict: true } }))).toEqual([`error INVALID_ARGUMENT ${where}.at`])
  })

  test('the place of a mistake in JSON is told', async () => {
    const { issues } = await judge(weather('{\n  "city": Paris\n}'))
    expect(issues[0]?.message).toBe('Write the arguments of get_weather as valid JSON; at line 2, column 11 they have "P".')
    const open = await judge(weather('{"city": "x"'), { finishReason: 'tool_calls' })
    expect(said(open)).toEqual([`error INVALID_ARGUMENTS_JSON ${where}`])
    expect(open.issues[0]?.message).toMatch(/at line 1, column 13 they end too early/)
  })

  test('hints name the closest member and argument, or what there is', async () => {
    const { issues } = await judge(weather({ citty: 'x', unit: 'CELSIUS', zzz: 1 }))
    expect(issues.map(({ code, hint, suggestion }) => [code, hint, suggestion])).toEqual([
      ['MISSING_ARGUMENT', undefined, undefined],
      ['UNKNOWN_ARGUMENT', 'Did you mean city?', 'city'],
      ['INVALID_ENUM', 'Did you mean celsius?', 'celsius'],
      ['UNKNOWN_ARGUMENT', 'Its arguments are city, days, unit, at', undefined],
    ])
    const aliased = await judge(weather({ city: 'Paris', town: 'y', temp: 1 }), { options: { aliases: { town: 'city', temp: 'unit' } } })
    expect(aliased.issues.map(({ suggestion }) => suggestion)).toEqual([undefined, 'unit'])
  })

  test('aliases, and what an empty record of them means', async () => {
    const suggestion = async (name: string, options: Given['options']): Promise<unknown> =>
      (await judge([{ name }], { options })).issues[0]?.suggestion
    expect(await suggestion('weather_report', { aliases: { weather_report: 'get_weather' } })).toBe('get_weather')
    expect(await suggestion('GET-IP-CONFIG', {})).toBe('get_ip_config')
    expect(await suggestion('GET-IP-CONFIG', { aliases: {} })).toBeUndefined()
    expect(await suggestion('getweather', { cutoff: 1, aliases: {} })).toBeUndefined()
  })

  test('neither text nor call', async () => {
    expect(said(await judge([]))).toEqual(['warning EMPTY_CONTENT '])
    expect(said(await judge([], { text: ' \n', options: { strict: true } }))).toEqual(['error EMPTY_CONTENT '])
    expect(said(await judge([], { text: '<think>Hm</think>' }))).toEqual(['warning EMPTY_CONTENT '])
    expect(said(await judge([], { text: 'Hello' }))).toEqual([])
    expect(said(await judge([{ name: 'get_ip_config' }]))).toEqual([])
  })

  test('a cut-off answer, and a call that it went through', async () => {
    const calls = [{ name: 'get_ip_config', arguments: '{' }, ...(weather('{"city": "Paris"') as unknown[])]
    const issues = said(await judge(calls, { finishReason: 'length' }))
    expect(issues).toEqual(['error TRUNCATED ', `error TRUNCATED ${where}`, 'error TRUNCATED tool_calls.1.arguments'])
  })

  test.each([undefined, 'x', 7])('calls cannot be judged when the tools are %j', async (given) => {
    const report = await judge(weather({}), { tools: given })
    expect(report.unchecked).toMatchObject([{ validator: 'tool_calls', cause: 'unavailable' }])
    expect((await judge([], { tools: given, text: 'Hello' })).unchecked).toEqual([])
  })

  test.each([7, 'whatever', { type: 'web_search_preview' }])('calls cannot be judged when the choice is %j', async (toolChoice) => {
    const context = { tools, toolChoice }
    const rules = contract({ checks: ['tool_calls'] })
    const answer = new Answer('', { toolCalls: [{ name: 'get_weather', arguments: '{"city": "Paris"}' }] })
    expect((await check(rules, answer, { context })).unchecked).toMatchObject([{ validator: 'tool_calls', cause: 'unavailable' }])
    expect(said(await check(rules, '{"name": "get_weather", "arguments": {"city": "Paris"}}', { context }))).toEqual([])
  })

  test.each<[string, Record<string, unknown>, boolean]>([
    ['null', { tools: null }, false],
    ['an empty list', { tools: [] }, false],
    ['an empty record', { tools: {} }, false],
    ['a choice of none', { tools, toolChoice: 'none' }, false],
    ["Anthropic's choice of none", { tools, toolChoice: { type: 'none' } }, false],
    ['a choice of none among unknown tools', { toolChoice: 'none' }, false],
    ['a choice of another tool', { tools, toolChoice: { type: 'function', function: { name: 'get_ip_config' } } }, false],
    ["Responses' choice of another tool", { tools, toolChoice: { type: 'function', name: 'get_ip_config' } }, false],
    ["Anthropic's choice of another tool", { tools, toolChoice: { type: 'tool', name: 'get_ip_config' } }, false],
    ["the AI SDK's choice of another tool", { tools, toolChoice: { type: 'tool', toolName: 'get_ip_config' } }, false],
    ['a choice of some', { tools, toolChoice: { type: 'allowed_tools', allowed_tools: { tools: [{ name: 'get_ip_config' }] } } }, false],
    ["Responses' choice of none of some", { tools, toolChoice: { type: 'allowed_tools', tools: [] } }, false],
    ['a choice of it among some', { tools, toolChoice: { type: 'allowed_tools', tools: [{ name: 'x' }, { name: 'get_weather' }] } }, true],
    ['a choice of it', { tools, toolChoice: { type: 'function', function: { name: 'get_weather' } } }, true],
    ['auto', { tools, toolChoice: 'auto' }, true],
    ['any', { tools, toolChoice: { type: 'any' } }, true],
  ])('what may be called: %s', async (_name, context, may) => {
    const rules = contract({ checks: ['tool_calls'] })
    const answer = new Answer('', { toolCalls: [{ name: 'get_weather', arguments: '{"city": "Paris"}' }] })
    expect(said(await check(rules, answer, { context }))).toEqual(may ? [] : ['error UNKNOWN_TOOL tool_calls.0.name'])
    // Text becomes a call only where the call could be made.
    const text = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    expect(said(await check(rules, text, { context }))).toEqual(may ? ['error TOOL_CALL_IN_TEXT '] : [])
  })

  test('a key with two values is no call, however it arrives', async () => {
    const given = '{"city": "Paris", "city": "Ulm"}'
    for (const allow of [undefined, ['lossless', 'lossy', 'guess'] as const]) {
      const rules = contract({ checks: ['tool_calls'], ...(allow ? { allow: [...allow] } : {}) })
      for (const answer of [
        new Answer('', { toolCalls: [{ name: 'get_weather', arguments: given }] }),
        new Answer('', { toolCalls: [{ name: 'get_weather', arguments: "{'city': 'Paris', 'city': 'Ulm',}" }] }),
        new Answer(`<tool_call>{"name": "get_weather", "arguments": ${given}}</tool_call>`),
      ])
        expect(await settle(rules, answer, { context: { tools } })).toMatchObject({ status: 'unresolved', repairs: [] })
    }
    const [german] = (await judge(weather(given), { locale: 'de' })).issues
    expect(german?.message).toBe('Gib get_weather das Argument city einmal an; es kommt zweimal vor, mit verschiedenen Werten.')
  })

  test('the message says that nothing was offered', async () => {
    const [none] = (await judge(weather({ city: 'Ulm' }), { tools: null })).issues
    expect(none?.message).toBe('Do not call tools: none are offered, so get_weather is unknown.')
  })

  test.each([
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    'get_weather\n',
    'get_weather\u200b',
    'get_weаther',
    'x'.repeat(10_000),
    '\ud800',
  ])('the name %j is unknown, and its message one short line', async (name) => {
    const [issue] = (await judge([{ name }])).issues
    expect(issue?.code).toBe('UNKNOWN_TOOL')
    expect(issue?.message).toMatch(/^[^\n\u200b]{1,400}$/)
  })

  test.each([
    [`lookup_${'sk-'}proj-Ab3dE6gH9jK2mN5pQ8sT`, false],
    [`sk_${'live_'}Ab3dE6gH9jK2mN5p`, false],
    [`tool.ghp_${'Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`, false],
    ['f3a9c0d1e2b4a5968778695a4b3c2d1e', false],
    ['mail jane.doe@acme.com', false],
    ['jane.doe@acme.com', false],
    ['password: hunter22', false],
    ['4111111111111111', false],
    [`get-${'wJa1rXUtnF3MI2K7'}bPx9Q4zR`, false],
    [`lookup_s\u200bk-${'proj-Ab3dE6gH9jK2mN5pQ8sT'}`, false],
    ['get_wether', true],
    ['Get-IP-Config2', true],
    ['mcp.get_weather_v2', true],
    ['wetter_für_köln', true],
    [' get_weather ', true],
  ])('the name %j is repeated only if it looks like one and holds no secret: %s', async (name, isShown) => {
    for (const locale of ['en', 'de'] as const) {
      const [issue] = (await judge([{ name }], { locale })).issues
      expect(issue?.message.includes(name)).toBe(isShown)
      expect(issue?.message.includes('[hidden]')).toBe(!isShown)
    }
  })

  test('calls that cannot be recognised are reported', async () => {
    expect(said(await judge([null, { function: null }, 7]))).toEqual([0, 1, 2].map((at) => `error UNKNOWN_TOOL tool_calls.${at}.name`))
  })

  test('keys of the prototype', async () => {
    const given = '{"city": "Paris", "__proto__": {"polluted": true}, "constructor": 1}'
    expect(said(await judge(weather(given)))).toEqual([
      `warning UNKNOWN_ARGUMENT ${where}.__proto__`,
      `warning UNKNOWN_ARGUMENT ${where}.constructor`,
    ])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('a value that cannot become text is judged like any other', async () => {
    const given = '{"city": "Paris", "unit": {"toString": 1, "valueOf": 2}, "at": {}}'
    const report = await judge(weather(given))
    expect([said(report), report.unchecked]).toEqual([
      [`warning WRONG_TYPE ${where}.unit`, `error INVALID_ENUM ${where}.unit`, `error MISSING_ARGUMENT ${where}.at.lat`],
      [],
    ])
  })

  test('floods are cut short, and hide no error', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]))
    const report = await judge(weather({ ...many, unit: 'x', city: 'Paris' }))
    expect(report.issues.length).toBe(51)
    expect(report.issues.at(-1)?.code).toBe('INVALID_ENUM')
    expect((await judge(Array.from({ length: 1000 }, (_, at) => ({ name: `tool${at}` })))).issues.length).toBe(50)
    expect(said(await judge(Array.from({ length: 1001 }, (_, at) => ({ name: `tool${at}` }))))).toEqual(['error TOO_COMPLEX '])
  })

  test('megabytes, deep nesting and a thousand tools', async () => {
    const thousand = Array.from({ length: 1000 }, (_, at) => ({ name: `tool_number_${at}`, parameters: { type: 'object' } }))
    const big = `{"x": "${'y'.repeat(5_000_000)}"}`
    expect(said(await judge([{ name: 'tool_number_7', arguments: big }], { tools: thousand }))).toEqual([])
    expect(said(await judge([{ name: 'tool_number_7', arguments: big.slice(0, -2) }], { tools: thousand }))).toEqual([
      `error TRUNCATED ${where}`,
    ])
    const nested = `{"x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(said(await judge([{ name: 'tool_number_7', arguments: nested }], { tools: thousand }))).toEqual(['error TOO_COMPLEX '])
    const [unknown] = (await judge([{ name: 'tool_numbr_999' }], { tools: thousand })).issues
    expect(unknown?.suggestion).toBe('tool_number_999')
    expect(unknown?.message).toContain('and 990 more')
  })

  test('a schema that cannot be used is no verdict, but takes back none', async () => {
    const remote = [
      { name: 'f', parameters: { properties: { x: { $ref: 'http://localhost:1/x.json' }, y: { type: 'string', enum: ['a'] } } } },
    ]
    expect((await judge([{ name: 'f', arguments: { x: 1 } }], { tools: remote })).unchecked).toMatchObject([{ cause: 'unavailable' }])
    const report = await judge([{ name: 'f', arguments: { x: 1, y: 'b' } }], { tools: remote })
    expect([said(report), report.unchecked]).toEqual([[`error INVALID_ENUM ${where}.y`], []])
    const slip = [{ name: 'f', parameters: { type: 'object', properties: { x: { type: 'dict', minLength: 2 } } } }]
    expect(said(await judge([{ name: 'f', arguments: { x: 1, z: 2 } }], { tools: slip }))).toEqual([
      `warning WRONG_TYPE ${where}.x`,
      `warning UNKNOWN_ARGUMENT ${where}.z`,
    ])
  })
})

test('says in German what a schema or a library finds wrong with an argument', async () => {
  const say = async (parameters: unknown, given: object) => {
    const { issues } = await judge([{ name: 'ping', arguments: given }], { tools: [{ name: 'ping', parameters }], locale: 'de' })
    return issues.map(({ code, message }) => `${code} ${message}`)
  }
  const schema = { type: 'object', properties: { port: { maximum: 9 } }, dependentRequired: { port: ['host'] } }
  expect(await say(schema, { port: 80 })).toEqual([
    'MISSING_ARGUMENT Korrigiere die Argumente von ping: Ergänze im Wert die Eigenschaft host; mit port ist sie nötig.',
    'INVALID_ARGUMENT Korrigiere die Argumente von ping: Setze port auf höchstens 9; es ist 80.',
  ])
  expect(await say(refined, { host: 'db' })).toEqual([
    'INVALID_ARGUMENT Korrigiere die Argumente von ping: Korrigiere host; das Schema meldet "This is no host".',
  ])
})

const refined = z.object({ host: z.string().refine((host) => host !== 'db', 'This is no host') })

test('says everything in both languages', async () => {
  const parameters = { type: 'object', required: ['host'], additionalProperties: false }
  const properties = { host: { type: 'string', minLength: 3 }, kind: { enum: ['a', 'b'] }, count: { type: 'integer' } }
  const tools = [{ type: 'function', function: { name: 'ping', parameters: { ...parameters, properties } } }]
  const calls = (...given: (string | [name: string, text: string])[]): Example => ({
    parts: {
      toolCalls: given.map((one) => (typeof one === 'string' ? { name: 'ping', arguments: one } : { name: one[0], arguments: one[1] })),
    },
    context: { tools, parallelToolCalls: false },
  })
  expect(
    await localeFaults('tool_calls', [
      calls(['nmap', '{}']),
      calls('{"host":"abc"}', '{"host":"abc"}'),
      calls('{bad}'),
      calls('[1]'),
      calls('{"host":"abc","host":"abd"}'),
      calls('{}'),
      calls('{"host":"abc","kind":"c"}'),
      calls('{"host":"abc","count":"x"}'),
      calls('{"host":"abc","hots":"x"}'),
      calls('{"host":"ab"}'),
      { ...calls('{"host":"db"}'), context: { tools: [{ name: 'ping', parameters: refined }] }, said: 'This is no host' },
      { ...calls('{"host":"a'), parts: { toolCalls: [{ name: 'ping', arguments: '{"host":"a' }], finishReason: 'length' } },
      { text: '<tool_call>{"name":"ping","arguments":{"host":"abc"}}</tool_call>', context: { tools } },
      { text: '', context: { tools } },
    ]),
  ).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractOptions, contract } from '../../../catalogue.ts'
import { settle } from '../../../engine/repair/settle.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'
import { type dialectNames, dialects } from './table.ts'

const parameters = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    exact: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { $ref: '#/$defs/place' },
    unit: { anyOf: [{ enum: ['c', 'f'] }, { type: 'null' }] },
  },
  $defs: { place: { type: 'object', properties: { lat: { type: 'number' }, name: { type: 'string' } } } },
}
const tools = [
  { name: 'get_weather', parameters },
  { name: 'now', parameters: { type: 'object', properties: {} } },
]
const context = { tools }
const guessing: ContractOptions = { allow: ['lossless', 'lossy', 'guess'] }
const fence = '```'

/** The calls that a text becomes, the codes of what is wrong with it, or `text`. */
async function fate(text: string, options: Record<string, unknown> = {}, input: ContractOptions = guessing): Promise<string> {
  const { status, toolCalls, issues } = await settle(contract({ checks: [{ tool_calls: options }], ...input }), text, { context })
  if (status === 'valid') return 'text'
  if (status !== 'repaired') return issues.map(({ code }) => code).join()
  return toolCalls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(JSON.parse(given))}`).join('; ')
}

const paris = 'get_weather {"city":"Paris"}'
type Name = (typeof dialectNames)[number]
const examples = dialects.map(({ name, example }): [Name, string] => [name, example])

describe('every dialect of the table', () => {
  test.each(examples)('%s is read, alone and below words, and only the call is taken out', async (_name, example) => {
    expect(await fate(example)).toBe(paris)
    const { text, toolCalls } = await settle(contract({ checks: ['tool_calls'], ...guessing }), `Let me see.\n${example}`, { context })
    expect([text, toolCalls.length]).toEqual(['Let me see.\n', 1])
  })

  test.each(examples)('%s, named by the contract, is not a guess', async (name, example) => {
    const settled = (named: 'any' | Name[]) => settle(contract({ checks: [{ tool_calls: { dialects: named } }] }), example, { context })
    for (const named of [[name], 'any' as const]) {
      const { status, repairs } = await settled(named)
      expect([status, ...new Set(repairs.map((one) => one.class))]).toEqual(['repaired', 'lossless'])
    }
    expect(await settled([])).toMatchObject({ status: 'unresolved', issues: [{ code: 'TOOL_CALL_IN_TEXT' }] })
    expect(await settled(['json'])).toMatchObject({ status: 'unresolved' })
  })

  test.each(examples)('%s, shown as code or quoted, is no call', async (_name, example) => {
    const line = example.replaceAll('\n', ' ')
    for (const text of [
      `It is written so:\n\n${fence}\n${example}\n${fence}\n`,
      `It is written \`\`${line}\`\` there.`,
      `> ${line}`,
      `<think>I could write ${line} now.</think>No.`,
      `I could write ${line} now.</think>No.`,
    ])
      expect(await fate(text, { dialects: 'any' }), text).toBe('text')
  })

  test.each(examples)('%s, cut off anywhere, is never completed', async (_name, example) => {
    for (let end = 1; end < example.length; end++) {
      const found = await fate(example.slice(0, end), { dialects: 'any' })
      // The closing mark is often the stop word of the model.
      if (found !== paris) expect(found, example.slice(0, end)).toMatch(/^(?:text|TRUNCATED|TOOL_CALL_IN_TEXT)$/)
      else expect(example.slice(0, end)).toContain('Paris')
    }
  })

  test.each(examples)('%s of an unknown tool is reported', async (name, example) => {
    // A tag that no tool has as its name is a tag.
    const expected = name === 'tool_tags' ? 'text' : 'TOOL_CALL_IN_TEXT'
    expect(await fate(example.replaceAll('get_weather', 'rm_all'), { dialects: 'any' })).toBe(expected)
  })

  test.each(examples)('%s gives the same in a stream, however it is cut', async (name, example) => {
    for (const text of [example, `Let me see.\n${example}`, `Hm.\n</think>\n\n${example}`, `${example}\nThat is all.`])
      for (const dialect of [[], [name]] satisfies Name[][])
        await assertStreamable(contract({ checks: [{ tool_calls: { dialects: dialect } }], ...guessing }), text, [1, 7, [3, 1, 11]], {
          context,
        })
  })
})

describe('arguments that are written as text have the types of the schema', () => {
  const call = (name: string, value: string): [string, string][] => [
    ['functions', `<function=get_weather>\n<parameter=${name}>\n${value}\n</parameter>\n</function>`],
    ['invoke', `<function_calls><invoke name="get_weather"><parameter name="${name}">${value}</parameter></invoke></function_calls>`],
    ['pairs', `<tool_call>get_weather\n<arg_key>${name}</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`],
  ]
  test.each<[string, string, unknown]>([
    ['days', '3', 3],
    ['days', ' 3 ', 3],
    ['city', '3', '3'],
    ['city', 'null', 'null'],
    ['city', '{"a": 1}', '{"a": 1}'],
    ['city', '"Paris"', '"Paris"'],
    ['city', 'a < b && c > d "e" \\', 'a < b && c > d "e" \\'],
    ['city', '東京 \u{1f600}', '東京 \u{1f600}'],
    ['exact', 'true', true],
    ['exact', 'False', false],
    ['tags', '["a", "b"]', ['a', 'b']],
    ['tags', "['a', 'b']", ['a', 'b']],
    ['tags', '[\\"a\\"]', ['a']],
    ['place', '{"lat": 1.5}', { lat: 1.5 }],
    ['unit', 'null', null],
    ['unit', 'c', 'c'],
  ])('%s: %j', async (name, value, expected) => {
    for (const [form, text] of call(name, value))
      expect([form, await fate(text)]).toEqual([form, `get_weather ${JSON.stringify({ [name]: expected })}`])
  })

  test('nested marks make objects and lists', async () => {
    const mark = ']<]minimax[>['
    const tags = ['<tool_call>', '<invoke name="get_weather">', '<tags>', '<item>a', '</item>', '<item>2', '</item>', '</tags>']
    const more = ['<place>', '<lat>1.5', '</lat>', '<name>5', '</name>', '</place>', '</invoke>', '</tool_call>']
    const text = [...tags, ...more].map((tag) => mark + tag).join('')
    expect(await fate(text)).toBe('get_weather {"tags":["a","2"],"place":{"lat":1.5,"name":"5"}}')
  })
})

describe('what marks hold', () => {
  test.each([
    ['several calls in one block', '<|tool_call_start|>[get_weather(city="Paris"), now()]<|tool_call_end|>', `${paris}; now {}`],
    [
      'several blocks',
      '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|> and <|tool_call>call:now{}<tool_call|>',
      `${paris}; now {}`,
    ],
    ['several without a closing mark', '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}[TOOL_CALLS]now[ARGS]{}', `${paris}; now {}`],
    [
      'several objects',
      '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "now", "parameters": {}}',
      `${paris}; now {}`,
    ],
    ['JSON that is almost right', "<|tool_call|>[{'name': 'get_weather', \"arguments\": {city: 'Paris',}}]", paris],
    [
      'a closing mark in a string',
      '<tool_call>{"name": "get_weather", "arguments": {"city": "</tool_call>"}}</tool_call>',
      'get_weather {"city":"</tool_call>"}',
    ],
    [
      'the end of reasoning in a string',
      '<tool_call>{"name": "get_weather", "arguments": {"city": "</think>"}}</tool_call>',
      'get_weather {"city":"</think>"}',
    ],
    [
      'marks of another dialect in a string',
      '<|function_call|>{"name": "get_weather", "arguments": {"city": "<tool_call>"}}',
      'get_weather {"city":"<tool_call>"}',
    ],
    ['a text behind tokens of a model', '<longcat_tool_call>{"name": "now", "arguments": {}}</longcat_tool_call>\nHere it is.', 'now {}'],
    [
      'a message to the user before the call',
      '<|start|>assistant to=user<|message|>Let me see.<|eom|><|start|>assistant to=functions.now<|message|>{}<|call|>',
      'now {}',
    ],
    [
      'a parameter without its closing tag',
      '<function=get_weather>\n<parameter=city>\nParis\n<parameter=days>\n2\n</parameter>\n</function>',
      'get_weather {"city":"Paris","days":2}',
    ],
    ['a name in another spelling', '<tool_call>{"name": "Get-Weather", "arguments": {"city": "Paris"}}</tool_call>', paris],
    ['nothing', '<|tool_call_start|>[]<|tool_call_end|>', 'TOOL_CALL_IN_TEXT'],
    ['something else', '<|tool_call_start|>The weather.<|tool_call_end|>', 'TOOL_CALL_IN_TEXT'],
    [
      'one argument twice',
      '<function=get_weather><parameter=city>a</parameter><parameter=city>b</parameter></function>',
      'TOOL_CALL_IN_TEXT',
    ],
    ['a call and something else', '<tool_call>{"name": "now", "arguments": {}} hello</tool_call>', 'TOOL_CALL_IN_TEXT'],
    ['a text behind plain tags', '<tool_call>{"name": "now", "arguments": {}}</tool_call>\nThat is how.', 'TOOL_CALL_IN_TEXT'],
    ['the start of JSON', '<|tool_call_start|>[{"name": "now", "argum', 'TRUNCATED'],
    [
      'a message that is not for a tool',
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.',
      'text',
    ],
    [
      'a call that a message to the user shows',
      '<|channel|>final<|message|>Write <|channel|>commentary to=functions.now<|message|>{}<|call|>',
      'text',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await fate(text)).toBe(expected)
  })
})

describe('calls below words', () => {
  test.each([
    ['a paragraph', 'Let me look that up.\n\nget_weather(city="Paris")', paris],
    ['the next line', 'I will call the tool:\n[get_weather(city="Paris")]', paris],
    ['a fence', `I'll help with that.\n${fence}json\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n${fence}`, paris],
    ['several paragraphs', 'Both, then.\n\nget_weather(city="Paris")\n\nnow()\n', `${paris}; now {}`],
    ['a tool as key', 'I call it now.\n\n{"get_weather": {"city": "Paris"}}', paris],
    [
      'several objects',
      'Both, then.\n\n{"name": "get_weather", "parameters": {"city": "Paris"}}\n{"name": "now", "parameters": {}}',
      `${paris}; now {}`,
    ],
    ['an example', 'For example:\n\nget_weather(city="Paris")', 'text'],
    ['a condition', 'If you need the weather, call:\n\nget_weather(city="Paris")', 'text'],
    ['a question', 'Shall I do that?\n\nget_weather(city="Paris")', 'text'],
    ['words behind it', 'Let me see.\n\nget_weather(city="Paris")\n\nDone.', paris],
    ['words between them', 'First the weather.\n\n[get_weather(city="Paris")]\n\nThen the time.\n\n[now()]', `${paris}; now {}`],
    ['a question behind it', 'Let me see.\n\nget_weather(city="Paris")\n\nShall I?', 'text'],
    ['the same line', 'Let me see: get_weather(city="Paris")', 'text'],
    ['amid a sentence', 'I call\nget_weather(city="Paris")', 'text'],
    ['a list', '- look:\n\n  get_weather(city="Paris")', 'text'],
    ['a block quote', 'He said:\n\n> get_weather(city="Paris")', 'text'],
    ['a fence in a fence', `Look.\n\n~~~md\n${fence}\nget_weather(city="Paris")\n${fence}`, 'text'],
    ['an open fence', `Look.\n\n${fence}\nget_weather(city="Paris")\n`, 'text'],
    ['a call that is cut off', 'Let me see.\n\nget_weather(city="Par', 'text'],
    ['a comma at the end', 'Let me see.\n\nget_weather(city="Paris"),', 'text'],
  ])('%s', async (_name, text, expected) => {
    expect(await fate(text)).toBe(expected)
    await assertStreamable(contract({ checks: ['tool_calls'], ...guessing }), text, [1, 5, [2, 9]], { context })
  })
})

test('the reasoning before an end that has no start stays text', async () => {
  const { text } = await settle(contract({ checks: ['tool_calls'], ...guessing }), `Hm, <tool_call>.</think>\n${dialects[0].example}`, {
    context,
  })
  expect(text).toBe('Hm, <tool_call>.</think>\n')
})

test('tokens around messages are taken out with the call', async () => {
  const given = `<|open|>response<|sep|>Let me see.<|close|>response<|sep|>${dialects.find(({ name }) => name === 'kimi_k3')?.example}<|close|>message<|sep|>`
  const { text, toolCalls } = await settle(contract({ checks: ['tool_calls'], ...guessing }), given, { context })
  expect([text, toolCalls.length]).toEqual(['Let me see.', 1])
})

test.each([['hermees', /Did you mean "hermes"|hermes/]])('an unknown dialect is refused: %s', (name, message) => {
  expect(() => contract({ checks: [{ tool_calls: { dialects: [name as 'hermes'] } }] })).toThrow(message)
})

const marks = [
  ...new Set(
    dialects.flatMap(
      ({ opens, closes, between = [] }: { opens: readonly string[]; closes: readonly string[]; between?: readonly string[] }) => [
        ...opens,
        ...closes,
        ...between,
      ],
    ),
  ),
]

test('any mixture of marks gives the same in a stream', async () => {
  const piece = fc.constantFrom(
    ...marks,
    ...dialects.map(({ example }) => example),
    ...[
      '</think>',
      '<think>',
      '[/THINK]',
      '\n',
      '\n\n',
      ' ',
      'Let me see.',
      'now',
      'now()',
      '{}',
      '{"name": "now", "arguments": {}}',
      '"',
      '`',
      fence,
      '> ',
    ],
    ...[
      '<|',
      '<',
      '[TOOL',
      'to=',
      '<|eot_id|>',
      ';',
      ',',
      'Action:',
      'Action: now',
      '\nAction Input: ',
      '<get_weather>',
      '<city>',
      '<tool_call id=',
      '"1">',
    ],
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (pieces, sizes, named) =>
        assertStreamable(
          contract({ checks: [{ tool_calls: { dialects: named ? 'any' : [] } }], ...guessing }),
          pieces.join(''),
          [1, sizes],
          { context },
        ),
    ),
    { numRuns: 150 },
  )
})

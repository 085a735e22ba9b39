import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../../answer/answer.ts'
import { readTools } from '../../../answer/tool-shapes/tool-definition.ts'
import { findTextToolCalls } from './find.ts'

const tools =
  readTools([
    { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } } },
    { name: 'ping', parameters: { type: 'object', properties: { host: { type: 'string' } } } },
    { name: 'net.scan', parameters: { type: 'object' } },
    { name: '__proto__' },
    { name: '' },
  ]) ?? []

const found = (text: string): string[] =>
  findTextToolCalls(new Answer(text), tools).found.map(
    ({ calls, span }) =>
      `${calls.map(({ name, arguments: given }) => `${name} ${given}`).join('; ')} @ ${text.slice(span.start, span.end).trim()}`,
  )
const calls = (text: string): string[] =>
  findTextToolCalls(new Answer(text), tools).found.flatMap((one) => one.calls.map(({ name, arguments: given }) => `${name} ${given}`))

const fence = '```'
const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const paris = 'get_weather {"city": "Paris"}'

describe('findTextToolCalls in JSON', () => {
  test.each([
    ['the whole answer', json],
    ['white space around it', `\n\n ${json}\n`],
    ['a fence', `\n${fence}json\n${json}\n${fence}\n`],
    ['a fence without a language', `${fence}\n${json}\n${fence}`],
    ['a list', `[${json}]`],
    [
      'the shape of OpenAI',
      '{"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}}',
    ],
    ['a message', '{"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}'],
    ['the shape of Llama', '{"name": "get_weather", "parameters": {"city": "Paris"}}'],
    ['the shape of Anthropic', '{"type": "tool_use", "name": "get_weather", "input": {"city": "Paris"}}'],
    ['a tag', `Sure.\n<tool_call>\n${json}\n</tool_call>`],
    ['a tag in capitals', `<TOOL_CALL>${json}</TOOL_CALL>`],
    ['a tag closed in small letters', `<TOOL_CALL>${json}</tool_call>`],
    ['a tag closed in capitals, amid words', `Sure. <tool_call>${json}</Tool_Call> ok`],
    ['a tag closed in capitals, in a fence', `${fence}\n<tool_call>${json}</TOOL_CALL>\n${fence}`],
    ['a tag whose closer was the stop word', `Sure. <tool_call>\n${json}\n`],
    ['a tag in a fence', `${fence}\n<tool_call>${json}</tool_call>\n${fence}`],
    ['a fence in a tag', `Sure.\n<tool_call>\n${fence}json\n${json}\n${fence}\n</tool_call> ok`],
    ['a list in a tag', `Hm <tool_calls>[${json}]</tool_calls> and so on`],
    ['after reasoning', `<think>\n${json}\n</think>\n${json}`],
  ])('%s', (_name, text) => {
    expect(calls(text)).toEqual([paris])
  })

  test('the arguments stay as they were written', () => {
    const given = '{"a":12345678901234567890, "b": 1.0, "c": 1e400, "d": "\\u00e9", "__proto__": {"x": 1}}'
    expect(calls(`{"name": "ping", "arguments": ${given}}`)).toEqual([`ping ${given}`])
    expect(calls('{"name": "ping", "arguments": null}')).toEqual(['ping {}'])
  })

  test('several pieces, each with its place', () => {
    const fenced = `${fence}json\n{"name": "ping", "arguments": {}}\n${fence}`
    expect(found(`<tool_call>${json}</tool_call>\n${fenced}\n`)).toEqual([
      `${paris} @ <tool_call>${json}</tool_call>`,
      `ping {} @ ${fenced}`,
    ])
    expect(found(`One: <tool_call>${json}</tool_call>\ntwo: <tool_call>ping(host="x")</tool_call>\n`)).toEqual([
      `${paris} @ <tool_call>${json}</tool_call>`,
      'ping {"host":"x"} @ <tool_call>ping(host="x")</tool_call>',
    ])
    expect(found(`One:\n<tool_call>${json}</tool_call>\nthen\n${fenced}`)).toEqual([
      `${paris} @ <tool_call>${json}</tool_call>`,
      `ping {} @ ${fenced}`,
    ])
  })

  test.each([
    ['another tool', '{"name": "rm", "arguments": {}}'],
    ['another tool in the list', `[${json}, {"name": "rm", "arguments": {}}]`],
    ['something else in the list', `[${json}, 7]`],
    ['no arguments at all', '{"name": "ping"}'],
    ['no name', '{"arguments": {}}'],
    ['an empty name', '{"name": "", "arguments": {}}'],
    ['other JSON', '{"city": "Paris"}'],
    ['broken JSON', '{"name": "ping", "arguments": {}'],
    ['an open fence', `${fence}json\n${json}\n`],
    ['two values', `${json} ${json}`],
    ['JSON in prose', `I would send ${json} next.`],
    ['a fence below words that show it', `It would be:\n\n${fence}json\n${json}\n${fence}\n`],
    ['a fence above words that take it back', `${fence}\n${json}\n${fence}\nI did not call it.`],
    ['a fence in a list', `- look:\n\n  ${fence}json\n  ${json}\n  ${fence}`],
    ['a tag in a fence below words', `Sure.\n${fence}\n<tool_call>${json}</tool_call>\n${fence}`],
    ['only in reasoning', `<think><tool_call>${json}</tool_call></think>Fine.`],
    ['nothing', ''],
  ])('nothing in %s', (_name, text) => {
    expect(found(text)).toEqual([])
  })
})

describe('findTextToolCalls in Python', () => {
  test.each<[string, string[]]>([
    ['ping()', ['ping {}']],
    ['ping(host="x")', ['ping {"host":"x"}']],
    ['[ping(host="x"), get_weather(city=\'Paris\', days=2)]', ['ping {"host":"x"}', 'get_weather {"city":"Paris","days":2}']],
    ['net.scan(a=True, b=False, c=None)', ['net.scan {"a":true,"b":false,"c":null}']],
    ['net.scan(a=[1, (2, 3), [5]], b={"x": {"y": []}, \'z\': ()},)', ['net.scan {"a":[1,[2,3],[5]],"b":{"x":{"y":[]},"z":[]}}']],
    ['net.scan(a=-1, b=1.50, e=1e-3)', ['net.scan {"a":-1,"b":1.50,"e":1e-3}']],
    ['net.scan(a=12345678901234567890)', ['net.scan {"a":12345678901234567890}']],
    [String.raw`net.scan(a="q\"\n\x41\u00e9\\")`, [String.raw`net.scan {"a":"q\"\nAé\\"}`]],
    ['ping(host="x")\nping(host="y"); ping()', ['ping {"host":"x"}', 'ping {"host":"y"}', 'ping {}']],
    [`${fence}python\nping(host="x")\n${fence}`, ['ping {"host":"x"}']],
    ['<tool_call>ping(host="x")</tool_call>', ['ping {"host":"x"}']],
    ['__proto__(__proto__={"constructor": 1})', ['__proto__ {"__proto__":{"constructor":1}}']],
    // Several without brackets.
    ['ping(host="x"), ping(host="y")', ['ping {"host":"x"}', 'ping {"host":"y"}']],
    ['ping(host="x"),\r\nping(host="y"),\r\n\r\nping()', ['ping {"host":"x"}', 'ping {"host":"y"}', 'ping {}']],
    [`${fence}\nping(), get_weather(city="x")\n${fence}`, ['ping {}', 'get_weather {"city":"x"}']],
    // Escapes of Markdown in names.
    [String.raw`[get\_weather(city='Paris', days=2)]`, ['get_weather {"city":"Paris","days":2}']],
    [String.raw`\_\_proto\_\_(\_a=1)`, ['__proto__ {"_a":1}']],
    // Calls in quotes.
    [`['ping(host="x")']`, ['ping {"host":"x"}']],
    [`["ping(host='x')", "get_weather(city=\\"Paris\\")"]`, ['ping {"host":"x"}', 'get_weather {"city":"Paris"}']],
    [`['ping(host="x")',\n 'ping(), ping(host="it\\'s")'\n]`, ['ping {"host":"x"}', 'ping {}', `ping {"host":"it's"}`]],
    [`'ping(host="x")'`, ['ping {"host":"x"}']],
    // Other keys than those of an API.
    ['[{"function": "ping", "parameters": {"host": "x"}}]', ['ping {"host": "x"}']],
    ['[{"function_name": "ping", "arguments": {"host": "x"}}]', ['ping {"host": "x"}']],
    ['{"tool": "ping", "args": {"host": "x"}}', ['ping {"host": "x"}']],
    ['I\'ll use these tools:\n\nping(host="x")\nnet.scan()', ['ping {"host":"x"}', 'net.scan {}']],
    ['<functioncall> {"name": "ping", "arguments": {}} </functioncall>', ['ping {}']],
    // JSON with literals of Python.
    [`{"name": "get_weather", "arguments": {'city': 'Paris', "days": None}}`, ['get_weather {"city":"Paris","days":null}']],
    [`[{'name': 'ping', 'arguments': {'host': True}}, {'name': 'ping', 'arguments': {}}]`, ['ping {"host":true}', 'ping {}']],
    // A fence that closes one of the prompt.
    [`[ping(host="x"), ping()]\n${fence}`, ['ping {"host":"x"}', 'ping {}']],
    [`${json}\n  ${fence}\n`, [paris]],
    // Another spelling of a name.
    ['Get_Weather(city="Paris")', ['Get_Weather {"city":"Paris"}']],
    ['net_scan(a=1)', ['net_scan {"a":1}']],
    ['{"name": "get-weather", "arguments": {}}', ['get-weather {}']],
  ])('%s', (text, expected) => {
    expect(calls(text)).toEqual(expected)
  })

  test.each([
    'rm(path="/")',
    '[ping(), rm()]',
    'ping().text',
    'print(ping())',
    'x = ping()',
    'await ping()',
    'for x in ping():',
    'ping(  # the gateway\n  host="x")',
    '# the gateway\nping(host="x")',
    'ping(host="x")\n# the gateway\nping()',
    'return ping()',
    'import ping\nping()',
    '[ping(),',
    '[ping(), rm()',
    'ping()]',
    '[ping(), ping()',
    '[[ping()]]',
    '[ping(',
    'ping(**{"host": "x"})',
    'ping("x")',
    'get_weather({"city": "x"})',
    'get_weather(city: "x")',
    'functions.ping()',
    '[{"function": "rm", "parameters": {}}]',
    `[${json}, {"name": "ping"`,
    `[${json},`,
    `[${json}, 7`,
    'You use these tools:\n\nping(host="x")',
    'ping(host=x)',
    'ping(host=get())',
    'ping(host="a" "b")',
    'ping(host=f"{x}")',
    'ping(host=b"x")',
    'ping(host="x',
    'ping(host="\\N{DASH}")',
    'ping(host="\\xZZ")',
    'ping(host="x", host="y")',
    'ping(host={1: 2})',
    'ping(host={1, 2})',
    'ping(host=1j)',
    'ping(host=007)',
    'ping(host=0x1F)',
    'ping(host=.5)',
    'ping(host=(5))',
    String.raw`ping(host="\d")`,
    String.raw`get\_weather(city='New\_York')`,
    `"""ping(host="x")"""`,
    'ping(host=1.2.3)',
    'ping(host=-)',
    'ping(host=)',
    'ping(,)',
    'ping(host=1 days=2)',
    'ping(host="x"',
    '[]',
    'You can call ping(host="x") for that.',
    'ping(host="x") is what I would call.',
    'If it is down:\n\nping(host="x")\n',
    'Let me see\nping(host="x")',
    `Let me see.\n${fence}python\nping(host="x")\n${fence}\nShall I?`,
    'ping(host="x")\n\nThat would show whether it is up.',
    'ping(host="x"),',
    'ping(host="x"), ',
    'ping(host="x"), rm()',
    'ping(host="x"), and then ping()',
    ', ping()',
    'ping(),, ping()',
    `['ping(host="x")'`,
    `['ping(host="x")',`,
    `['ping(host="x")', 'rm()']`,
    `['ping(host="x"']`,
    `['ping']`,
    `"ping" is a tool`,
    `'ping(host="x")' is how it is called`,
    `["'ping()'"]`,
    `''`,
    `'ping(host="x")`,
    'ping\n{"host": "x"}',
    'ping {"host": "x"}',
    `["ping", {"host": "x"}]`,
    `{'name': 'ping', 'arguments': {'host': 'x'}`,
    `{'name': 'rm', 'arguments': {}}`,
    `{'host': 'x'}`,
    String.raw`\[ping()\]`,
    String.raw`ping\(host="x")`,
    String.raw`ping(host\="x")`,
    `ping(host="x") ${fence}`,
    `ping(host="x\n${fence}`,
    'pingg(host="x")',
    'get_wether(city="x")',
  ])('nothing in %s', (text) => {
    expect(found(text)).toEqual([])
  })

  test.each(['``', `${fence}python`, '`12` is it', 'Result: 12', 'Outputs:'])('what may be a result behind calls: %s', (behind) => {
    const { found, isAnswered } = findTextToolCalls(new Answer(`ping(host="x")\n${behind}`), tools)
    expect([found.length, isAnswered]).toEqual([1, true])
  })

  test('every JSON value that Python can write comes through', () => {
    // JSON writes -0 as 0.
    const value = fc.jsonValue({ maxDepth: 4 }).map((one) => JSON.stringify(one))
    fc.assert(
      fc.property(value, (given) => {
        const [call] = calls(`net.scan(a=${given})`)
        expect(JSON.parse(call?.replace('net.scan ', '') ?? '')).toEqual({ a: JSON.parse(given) })
      }),
    )
  })
})

describe('findTextToolCalls and bad input', () => {
  test('never crashes', () => {
    const piece = fc.constantFrom(
      'ping',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '\\',
      '=',
      ',',
      ':',
      '\n',
      '<tool_call>',
      '</tool_call>',
      fence,
      '1',
      ' ',
      '#',
      'r',
      '"name"',
      '"arguments"',
    )
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void found(pieces.join(''))))
  })

  test.each([
    ['many starts', 'ping(host=[\n'.repeat(20_000)],
    ['many tags', '<tool_call>'.repeat(50_000)],
    ['many closers', `<tool_call>${'</tool_call>'.repeat(50_000)}`],
    ['deep lists', `ping(host=${'['.repeat(100_000)}`],
    ['many lists', '['.repeat(100_000)],
    ['open lists of JSON', `[${'{"a": ['.repeat(50_000)}}`],
    ['a long text', `ping(host="${'x'.repeat(1_000_000)}`],
    ['white space', `${' '.repeat(500_000)}x`],
    ['white space and line breaks', ' \n'.repeat(300_000)],
    ['a long name', 'a'.repeat(1_000_000)],
    ['many open elements', `${'<a>'.repeat(50_000)}${'</b>'.repeat(50_000)}${'<tool_call>'.repeat(20_000)}`],
    ['many quotation marks', '"<tool_call>'.repeat(50_000)],
    ['an open tag without end', `<${'a'.repeat(500_000)} <tool_call>`],
    ['many fences', `${fence}\n{\n${fence}\n`.repeat(20_000)],
    ['many quoted calls', `["ping()",${"'ping()',".repeat(100_000)}`],
    ['many backslashes', `["${'\\\\'.repeat(500_000)}`],
    ['many escaped underscores', '\\_'.repeat(500_000)],
    ['many back-ticks', `ping(\n${'`'.repeat(500_000)}x`],
    ['white space before a fence', `ping(${' \n'.repeat(300_000)}${fence}`],
    ['deep dictionaries', `ping\n${"{'a':".repeat(100_000)}`],
    ['many names', 'ping\n'.repeat(100_000)],
  ])('%s', (_name, text) => {
    expect(found(text)).toEqual([])
  })

  test('without tools there is nothing to find', () => {
    expect(findTextToolCalls(new Answer(json), []).found).toEqual([])
  })
})

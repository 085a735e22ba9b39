import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../tools/tests/processor-ms.ts'
import { Answer } from '../answer/answer.ts'
import { contract, settle } from '../index.ts'
import { requestContract } from './request-contract.ts'

const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city', 'days'] }
const format = (given?: unknown) => ({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema: given } } })
const tool = (parameters: unknown = schema, name = 'plan') => ({ type: 'function', function: { name, parameters } })
const forced = { tools: [tool()], tool_choice: 'required' }
const free = contract({ checks: [], retries: 0 })
const calling = (given: string, name = 'plan') => new Answer('', { toolCalls: [{ name, arguments: given }], finishReason: 'tool_calls' })
const right = '{"city": "Ulm", "days": 2}'
const codes = async (rules: typeof free, request: object, answer: string | Answer) => {
  const { status, issues } = await settle(requestContract(rules, request as never), answer)
  return [status, ...issues.map(({ validator, code }) => `${validator} ${code}`)]
}

describe('what a request asks for', () => {
  test.each<[string, object, string | Answer, string[]]>([
    ['a schema', format(schema), right, ['valid']],
    ['a schema, and a value with a repair', format(schema), '{"city": "Ulm", "days": "2"}', ['repaired']],
    ['a schema, and prose around the value', format(schema), `So:\n\`\`\`json\n${right}\n\`\`\``, ['repaired']],
    ['a schema, and another value', format(schema), '{"city": "Ulm"}', ['unresolved', 'request_schema SCHEMA_MISMATCH']],
    ['a schema, and no value', format(schema), 'No.', ['unresolved', 'request_schema MISSING_JSON']],
    ['a schema, and a call before the answer', format(schema), calling('{}', 'search'), ['valid']],
    ['any JSON', format(), '[1]', ['valid']],
    ['a schema without keywords', format({}), 'No.', ['valid']],
    ['an object', { response_format: { type: 'json_object' } }, '[1]', ['unresolved', 'request_schema SCHEMA_MISMATCH']],
    ['an object', { response_format: { type: 'json_object' } }, '{"a": 1}', ['valid']],
    ['text', { response_format: { type: 'text' } }, 'No.', ['valid']],
    ['nothing', {}, 'No.', ['valid']],
    [
      'a format of responses',
      { text: { format: { type: 'json_schema', name: 'a', schema } } },
      '[]',
      ['unresolved', 'request_schema SCHEMA_MISMATCH'],
    ],
    [
      'a format of messages',
      { output_config: { format: { type: 'json_schema', schema } } },
      '[]',
      ['unresolved', 'request_schema SCHEMA_MISMATCH'],
    ],
    [
      'an older format of messages',
      { output_format: { type: 'json_schema', schema } },
      '[]',
      ['unresolved', 'request_schema SCHEMA_MISMATCH'],
    ],
    [
      'null may be where a provider says so',
      format({ type: 'object', properties: { a: { type: 'string', nullable: true } } }),
      '{"a": null}',
      ['valid'],
    ],
    ['a forced tool', forced, calling(right), ['valid']],
    ['a forced tool, and a number as text', forced, calling('{"city": "Ulm", "days": "2"}'), ['repaired']],
    ['a forced tool, and sloppy JSON', forced, calling("{'city': 'Ulm', 'days': 2,}"), ['repaired']],
    ['a forced tool, and wrong arguments', forced, calling('{"city": "Ulm"}'), ['unresolved', 'request_schema SCHEMA_MISMATCH']],
    ['a forced tool, and arguments that are none', forced, calling('soon'), ['unresolved', 'request_schema MISSING_JSON']],
    ['a forced tool, and another call', forced, calling(right, 'other'), ['unresolved', 'request_schema MISSING_TOOL_CALL']],
    ['a forced tool, and prose', forced, 'I would go to Ulm.', ['unresolved', 'request_schema MISSING_TOOL_CALL']],
    ['a forced tool, and its arguments as text', forced, `\n${right}\n`, ['repaired']],
    ['a forced tool, and its arguments in a fence', forced, `\`\`\`json\n${right}\n\`\`\`\n`, ['repaired']],
    ['a forced tool, and its arguments in a fence without a tag', forced, `\`\`\`\n${right}\n\`\`\``, ['repaired']],
    ['a forced tool, and its arguments after reasoning', forced, `<think>Or {"city": "Bonn"}?</think>\n${right}`, ['repaired']],
    ...[
      `So: ${right}`,
      `I refuse; it would be ${right} but no.`,
      `Never run this: \`${right}\``,
      `I refuse. Never do:\n\`\`\`json\n${right}\n\`\`\`\nThis is wrong.`,
      `\`\`\`json\n${right}\n\`\`\`\nPlease confirm.`,
      `${right}\n\nPlease confirm.`,
      `Shall I?\n\n${right}`,
      `> \`\`\`json\n> ${right}\n> \`\`\``,
      `\`\`\`js\n${right}\n\`\`\``,
      `\`\`\`json\n${right}\n\`\`\`\n\n\`\`\`json\n${right}\n\`\`\``,
      `<think>${right}</think>No.`,
      `\`\`\`json never do this\n${right}\n\`\`\``,
    ].map((said): [string, object, string, string[]] => [
      `a forced tool, and arguments that are only spoken of: ${said}`,
      forced,
      said,
      ['unresolved', 'request_schema MISSING_TOOL_CALL'],
    ]),
    [
      'a forced tool, and two values as text',
      forced,
      `${right}\n\n{"city": "Bonn", "days": 3}`,
      ['unresolved', 'request_schema MISSING_TOOL_CALL'],
    ],
    [
      'a forced tool, and another object as text',
      forced,
      '{"name": "plan", "arguments": {}}',
      ['unresolved', 'request_schema MISSING_TOOL_CALL'],
    ],
    [
      'a forced tool among several',
      { tools: [tool(), tool({}, 'b')], tool_choice: { type: 'function', function: { name: 'plan' } } },
      calling('{}'),
      ['unresolved', 'request_schema SCHEMA_MISMATCH', 'request_schema SCHEMA_MISMATCH'],
    ],
    [
      'the words of messages',
      { tools: [{ name: 'plan', input_schema: schema }], tool_choice: { type: 'tool', name: 'plan' } },
      'No.',
      ['unresolved', 'request_schema MISSING_TOOL_CALL'],
    ],
    [
      'the words of messages for any',
      { tools: [{ name: 'plan', input_schema: schema }], tool_choice: { type: 'any' } },
      'No.',
      ['unresolved', 'request_schema MISSING_TOOL_CALL'],
    ],
    [
      'functions',
      { functions: [{ name: 'plan', parameters: schema }], function_call: { name: 'plan' } },
      'No.',
      ['unresolved', 'request_schema MISSING_TOOL_CALL'],
    ],
    ['one of several tools', { tools: [tool(), tool({}, 'b')], tool_choice: 'required' }, 'No.', ['valid']],
    ['a tool, or one of the provider', { tools: [tool(), { type: 'web_search' }], tool_choice: 'required' }, 'No.', ['valid']],
    ['a tool of free text', { tools: [{ type: 'custom', custom: { name: 'plan' } }], tool_choice: 'required' }, 'No.', ['valid']],
    ['a tool that may be called', { tools: [tool()], tool_choice: 'auto' }, 'No.', ['valid']],
  ])('%s', async (_name, request, answer, expected) => {
    expect(await codes(free, request, answer)).toEqual(expected)
    // Where the contract says so, only the provider is given it.
    expect(requestContract(contract({ checks: [], requestSchema: 'ignore' }), request as never).validators).toEqual([])
  })
})

describe('beside the contract', () => {
  const both = contract({ checks: [{ json: { schema: { type: 'object', required: ['source'] } } }], retries: 0 })

  test.each<[object, string | Answer, string[]]>([
    [format(schema), right, ['unresolved', 'json SCHEMA_MISMATCH']],
    [format(schema), '{"source": 1}', ['unresolved', 'request_schema SCHEMA_MISMATCH', 'request_schema SCHEMA_MISMATCH']],
    [format(schema), '{"city": "Ulm", "days": 2, "source": 1}', ['valid']],
    [forced, calling(right), ['unresolved', 'json SCHEMA_MISMATCH']],
    [forced, calling('{"city": "Ulm", "days": 2, "source": 1}'), ['valid']],
    [
      { ...forced, tools: [tool(), tool({}, 'b')], tool_choice: { type: 'function', function: { name: 'plan' } } },
      calling(right),
      ['valid'],
    ],
  ])('an answer must match both: %j %j', async (request, answer, expected) => {
    expect(await codes(both, request, answer)).toEqual(expected)
  })

  test('a text that a check refuses is not made a call', async () => {
    const rules = contract({ checks: [{ contains: { none: ['Ulm'] } }], retries: 0 })
    expect(await codes(rules, forced, right)).toEqual(['unresolved', 'contains TEXT_FORBIDDEN', 'request_schema MISSING_TOOL_CALL'])
  })

  test.each([
    ['en', 'By the schema of the request: ', 'requires the property source, which the other excludes'],
    ['de', 'Nach dem Schema der Anfrage: ', 'verlangt die Eigenschaft source, die das andere ausschließt'],
  ] as const)(
    'an issue says that it comes from the request, and when no answer can keep both schemas, in %s',
    async (locale, lead, conflict) => {
      const own = { type: 'object', properties: { source: { type: 'string' } }, required: ['source'] }
      const rules = contract({ checks: [{ json: { schema: own } }], locale, retries: 0 })
      const said = async (asked: object, text: string) =>
        (await settle(requestContract(rules, format(asked) as never), text)).issues.map(({ validator, message }) => [validator, message])
      const open = await said({ required: ['city'] }, '{}')
      expect(open.map(([validator, message]) => [validator, message?.startsWith(lead)])).toEqual([
        ['json', false],
        ['request_schema', true],
      ])
      const shut = { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false }
      const closed = await said(shut, '{"city": "Ulm"}')
      expect(closed.map(([validator]) => validator)).toEqual(['json', 'request_schema'])
      expect(closed[1]?.[1]).toContain(conflict)
      expect(await said({ ...shut, type: ['object', 'null'] }, 'null')).toHaveLength(1)
      // Alone, the request needs no name.
      const [only] = (await settle(requestContract(contract({ checks: [], locale }), format({ required: ['city'] }) as never), '{}')).issues
      expect(only?.message.startsWith(lead)).toBe(false)
    },
  )

  test('repairs are made as far as the contract allows them', async () => {
    expect(await codes(contract({ checks: [], allow: [], retries: 0 }), format(schema), '{"city": "Ulm", "days": "2"}')).toEqual([
      'unresolved',
      'request_schema SCHEMA_MISMATCH',
    ])
    const own = contract({ checks: [{ json: { deliver: 'answer', allow: [] } }], retries: 0 })
    expect(await codes(own, format(schema), `So: ${right}`)).toEqual(['valid'])
    expect(await codes(own, format(schema), '{"city": "Ulm", "days": "2"}')).toEqual(['unresolved', 'request_schema SCHEMA_MISMATCH'])
  })

  test('checks that are chosen by name do not leave it out', async () => {
    const made = requestContract(contract({ checks: ['complete', { max_words: { limit: 9 } }], retries: 0 }), format(schema))
    expect(await settle(made, 'No.', { only: ['max_words'] })).toMatchObject({ status: 'unresolved', issues: [{ code: 'MISSING_JSON' }] })
  })

  test('a check of a contract may not have its name', () => {
    expect(() => contract({ checks: [{ json: {}, name: 'request_schema' }] })).toThrow('choose another')
  })

  test('mode shadow changes nothing', async () => {
    const shadow = contract({ checks: [], mode: 'shadow' })
    expect(await settle(requestContract(shadow, format(schema)), 'No.')).toMatchObject({ delivered: true, text: 'No.' })
  })
})

const deep = (levels: number): object => (levels === 0 ? { type: 'string' } : { properties: { a: deep(levels - 1) } })
const chain = (length: number): object => ({
  $ref: '#/$defs/0',
  $defs: Object.fromEntries(
    Array.from({ length }, (_, at) => [at, at === length - 1 ? { type: 'object' } : { allOf: [{ $ref: `#/$defs/${at + 1}` }] }]),
  ),
})
const loop: Record<string, unknown> = { type: 'object' }
loop.properties = { self: loop }

describe('a schema that cannot be used is a warning, and the rest of the request is kept', () => {
  test.each<[string, unknown]>([
    ['another document', { $ref: 'https://example.com/x.json' }],
    ['a place that is not there', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['itself without end', { $ref: '#' }],
    ['a pattern with memory', { type: 'object', properties: { a: { pattern: '(a)\\1' } } }],
    ['levels without end', deep(2000)],
    ['references in a long chain', chain(900)],
    ['references in a longer chain', chain(2500)],
    ['too many objects', { anyOf: Array.from({ length: 30_000 }, () => ({ type: 'object' })) }],
    ['too many characters', { const: 'x'.repeat(1_100_000) }],
    ['a circle', loop],
    ['no schema', 'object'],
    ['a number', 7],
    ['a list', []],
    ['a type that is none', { type: 'thing' }],
    ['keywords of wrong types', { properties: 7, required: 'a' }],
  ])('%s', async (_name, given) => {
    for (const [request, answer, wrong] of [
      [format(given), '{"a": 1}', 'No.'],
      [{ tools: [tool(given)], tool_choice: 'required' }, calling('{"a": 1}'), 'No.'],
    ] as const) {
      const { status, issues, delivered } = await settle(requestContract(free, request as never), answer)
      expect([status, delivered]).toEqual(['valid', true])
      // Tools are read more leniently than formats.
      if (!('tools' in request))
        expect(issues).toMatchObject([{ code: 'UNUSABLE_SCHEMA', severity: 'warning', validator: 'request_schema' }])
      expect((await settle(requestContract(free, request as never), wrong)).status).toBe('unresolved')
    }
  })

  test('a hostile pattern takes no time', async () => {
    const request = format({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } })
    const took = await processorMs(async () => {
      expect(await codes(free, request, `{"a": "${'a'.repeat(50_000)}!"}`)).toEqual(['unresolved', 'request_schema SCHEMA_MISMATCH'])
    })
    expect(took).toBeLessThan(5000)
  })

  test('what is usable of a schema is kept', async () => {
    const request = format({
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['a'],
      if: { $ref: 'https://example.com/x' },
    })
    expect(await codes(free, request, '{"a": "one"}')).toEqual([
      'unresolved',
      'request_schema SCHEMA_MISMATCH',
      'request_schema UNUSABLE_SCHEMA',
    ])
  })
})

describe('contracts are made once for what they ask', () => {
  test('by content', () => {
    expect(requestContract(free, format(schema))).toBe(requestContract(free, format(structuredClone(schema))))
    expect(requestContract(free, forced)).not.toBe(requestContract(free, format(schema)))
    expect(requestContract(contract({ checks: [] }), format(schema))).not.toBe(requestContract(free, format(schema)))
    expect(requestContract(free, {})).toBe(free)
  })

  test('and as many as the memory has room for', () => {
    const first = requestContract(free, format({ const: 'first' }))
    expect(requestContract(free, format({ const: 'first' }))).toBe(first)
    for (let index = 0; index < 200; index++) requestContract(free, format({ const: index }))
    expect(requestContract(free, format({ const: 'first' }))).not.toBe(first)
    const large = format({ const: 'x'.repeat(10_000) })
    expect(requestContract(free, large)).not.toBe(requestContract(free, large))
    const patterns = format({ pattern: '[a-z]{900}' })
    expect(requestContract(free, patterns)).not.toBe(requestContract(free, patterns))
  })
})

import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { type RepairClass, repairClasses } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { enforce } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../testing/index.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { accounts, schemaMistakes } from '../../testing/schema-mistakes.ts'
import { json } from './index.ts'

const fence = '```'
const settled = async (text: string, options: Record<string, unknown> = {}, more = {}) => {
  const { status, issues, facts, repairs, text: after } = await settle(contract({ checks: [{ json: options }], ...more }), text)
  return {
    status,
    value: facts.json?.value,
    codes: issues.map(({ code }) => code),
    rules: repairs.map(({ rule }) => rule),
    text: after,
  }
}

describe('json', () => {
  test.each([
    ['different values', '{"to": "EVIL", "to": "ACME"}', ['to']],
    ['in an escape', '{"to": "EVIL", "\\u0074o": "ACME"}', ['to']],
    ['deep inside', 'See:\n\n[{"a": {"b": 1, "b": 2}}]', [0, 'a', 'b']],
    ['equal values', '{"to": "ACME", "to": "ACME"}', undefined],
  ])('a key twice: %s', async (_name, text, path) => {
    const warned = await check(contract({ checks: ['json'] }), text)
    expect(warned.issues.map(({ code, severity, path: at }) => [code, severity, at])).toEqual(
      path ? [['DUPLICATE_KEY', 'warning', path]] : [],
    )
    expect(warned.facts.json?.value).toEqual(JSON.parse(text.replace('See:', '')))
    const strict = await settle(contract({ checks: [json({ duplicateKeys: 'error' })] }), text)
    expect([strict.status, strict.repairs]).toEqual([path ? 'unresolved' : 'valid', []])
  })

  test('the name of a function is dropped, and no prose far before it', async () => {
    expect((await settled("f({'a': 1})")).text).toBe('{"a": 1}')
    const words = 'Words '.repeat(60)
    expect((await settled(`${words}${' '.repeat(256)}f({'a': 1})`)).text).toMatch(new RegExp(`^${words}`))
  })

  test.each<[string, string, unknown]>([
    ['alone', ' {"a": [1, "x"]}\n', { a: [1, 'x'] }],
    ['a scalar', '-1.5e3', -1500],
    ['in a fence', `Here:\n\n${fence}json\n{"a": 1}\n${fence}\n\nDone.`, { a: 1 }],
    ['in a fence without a language', `${fence}\n[1]\n${fence}`, [1]],
    ['amid prose', 'The result is {"a": 1} as you asked.', { a: 1 }],
    ['after reasoning', '<think>{"a": 0}?</think>\n{"a": 1}', { a: 1 }],
    ['behind a link and a citation', 'See [here](x) and [1]: {"a": 1}', { a: 1 }],
    ['behind words that begin like a value', 'null and void, true or not: {"a": 1}', { a: 1 }],
    ['behind a list', '- one\n- two\n\n{"a": 1}', { a: 1 }],
    ['behind a number', '12. [ so ] {it} is [^1]: {"a": [1]}', { a: [1] }],
    ['a number and white space', ' 1e2 \r\n', 100],
    ['empty brackets', '[ \n ]', []],
    ['own keys only', '{"__proto__": 1, "constructor": 2}', JSON.parse('{"__proto__": 1, "constructor": 2}')],
  ])('finds the value %s', async (_name, text, value) => {
    expect(await settled(text, {}, { repair: 'never' })).toMatchObject({ status: 'valid', value, text })
  })

  test.each([
    ['prose', 'I cannot do that.', 'MISSING_JSON'],
    ['prose that begins with a quotation', '"All set" is what the server said.', 'MISSING_JSON'],
    ['a string with quotes in it', '"He said "hi" to me"', 'INVALID_JSON'],
    ['a string with escaped quotes that is cut off', '"He said \\"hi\\" to', 'TRUNCATED'],
    ['nothing', '', 'MISSING_JSON'],
    ['a word', 'abc', 'MISSING_JSON'],
    ['a comma too many', '[1,]', 'INVALID_JSON'],
    ['something behind it', '{"a": 1}#', 'INVALID_JSON'],
    ['two values', '{"a": 1}, {"b": 2}', 'AMBIGUOUS_JSON'],
    ['a cut end', '{"a": "x', 'TRUNCATED'],
  ])('reports %s', async (_name, text, code) => {
    expect(await settled(text, {}, { repair: 'never' })).toMatchObject({ status: 'unresolved', codes: [code] })
  })

  test('issues have the place of the fault', async () => {
    const report = await check(contract({ checks: ['json'] }), '{\n  "a": 1,\n  b: 2\n}')
    expect(report.issues[0]).toMatchObject({
      code: 'INVALID_JSON',
      message: 'Correct the JSON at line 3, column 3: a key without double quotes.',
      span: { start: 14, end: 15 },
    })
  })

  test.each([
    ["{'a': 1}", 'quotes that are not double quotes', 'andere als doppelte Anführungszeichen'],
    ['{"a": yes}', 'text without double quotes', 'Text ohne Anführungszeichen'],
    ['{"a": True}', 'a literal of Python', 'ein Literal von Python'],
    ['{"a": .5}', 'a number in a form that JSON does not have', 'eine Zahl in einer Form, die es in JSON nicht gibt'],
    [
      '{"a": "b\nc"}',
      'a line break or another control character in a string',
      'ein Zeilenumbruch oder anderes Steuerzeichen in einer Zeichenkette',
    ],
    ['{"a": 1 /* b */}', 'a comment', 'ein Kommentar'],
    ['[1, 2,]', 'trailing comma', 'ein Komma nach dem letzten Eintrag'],
    ['[1, 2}', 'a closing bracket of another kind', 'eine schließende Klammer anderer Art'],
  ])('L110 says what is wrong with %j, and what to write', async (text, en, de) => {
    for (const [locale, fact] of [
      ['en', en],
      ['de', de],
    ] as const) {
      const [found] = (await check(contract({ checks: ['json'], locale }), text)).issues
      expect([found?.message.replace(/\.$/, '').split(': ').at(-1), found?.hint?.includes('Use double quotes, commas')]).toEqual([
        fact,
        false,
      ])
    }
  })

  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['n'],
  }

  test('a mismatch with the schema has path and place', async () => {
    const text = 'Here: {"n": 1, "tags": ["a", 2]}'
    const report = await check(contract({ checks: [{ json: { schema } }] }), text)
    expect(report.issues).toMatchObject([{ code: 'SCHEMA_MISMATCH', path: ['tags', 1], span: { start: 29, end: 30 } }])
  })

  test('waits for the promises of any library', async () => {
    const later = { issues: [{ message: 'No.' }] }
    // biome-ignore lint/suspicious/noThenProperty: that is what such a promise is.
    const thenable = { then: (resolve: (value: unknown) => void) => resolve(later) }
    const foreign = { '~standard': { version: 1, vendor: 'own', validate: () => thenable as never } } as const
    expect((await check(contract({ checks: [json({ schema: foreign })] }), '{}')).issues).toMatchObject([{ code: 'SCHEMA_MISMATCH' }])
  })

  test('takes any Standard Schema, whose value is the outcome', async () => {
    const shape = z.object({ n: z.coerce.number(), when: z.string().default('now') })
    const good = contract({ checks: [json({ schema: shape })] })
    expect((await check(good, '{"n": "4"}')).facts.json?.value).toEqual({ n: 4, when: 'now' })
    expect((await check(good, '{"n": "x"}')).issues).toMatchObject([{ code: 'SCHEMA_MISMATCH', path: ['n'] }])
  })

  test.each([
    ['a remote reference', { $ref: 'https://example.org/x.json' }],
    ['a wrong schema', { type: 'objekt' }],
    ['a pattern that cannot be linear', { type: 'string', pattern: '(a)\\1' }],
  ])('%s is a configuration error', (_name, bad) => {
    expect(() => contract({ checks: [{ json: { schema: bad } }] })).toThrow(/^checks\.0\.json: /)
  })

  test('waits for a schema that takes its time', async () => {
    const even = z.object({ n: z.number().refine(async (n) => n % 2 === 0, 'is odd') })
    expect(await settled('{"n": 2}', { schema: even })).toMatchObject({ status: 'valid', value: { n: 2 } })
    expect(await settled('{"n": 3}', { schema: even })).toMatchObject({ status: 'unresolved', codes: ['SCHEMA_MISMATCH'] })
    const crashing = { '~standard': { version: 1, vendor: 'own', validate: () => Promise.reject(new Error('boom')) } } as const
    const { unchecked } = await check(contract({ checks: [json({ schema: crashing })] }), '{"n": 3}')
    expect(unchecked).toEqual([{ validator: 'json', cause: 'crash', message: 'boom' }])
  })

  test('a hostile pattern cannot freeze anything', { timeout: 20_000 }, async () => {
    const rule = contract({ checks: [{ json: { schema: { type: 'string', pattern: '^(a|a)*$' } } }] })
    expect((await check(rule, JSON.stringify(`${'a'.repeat(50_000)}b`))).issues).toHaveLength(1)
  })

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['objects', '{"a":'.repeat(100_000)],
    ['stray quotes', '{"k: "v" '.repeat(50_000)],
    ['a long string', `{"a": "${'x'.repeat(5_000_000)}`],
    ['lone surrogates', `["${'\ud83d'.repeat(100_000)}`],
  ])('survives %s', { timeout: 30_000 }, async (_name, text) => {
    expect(['repaired', 'unresolved']).toContain((await settled(text)).status)
  })
})

describe('the repair of json', () => {
  test.each<[string, string, unknown]>([
    ['a list of objects', "Here:\n\n[{'a': 1}, {'b': 2}]\n\nDone.", [{ a: 1 }, { b: 2 }]],
    ['a list around a right object', 'Here:\n\n["x"\n {"a": 1}]\n\nDone.', ['x', { a: 1 }]],
    ['a list with other quotes around a right list', 'Here:\n\n[[“x”\n []]]\n\nDone.', [['x', []]]],
    ['an object around a right list', 'Here:\n\n{"a" = []\n "b" = 1}\n\nDone.', { a: [], b: 1 }],
  ])('a value amid prose that is not quite right is not replaced by a part of it: %s', async (_name, text, value) => {
    expect(await settled(text, {}, { allow: [] })).toMatchObject({ status: 'unresolved' })
    expect(await settled(text, {}, { allow: ['lossless'] })).toMatchObject({ status: 'repaired', value })
  })

  test.each<[string, string, unknown]>([
    ['single quotes and a trailing comma', "{'a': 1,}", { a: 1 }],
    ['Python literals and comments', '{"a": None, "b": True} // done', { a: null, b: true }],
    ['a missing closer', '{"a": [1, 2}', { a: [1, 2] }],
    ['a fence around it', `${fence}json\n{a: 1}\n${fence}`, { a: 1 }],
    ['a closer too many', '{"a": 1}}', { a: 1 }],
    ['a function around it', 'callback({"a": 1});', { a: 1 }],
  ])('mends %s', async (_name, text, value) => {
    expect(await settled(text)).toMatchObject({ status: 'repaired', value })
  })

  test.each<[string, string, unknown, string[]]>([
    ['a word that JSON does not have', '{"a": undefined, "b": NaN}', { a: null, b: null }, ['INVALID_JSON']],
    // The comma before it is a fault of its own, which hides it.
    ['an ellipsis', '[1, 2, ...]', [1, 2], ['INVALID_JSON', 'INVALID_JSON']],
    ['a closer too many inside of it', '[1, 2}, 3]', [1, 2, 3], ['INVALID_JSON']],
  ])('mends %s where something may be lost', async (_name, text, value, codes) => {
    expect(await settled(text)).toMatchObject({ status: 'unresolved', codes })
    expect(await settled(text, {}, { allow: ['lossless', 'lossy'] })).toMatchObject({ status: 'repaired', value })
  })

  test.each<[string, string, object, (string | number)[]]>([
    ['alone', '1e400', {}, []],
    ['negative and deep', '{"a": [0, {"b": -1E+999}]}', {}, ['a', 1, 'b']],
    ['in digits', `[${'9'.repeat(400)}]`, {}, [0]],
    ['under a schema', '{"n": 1e400}', { schema: { type: 'object', properties: { n: { type: 'number' } } } }, ['n']],
    [
      'as a text that a repair would convert',
      '{"n": "1e400"}',
      { schema: { properties: { n: { type: 'number' } }, required: ['n'] } },
      ['n'],
    ],
  ])('a number out of range is never a value: %s', async (_name, text, options, path) => {
    const result = await settle(contract({ checks: [json(options)], allow: ['lossless', 'lossy', 'guess'] }), text)
    expect(result.delivered).toBe(false)
    expect('value' in result).toBe(false)
    expect(result.issues).toMatchObject([{ path }])
  })

  test('the largest and the smallest numbers are values', async () => {
    expect(await settled('[1.7976931348623157e308, 5e-324, 1e-400, 12345678901234567890]')).toMatchObject({ status: 'valid' })
  })

  test('mends what the schema wants, in the text', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    expect(await settled('Here: {"n": "7"} ok', { schema })).toMatchObject({
      status: 'repaired',
      text: 'Here: {"n": 7} ok',
      rules: ['string-to-number'],
    })
  })

  test('a guess is made only when no model can be asked again', async () => {
    const odd = '{"time":"12:20"'
    const play = (retries: number, turns: string[], allow: RepairClass[] = ['lossless', 'lossy', 'guess']) =>
      enforce({ contract: contract({ checks: ['json'], retries, allow }), runner: scripted(turns), prompt: 'p' })
    expect(await play(1, [odd, '{"time": "12:20"}'])).toMatchObject({ status: 'valid', attempts: 2 })
    expect(await play(0, [odd])).toMatchObject({ status: 'repaired', attempts: 1, value: { time: '12:20' } })
    expect(await play(0, [odd], ['lossless', 'lossy'])).toMatchObject({ status: 'unresolved' })
  })

  test.each<[string, string | undefined, string, readonly RepairClass[], string[]]>([
    ['no finish reason', undefined, '{"title": "a", "hours": 12', repairClasses, ['TRUNCATED']],
    ['no finish reason, only a closer', undefined, '{"title": "a"', repairClasses, ['TRUNCATED']],
    ['an unknown finish reason', 'odd', '{"title": "a"', repairClasses, ['TRUNCATED']],
    ['the limit', 'length', '{"title": "a"', repairClasses, ['TRUNCATED']],
    ['a number at the end', 'stop', '{"title": "a", "hours": 12', repairClasses, ['INVALID_JSON']],
    ['a text at the end', 'stop', '{"title": "a', repairClasses, ['INVALID_JSON']],
    ['a literal at the end', 'stop', '[1, true', repairClasses, ['INVALID_JSON']],
    ['a comma at the end', 'stop', '[1, 2,', repairClasses, ['INVALID_JSON']],
    ['a closer, and no guess', 'stop', '{"title": "a"', ['lossless', 'lossy'], ['INVALID_JSON']],
    ['a fence that was closed, and no guess', undefined, `${fence}json\n{"title": "a"\n${fence}\nDone.`, ['lossless'], ['INVALID_JSON']],
  ])('what was cut off is never completed: %s', async (_name, finishReason, text, allow, codes) => {
    const schema = { type: ['object', 'array'] }
    const cut = new Answer(text, { finishReason })
    const { status, issues, repairs } = await settle(contract({ checks: [json({ schema })], allow: [...allow] }), cut)
    expect([['unresolved', 'unchecked'].includes(status), issues.map(({ code }) => code), repairs]).toEqual([true, codes, []])
  })

  test('brackets after a complete value are closed as a guess, where it is known that nothing was cut off', async () => {
    const rules = contract({ checks: ['json'], allow: [...repairClasses] })
    const result = await settle(rules, new Answer('{"a": ["b"', { finishReason: 'stop' }))
    expect(result).toMatchObject({ status: 'repaired', value: { a: ['b'] }, repairs: [{ rule: 'missing-closer', class: 'guess' }] })
  })

  test('partial completes what is cut, for previews', async () => {
    const allow = [...repairClasses]
    expect(await settled('{"a": [1, tr', { partial: true }, { allow })).toMatchObject({ status: 'repaired', value: { a: [1, true] } })
    expect(await settled('{"a": [1, tr', { partial: true }, { lastResort: ['guess'] })).toMatchObject({ status: 'repaired' })
    expect(await settled('{"a": [1, tr', { partial: true })).toMatchObject({ status: 'unresolved', codes: ['INVALID_JSON'] })
  })

  test.each<[string, number, string]>([
    ['', 1, 'valid'],
    ['Let me look that up.', 1, 'valid'],
    ['', 0, 'unresolved'],
    ['Let me look that up.', 0, 'unresolved'],
    ['{"a": "b"}', 1, 'unresolved'],
    ['{"a": 1}', 1, 'valid'],
  ])('a turn that calls tools has no JSON to give: %j with %i calls', async (text, count, status) => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } }
    const answer = new Answer(text, { toolCalls: Array.from({ length: count }, () => ({ name: 'f', arguments: '{}' })) })
    expect((await settle(contract({ checks: [json({ schema })] }), answer)).status).toBe(status)
  })
})

/** Texts of every kind that are not read, and that a repair would correct. */
const refused = [
  '{"a": 1\u0000}',
  '{"a": "x\u0000"}',
  '[f(a, b)]',
  '{"a": 1}}',
  '["a": 1]',
  '{"a" b}',
  '{"a": f(1 2)}',
  '{"a":\n```\n1}',
  '{:}',
  '{"a": :}',
  '{"a": x{y}}',
  '{"a": 1}#',
]
const repaired = [
  '{"a" 1}',
  '[1,]',
  '[1 2]',
  "{'a': 1}",
  '{a: 1}',
  '[True]',
  '[NaN]',
  '[01]',
  '// x\n[1]',
  '[1, ...]',
  '[1}',
  '{"a": "x\ny"}',
  '["a"b"]',
]

test('a model is told the fault of JSON that it has, and the hint that fits it', async () => {
  const rules = contract({ checks: ['json'] })
  const general = /it is not JSON/
  for (const text of [...refused, ...repaired]) {
    const { issues } = await check(rules, text)
    for (const { message } of issues) expect(message).not.toMatch(general)
  }
  const [follows] = (await check(rules, '{"a": 1}#')).issues
  expect([follows?.message, follows?.hint]).toEqual([
    'Correct the JSON at line 1, column 9: something follows the value.',
    'End the answer with the value',
  ])
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('json', [
      ...schemaMistakes.map(([schema, value]) => ({ options: { schema }, text: JSON.stringify(value) })),
      { options: { schema: accounts }, text: '{"age":20,"mail":"m@a.de","code":"x"}', said: 'This code is taken' },
      { text: 'Nichts.' },
      { text: '{"a": tru' },
      ...[...refused, ...repaired].map((text) => ({ text })),
      { text: '{"a":1} {"a":2}' },
      { text: '{"a":1,"a":2}' },
      { options: { deliver: 'value' }, text: 'Hier ist es: {"a":1}' },
      { options: { schema: { type: 'object', required: ['a'], properties: { b: { type: 'string' } } } }, text: '{"b":1}' },
    ]),
  ).toEqual([])
})

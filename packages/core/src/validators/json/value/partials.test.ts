import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonValues } from '../../../../../../attack/generators/json-values.ts'
import { cut, damages, pieceSizes, tripSchema, tripSchemas, trips, wrappings } from '../../../../../../attack/generators/trips.ts'
import { contract } from '../../../catalogue.ts'
import { enforceStream } from '../../../engine/enforce.ts'
import type { Outcome } from '../../../engine/outcome.ts'
import type { PartialValue } from '../../../engine/results/enforced-stream.ts'
import { type ScriptedTurn, scripted } from '../../../runners/scripted.ts'
import { maxWords } from '../../max-words.ts'
import { json } from '../index.ts'

const runs = 60
const fence = '```'

async function play(turns: readonly (string | ScriptedTurn)[], options: Parameters<typeof json>[0] = {}, policy = {}) {
  const rules = contract({ checks: [json(options)], ...policy })
  const stream = enforceStream({ contract: rules, runner: scripted([...turns]), prompt: 'p' })
  const seen: PartialValue[] = []
  for await (const partial of stream.partials) seen.push(partial)
  return { seen, outcome: await stream.outcome }
}

const written = (seen: readonly PartialValue[]) =>
  seen.map(({ attempt, final, value }) => `${attempt}${final ? '!' : ' '} ${JSON.stringify(value)}`)

/** Whether one value is the other one with nothing but parts missing. */
function isPrefix(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.length <= whole.length && part.every((item, index) => isPrefix(item, whole[index]))
  }
  if (typeof part !== 'object' || part === null) return Object.is(part, whole) || part === whole
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isPrefix(value, (whole as Record<string, unknown>)[key]))
}

function expectGrowth(seen: readonly PartialValue[], outcome: Outcome): void {
  if (!outcome.delivered || outcome.value === undefined) return
  const isSure = outcome.repairs.every((repair) => repair.class !== 'guess') && !outcome.issues.some(({ code }) => code === 'DUPLICATE_KEY')
  expect(seen.at(-1)).toMatchObject({ final: true, attempt: outcome.attempts })
  expect(isDeepStrictEqual(seen.at(-1)?.value, outcome.value)).toBe(true)
  if (!isSure) return
  const own = seen.filter(({ attempt }) => attempt === outcome.attempts)
  for (const [index, { value }] of own.entries()) {
    const next = own[index + 1]?.value ?? outcome.value
    if (!isPrefix(value, next) || !isPrefix(value, outcome.value))
      throw new Error(`${JSON.stringify(value)} is contradicted by ${JSON.stringify(next)} or ${JSON.stringify(outcome.value)}`)
  }
}

describe('the value as it grows', () => {
  test('strings grow, other scalars appear when they are complete, keys with their value', async () => {
    const text = '{"city": "Ulm \\ud83d\\ude00\\n", "days": 123, "stops": [{"name": "Minster", "hours": null}]}'
    const { seen } = await play([{ text, chunkSize: 1 }], { schema: tripSchema })
    expect(written(seen)).toEqual([
      ...['1  {}', '1  {"city":"U"}', '1  {"city":"Ul"}', '1  {"city":"Ulm"}', '1  {"city":"Ulm "}', '1  {"city":"Ulm 😀"}'],
      ...['1  {"city":"Ulm 😀","days":123}', '1  {"city":"Ulm 😀","days":123,"stops":[]}'],
      ...[
        '{}',
        '{"name":"M"}',
        '{"name":"Mi"}',
        '{"name":"Min"}',
        '{"name":"Mins"}',
        '{"name":"Minst"}',
        '{"name":"Minste"}',
        '{"name":"Minster"}',
      ].map((stop) => `1  {"city":"Ulm 😀","days":123,"stops":[${stop}]}`),
      '1  {"city":"Ulm 😀","days":123,"stops":[{"name":"Minster","hours":null}]}',
      '1! {"city":"Ulm 😀\\n","days":123,"stops":[{"name":"Minster","hours":null}],"pace":"slow"}',
    ])
  })

  test('what the schema wants is there from the start, and what it does not know is not', async () => {
    const text = `Here:\n\n${fence}json\n{'city': 'Ulm', 'days': '2', 'Extra': 1, pace: 'FAST', tags: ['a', 'b',], either: {n: '1'}}\n${fence}\n`
    const { seen, outcome } = await play(
      [{ text, chunkSize: 3 }],
      { schema: { ...tripSchema, additionalProperties: false } },
      { allow: ['lossless', 'lossy'] },
    )
    expect(outcome.status).toBe('repaired')
    expect(seen.some(({ value }) => JSON.stringify(value).includes('"2"') || JSON.stringify(value).includes('FAST'))).toBe(false)
    expect(written(seen).at(-1)).toBe('1! {"city":"Ulm","days":2,"pace":"fast","tags":["a","b"],"either":{"n":1}}')
    expectGrowth(seen, outcome)
  })

  test('a later attempt starts over, and only the last value is final', async () => {
    const { seen } = await play(
      [
        { text: '{"city": "Ulm", "days": "many"}', chunkSize: 4 },
        { text: '{"city": "Bonn", "days": 2}', chunkSize: 9 },
      ],
      {
        schema: tripSchema,
      },
    )
    expect(new Set(seen.map(({ attempt, final }) => `${attempt} ${final}`))).toEqual(new Set(['1 false', '2 false', '2 true']))
    expect(seen.every(({ value }) => !JSON.stringify(value).includes('many'))).toBe(true)
  })

  test.each([
    ['hold', {}, ['1! {"a":"bc"}']],
    ['pass', {}, ['1  {"a":"b"}', '1  {"a":"bc"}', '1! {"a":"bc"}']],
  ])('a contract that says %s', async (stream, options, expected) => {
    const { seen } = await play([{ chunks: ['{"a": "b', 'c"}'] }], options, { stream })
    expect(written(seen)).toEqual(expected)
  })

  test('nothing is shown that another validator holds', async () => {
    const rules = contract({ checks: [json({}), maxWords({ limit: 3 })], retries: 0 })
    const stream = enforceStream({
      contract: rules,
      runner: scripted([{ text: '{"a": "one two three four five"}', chunkSize: 2 }]),
      prompt: 'p',
    })
    let last: unknown
    for await (const { value } of stream.partials) last = value
    expect(JSON.stringify(last)).not.toContain('three')
    expect((await stream.outcome).status).toBe('unresolved')
  })

  test('partials stand beside the text, which sets the pace', async () => {
    const stream = enforceStream({
      contract: contract({ checks: ['json'] }),
      runner: scripted([{ text: 'Here: {"a": [1, 2]}', chunkSize: 2 }]),
      prompt: 'p',
    })
    let text = ''
    const seen: string[] = []
    await Promise.all([
      (async () => {
        for await (const piece of stream) text += piece
      })(),
      (async () => {
        for await (const { value } of stream.partials) seen.push(JSON.stringify(value))
      })(),
    ])
    expect([text, seen.at(-1)]).toEqual(['Here: {"a": [1, 2]}', '{"a":[1,2]}'])
  })

  test('who leaves ends the run', async () => {
    const runner = scripted([{ text: '{"a": [1, 2, 3]}', chunkSize: 2 }])
    const stream = enforceStream({ contract: contract({ checks: ['json'] }), runner, prompt: 'p' })
    for await (const _partial of stream.partials) break
    expect(await stream.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
    expect(runner.calls[0]?.aborted).toBe(true)
  })

  test('time stays linear', { timeout: 20_000 }, async () => {
    const items = Array.from({ length: 5000 }, (_, index) => ({ index, name: `item ${index}` }))
    const { seen, outcome } = await play([{ text: JSON.stringify(items), chunkSize: 64 }])
    expect(outcome.status).toBe('valid')
    expect(seen.length).toBeGreaterThan(5)
    expectGrowth(seen.slice(-3), outcome)
  })
})

describe('on any text', { timeout: 3_600_000 }, () => {
  test('each value is the start of the next one and of the last', async () => {
    await fc.assert(
      fc.asyncProperty(jsonValues, wrappings, damages, pieceSizes, async (value, wrap, damage, sizes) => {
        const { seen, outcome } = await play([{ chunks: cut(wrap(damage(JSON.stringify(value))), sizes) }], {}, { retries: 0 })
        expectGrowth(seen, outcome)
      }),
      { numRuns: runs },
    )
  })

  test('also where the schema changes it', async () => {
    await fc.assert(
      fc.asyncProperty(trips, tripSchemas, wrappings, damages, pieceSizes, async (value, schema, wrap, damage, sizes) => {
        const { seen, outcome } = await play([{ chunks: cut(wrap(damage(JSON.stringify(value))), sizes) }], { schema }, { retries: 0 })
        expectGrowth(seen, outcome)
      }),
      { numRuns: runs },
    )
  })
})

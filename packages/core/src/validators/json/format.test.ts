import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { repairClasses } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { toolCalls } from '../tool-calls/index.ts'
import { json } from './index.ts'

const schema = { type: 'object', properties: { start: { type: 'string', format: 'date' }, note: { type: 'string' } }, required: ['start'] }

describe('format', () => {
  test.each<['en' | 'de', string]>([
    ['en', 'Make start a date, such as 2026-01-31; it is the string soon.'],
    ['de', 'Setze start auf ein Datum, etwa 2026-01-31; es ist die Zeichenkette soon.'],
  ])('is a rule, and the message in %s has an example', async (locale, message) => {
    const { issues } = await check(contract({ checks: [json({ schema })], locale }), '{"start": "soon"}')
    expect(issues).toMatchObject([{ code: 'SCHEMA_MISMATCH', path: ['start'], span: { start: 10, end: 16 }, message }])
  })

  test('is an annotation where the contract says so', async () => {
    expect((await check(contract({ checks: [json({ schema, format: 'annotate' })] }), '{"start": "soon"}')).issues).toEqual([])
  })

  test('of a library is decided by the library', async () => {
    const local = z.object({ at: z.iso.datetime({ local: true }), days: z.int() })
    const settled = await settle(contract({ checks: [json({ schema: local })] }), '{"at": "2026-01-31T13:45:00", "days": "2"}')
    expect(settled).toMatchObject({ status: 'repaired', value: { at: '2026-01-31T13:45:00', days: 2 } })
  })

  test.each([
    ['a number for a date', schema, '{"start": 20260131}'],
    ['a date in other words', schema, '{"start": "31 January 2026"}'],
    ['a date with white space', schema, '{"start": " 2026-01-31"}'],
    ['an address without its scheme', { format: 'uri' }, '"example.com"'],
    ['one of two formats', { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }], type: 'string' }, '"1.2.3"'],
  ])('no repair makes it of %s', async (_name, given, text) => {
    const settled = await settle(contract({ checks: [json({ schema: given })], allow: [...repairClasses] }), text)
    expect([settled.status, settled.text, settled.repairs]).toEqual(['unresolved', text, []])
  })

  test('stops a stream at the end of the string', async () => {
    const wrong = `{"start": "soon", "note": "${'and so on '.repeat(50)}"}`
    const model = scripted([{ text: wrong, chunkSize: 4 }, '{"start": "2026-01-31"}'])
    const { outcome } = enforceStream({ contract: contract({ checks: [json({ schema })] }), runner: model, prompt: '' })
    expect(await outcome).toMatchObject({ status: 'valid', attempts: 2 })
    expect(model.calls[0]?.taken).toBeLessThan(40)
    for (const text of [wrong, '{"start": "2026-01-31"}', '{"start": 7, "note": 1}'])
      await assertStreamable(contract({ checks: [json({ schema })] }), text)
  })

  test('counts in the arguments of tools where the contract is strict', async () => {
    const tools = [{ type: 'function', function: { name: 'plan', parameters: schema } }]
    const called = (start: string) => new Answer('', { toolCalls: [{ name: 'plan', arguments: JSON.stringify({ start }) }] })
    const rules = contract({ checks: [toolCalls({ strict: true })] })
    expect((await check(contract({ checks: [toolCalls({})] }), called('soon'), { context: { tools } })).issues).toEqual([])
    expect((await check(rules, called('2026-01-31'), { context: { tools } })).issues).toEqual([])
    expect((await check(rules, called('soon'), { context: { tools } })).issues).toMatchObject([
      {
        code: 'INVALID_ARGUMENT',
        path: ['tool_calls', 0, 'arguments', 'start'],
        message: expect.stringContaining('a date, such as 2026-01-31'),
      },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import type { Outcome } from '../../engine/outcome.ts'
import { settle } from '../../engine/repair/settle.ts'
import type { TraceEvent } from '../../engine/trace.ts'
import { type ScriptedTurn, scripted } from '../../runners/scripted.ts'
import { contains } from '../contains/index.ts'
import { sensitive } from './index.ts'

const secret = 'jane.doe@acme.com'
const said = `Write to ${secret} today`

interface Told {
  readonly outcome: Outcome
  readonly shown: string
  readonly events: readonly TraceEvent[]
  readonly calls: readonly unknown[]
}

async function whole(rules: ReturnType<typeof contract>, turns: readonly ScriptedTurn[]): Promise<Told> {
  const events: TraceEvent[] = []
  const runner = scripted(turns)
  const outcome = await enforce({ contract: rules, runner, prompt: '', onEvent: (event) => events.push(event) })
  return { outcome, shown: outcome.delivered ? outcome.text : '', events, calls: runner.calls }
}

async function streamed(rules: ReturnType<typeof contract>, turns: readonly ScriptedTurn[]): Promise<Told> {
  const events: TraceEvent[] = []
  const runner = scripted(turns.map(({ text = '', ...turn }) => ({ ...turn, chunks: text.match(/[\s\S]{1,5}/g) ?? [] })))
  const stream = enforceStream({ contract: rules, runner, prompt: '', onEvent: (event) => events.push(event) })
  let shown = ''
  for await (const piece of stream) shown += piece
  return { outcome: await stream.outcome, shown, events, calls: runner.calls }
}

const ways = [
  ['whole', whole],
  ['streamed', streamed],
] as const

const redacts = sensitive({ redact: true })
const bye = contains({ all: ['bye'] })

describe.each(ways)('what is redacted, %s', (_name, run) => {
  test.each([
    ['an error that is left in mode lenient', { checks: [redacts, bye], mode: 'lenient' }, 'stop', true],
    ['an answer that is delivered unresolved', { checks: [bye, redacts], unresolved: 'deliver', retries: 0 }, 'stop', true],
    ['an answer that is given up', { checks: [bye, redacts], retries: 0 }, 'stop', false],
    ['an answer that was cut off, in mode lenient', { checks: [redacts], mode: 'lenient' }, 'length', true],
    ['an answer that was cut off and is delivered', { checks: [redacts], unresolved: 'deliver', retries: 0 }, 'length', true],
    ['an answer that was cut off and is given up', { checks: [redacts], retries: 0 }, 'length', false],
  ] as const)('%s leaks nothing', async (_case, input, finishReason, delivered) => {
    const told = await run(contract(input as never), [{ text: said, finishReason }])
    expect(JSON.stringify(told)).not.toContain('jane')
    expect(told.outcome).toMatchObject({ status: 'unresolved', delivered, text: 'Write to [EMAIL] today' })
    expect(told.outcome.repairs).toMatchObject([{ rule: 'redact-email', before: '[hidden]', span: { start: 9, end: 26 } }])
    expect(told.outcome.issues.map(({ code }) => code)).not.toContain('SENSITIVE')
  })

  test.each([
    ['may be redacted', redacts],
    ['may not be redacted', sensitive({})],
  ])('neither traces nor what a model is asked again with have a secret that %s', async (_case, rule) => {
    const rules = contract({ checks: [bye, rule], retries: 1, stream: 'hold', repair: 'last' })
    const { events, calls, outcome } = await run(rules, [{ text: said }, { text: 'Write to us. bye' }])
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2 })
    expect(JSON.stringify([events, calls])).not.toContain('jane')
  })

  test('a secret that is delivered because nothing may be changed is not in the trace', async () => {
    const { events, shown } = await run(contract({ checks: [sensitive({})], mode: 'lenient' }), [{ text: said }])
    expect(shown).toBe(said)
    expect(events.find(({ type }) => type === 'attempt-received')).toMatchObject({ text: 'Write to [EMAIL] today' })
    expect(JSON.stringify(events)).not.toContain('jane')
  })
})

test('an answer that is settled without a model is redacted, whatever else is wrong', async () => {
  const settled = await settle(contract({ checks: [redacts, bye], unresolved: 'deliver' }), said)
  expect(settled).toMatchObject({ status: 'unresolved', delivered: true, text: 'Write to [EMAIL] today' })
  expect(settled.repairs).toMatchObject([{ rule: 'redact-email', before: '[hidden]' }])
})

test('arguments of tool calls are searched where the contract says so, and never redacted', async () => {
  const calls = [
    '{"to":"jane.doe@acme.com"}',
    '{"to":"jane.doe\\u0040acme.com"}',
    '{"card":4111111111111111}',
    'to jane.doe@acme.com',
    '{"to":"us"}',
  ]
  const toolCalls = calls.map((text, at) => ({ id: `c${at}`, name: 'send', arguments: text }))
  const found = async (rule: ReturnType<typeof sensitive>) => {
    const { outcome } = await whole(contract({ checks: [rule], retries: 0 }), [{ text: said, toolCalls }])
    return outcome
  }
  expect(await found(redacts)).toMatchObject({ status: 'repaired', toolCalls })
  const { issues, text, toolCalls: left, delivered } = await found(sensitive({ redact: true, toolCalls: true }))
  expect(issues.map(({ message }) => message)).toEqual([
    'Leave out the e-mail address in the arguments of tool call 1.',
    'Leave out the e-mail address in the arguments of tool call 2.',
    'Leave out the card number in the arguments of tool call 3.',
    'Leave out the e-mail address in the arguments of tool call 4.',
  ])
  expect([text, left, delivered]).toEqual(['Write to [EMAIL] today', toolCalls, false])
})

test('without a verdict no text is told', async () => {
  const events: TraceEvent[] = []
  const { validators, policy } = contract({ checks: [sensitive({})], mode: 'lenient' })
  const crashing = validators.map((one) => ({ ...one, prepared: { ...one.prepared, check: () => [{}] as never } }))
  const runner = scripted([said])
  await enforce({ contract: { validators: crashing, policy }, runner, prompt: '', onEvent: (event) => events.push(event) })
  expect(events.find(({ type }) => type === 'attempt-received')).toMatchObject({ text: '[hidden]' })
})

test.each([
  ['whole', '4111 1111 1111 1111'],
  ['in a quote that is cut', `${'word '.repeat(9)}4111 1111 1111 1111`],
])('another validator does not quote what was found, %s', async (_name, text) => {
  const rules = contract({ checks: [sensitive({}), { one_of: { values: ['yes', 'no'] } }], retries: 0 })
  const { text: undelivered, ...report } = await settle(rules, text)
  const { issues } = report
  expect(undelivered).toBe(text)
  expect(issues.map(({ validator }) => validator)).toEqual(['sensitive', 'one_of'])
  expect(JSON.stringify(report)).not.toContain('4111')
  expect(issues[1]?.message).toContain('[hidden]')
})

describe.each(ways)('changes of other validators, %s', (_name, run) => {
  test.each([
    ['take it out with other text', [sensitive({}), { json: { deliver: 'value' } }], `${said}: {"a": 1}`],
    ['take it out before it is redacted', [{ json: { deliver: 'value' } }, redacts], `${said}: {"a": 1}`],
    ['write it in another way', [{ json: {} }, redacts], `{to: '${secret}', 'a': 1}`],
  ])('%s, and do not show it', async (_case, checks, text) => {
    const told = await run(contract({ checks: checks as never, retries: 0, mode: 'lenient' }), [{ text }])
    const { outcome, events } = told
    expect(outcome.repairs.length).toBeGreaterThan(0)
    expect(JSON.stringify([outcome.repairs, outcome.issues, outcome.fixed, events])).not.toContain('jane')
  })
})

test('a change that quotes nothing that was found is shown as it is', async () => {
  const settled = await settle(contract({ checks: [{ json: {} }, redacts] }), "{'a': 1}")
  expect(settled.repairs.map(({ before }) => before).join('')).toContain("'")
})

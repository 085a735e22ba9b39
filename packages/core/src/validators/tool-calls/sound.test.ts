import { expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { locales } from '../../contract/locale.ts'
import { check } from '../../engine/check/check.ts'
import { withSoundCalls } from '../../relay/sound-calls.ts'
import { toolCalls } from './index.ts'
import { soundToolCalls } from './sound-calls.ts'

const tools = [{ type: 'function', function: { name: 'ping' } }]

test.each<[string, { name: string; arguments: string }, unknown, string[]]>([
  ['a sound call', { name: 'ping', arguments: '{"host":"a"}' }, tools, []],
  ['no arguments', { name: 'ping', arguments: '' }, tools, []],
  ['broken arguments', { name: 'ping', arguments: '{bad' }, tools, ['INVALID_ARGUMENTS_JSON']],
  ['a number out of range', { name: 'ping', arguments: '{"n": 1e400}' }, tools, ['INVALID_ARGUMENTS_JSON']],
  ['a list', { name: 'ping', arguments: '[1]' }, tools, ['INVALID_ARGUMENTS_JSON']],
  ['null', { name: 'ping', arguments: 'null' }, tools, ['INVALID_ARGUMENTS_JSON']],
  ['a tool that was not offered', { name: 'rm_rf', arguments: '{}' }, tools, ['UNKNOWN_TOOL']],
  ['a tool of Object', { name: 'constructor', arguments: '{}' }, tools, ['UNKNOWN_TOOL']],
  ['a key with two values', { name: 'ping', arguments: '{"to": "EVIL", "\\u0074o": "ACME"}' }, tools, ['DUPLICATE_KEY']],
  ['a key with one value twice', { name: 'ping', arguments: '{"to": "ACME", "to": "ACME"}' }, tools, []],
  ['no tools', { name: 'ping', arguments: '{}' }, [], ['UNKNOWN_TOOL']],
  ['tools that are null', { name: 'ping', arguments: '{}' }, null, ['UNKNOWN_TOOL']],
  ['nobody knows what was offered', { name: 'any', arguments: '{}' }, undefined, []],
  ['tools that are none', { name: 'any', arguments: '{}' }, [null, 5, {}], ['UNKNOWN_TOOL']],
])('%s', async (_, call, offered, codes) => {
  const watched = withSoundCalls(contract({ checks: [] }))
  const report = await check(watched, new Answer('', { toolCalls: [call] }), { context: { tools: offered } })
  expect(report.issues.map(({ code }) => code)).toEqual(codes)
})

test('what is added is one and the same check, and the same in a thread that knows it by its name and options', () => {
  const [added] = withSoundCalls(contract({ checks: [] })).validators
  const { name, codes, judges } = toolCalls.definition
  expect(soundToolCalls.definition).toMatchObject({ name, codes, judges })
  const [named] = contract({ checks: [{ [added?.name ?? '']: added?.written }] }).validators
  expect(added?.prepared).toBe(named?.prepared)
})

test('a contract that speaks of tool calls is left alone', () => {
  const own = contract({ checks: ['tool_calls'] })
  expect(withSoundCalls(own)).toBe(own)
})

test.each(locales)('the messages are in the language of the contract: %s', async (locale) => {
  const written = contract({ checks: [{ tool_calls: { soundOnly: true } }], locale })
  const added = withSoundCalls(contract({ checks: [], locale }))
  expect(added.validators.map(({ name, instruction }) => [name, instruction])).toEqual(
    written.validators.map(({ name, instruction }) => [name, instruction]),
  )
  const calls = [
    { name: 'nmap', arguments: '[1]' },
    { name: 'ping', arguments: '{"to": 1, "to": 2}' },
  ]
  const answer = new Answer('', { toolCalls: calls })
  const context = { tools, parallelToolCalls: false }
  const { issues } = await check(written, answer, { context })
  expect(issues.map(({ code }) => code)).toEqual(['PARALLEL_CALLS', 'UNKNOWN_TOOL', 'INVALID_ARGUMENTS_JSON', 'DUPLICATE_KEY'])
  for (const { message } of issues) expect(message).toMatch(locale === 'de' ? /Rufe|Gib/ : /Call|Give|Make/)
  expect((await check(added, answer, { context })).issues).toEqual(issues)
})

test('text alone is not looked at, and nothing is repaired', async () => {
  const only = contract({ checks: [{ tool_calls: { soundOnly: true } }] })
  const written = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>'
  for (const text of ['', written]) expect((await check(only, text, { context: { tools } })).issues).toEqual([])
  expect(only.validators[0]?.prepared.repair).toBeUndefined()
})

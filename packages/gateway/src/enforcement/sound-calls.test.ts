import { Answer, check, contract } from '@stickler/core'
import { expect, test } from 'vitest'
import { withSoundCalls } from './sound-calls.ts'

const tools = [{ type: 'function', function: { name: 'ping' } }]

test.each<[string, { name: string; arguments: string }, unknown, string[]]>([
  ['a sound call', { name: 'ping', arguments: '{"host":"a"}' }, tools, []],
  ['no arguments', { name: 'ping', arguments: '' }, tools, []],
  ['broken arguments', { name: 'ping', arguments: '{bad' }, tools, ['INVALID_ARGUMENTS_JSON']],
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

test('a contract that speaks of tool calls is left alone', () => {
  const own = contract({ checks: ['tool_calls'] })
  expect(withSoundCalls(own)).toBe(own)
})

import { Answer, check, contract, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { techtime } from './index.ts'

const parameters = { type: 'object', properties: { host: { type: 'string' }, count: { type: 'integer' } }, required: ['host'] }
const tools = [{ type: 'function', function: { name: 'ping', parameters } }]

test.each<[string, string, string, string]>([
  ['are wrapped when the model keeps leaving them out', '"host": "gw", "count": 3', 'tool_calls', 'repaired'],
  ['are not where the arguments do not fit the tool', '"count": 3', 'tool_calls', 'unresolved'],
  ['are not where the answer was cut off', '"host": "gw", "count": 3', 'length', 'unresolved'],
  ['are not where a name is only similar', '"host": "gw"', 'tool_calls', 'unresolved'],
])('arguments without braces %s', async (name, given, finishReason, status) => {
  const call = { id: 'c', name: name.includes('similar') ? 'pingo' : 'ping', arguments: given }
  const runner = scripted([0, 1].map(() => ({ toolCalls: [call], finishReason })))
  const outcome = await enforce({ contract: contract({ preset: techtime }), runner, prompt: 'p', context: { tools } })
  expect([outcome.status, outcome.attempts]).toEqual([status, 2])
  if (status === 'repaired') expect(outcome.toolCalls[0]?.arguments).toBe(`{${given}}`)
})

test('the order is that of the diagnosis, and the next question may start over', async () => {
  const judged = async (content: string) => {
    const names = ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns', 'test_dns_resolution']
    const call = { id: 'c', type: 'function', function: { name: 'ping_dns', arguments: '{}' } }
    const transcript = [
      { role: 'user', content: 'My network is down.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
      { role: 'assistant', content: 'Shall I go on?' },
      { role: 'user', content },
    ]
    const answer = new Answer('', { toolCalls: names.map((name) => ({ name, arguments: '{}' })) })
    const { issues } = await check(contract({ preset: techtime, checks: ['tool_sequence'] }), answer, { context: { transcript } })
    return issues.map(({ code, severity, path }) => `${severity} ${code} ${path?.[1]}`)
  }
  expect(await judged('Why is the printer slow?')).toEqual([])
  expect(await judged('Ja')).toEqual([0, 1, 2].map((at) => `warning OUT_OF_ORDER ${at}`))
})

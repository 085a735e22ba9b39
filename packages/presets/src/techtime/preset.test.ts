import { contract, enforce } from '@stickler/core'
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

import { contract } from '@stickler/core'
import { expect, test } from 'vitest'
import { repairToolCall } from './index.ts'

const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const failed = (toolName: string, input: string) => ({
  toolCall: { type: 'tool-call', toolCallId: 'c', toolName, input, providerMetadata: { own: {} } },
  tools: { get_weather: {} },
  inputSchema: async () => schema,
})

test.each<[string, string, string, Parameters<typeof repairToolCall>[0]]>([
  ['get_weather', '{"city": "Rome",}', '{"city": "Rome"}', {}],
  ['getWeather', '{"city": "Rome", "days": "2"}', '{"city": "Rome", "days": 2}', { allow: ['lossless'] }],
  ['getWeather', '{"City": "Rome"}', '{"city": "Rome"}', contract({ checks: [{ max_words: { limit: 1 } }] })],
])('%s with %s is repaired', async (name, input, expected, rules) => {
  const call = failed(name, input)
  expect(await repairToolCall(rules)(call)).toEqual({ ...call.toolCall, toolName: 'get_weather', input: expected })
})

test.each([
  ['send_mail', '{}', {}],
  ['get_weather', '{"days": 2}', {}],
  ['get_weather', '{"city": "Ro', {}],
  ['get_weather', 'no JSON at all', {}],
  ['get_weather', '{"city": "Rome",}', { allow: [] }],
])('%s with %s and %j stays an error', async (name, input, rules) => {
  expect(await repairToolCall(rules)(failed(name, input))).toBeNull()
})

test('unknown options are refused', () => {
  expect(() => repairToolCall({ alow: [] } as never)).toThrow(/did you mean "allow"/)
})

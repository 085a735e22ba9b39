import { afterEach, describe, expect, test, vi } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { toolCalls } from './index.ts'
import { suggestTool, validateToolCall } from './validate-tool-call.ts'

const properties = { count: { type: 'integer', minimum: 1 }, host: { type: 'string' } }
const tools = [{ name: 'ping_gateway', parameters: { type: 'object', properties, required: ['count'] } }, { name: 'get_ip_config' }]

afterEach(() => {
  vi.restoreAllMocks()
})

describe('validateToolCall', () => {
  test.each<[string, string, unknown, string[]]>([
    ['a good call', 'ping_gateway', { count: 3 }, []],
    ['a good call as text', 'ping_gateway', '{"count": 3}', []],
    ['a number in quotes', 'ping_gateway', { count: '3' }, ['warning WRONG_TYPE']],
    ['an argument that is missing', 'ping_gateway', {}, ['error MISSING_ARGUMENT']],
    ['an argument that nobody knows', 'ping_gateway', { count: 3, hots: 'gw' }, ['warning UNKNOWN_ARGUMENT']],
    ['a tool that nobody knows', 'ping_gatway', { count: 3 }, ['error UNKNOWN_TOOL']],
    ['arguments that end early', 'ping_gateway', '{"host": "g', ['error TRUNCATED']],
    ['no object', 'ping_gateway', [3], ['error ARGUMENTS_NOT_OBJECT']],
  ])('%s', async (_case, name, given, expected) => {
    const issues = validateToolCall(name, given, tools)
    expect(issues.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected)
    // As the check of a contract says it, word for word.
    const call = { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
    const report = await check(contract({ checks: ['tool_calls'] }), new Answer('', { toolCalls: [call] }), { context: { tools } })
    expect(issues).toEqual(report.issues)
  })

  test('takes the options of the check, and a language', () => {
    const [strict] = validateToolCall('ping_gateway', { count: '3' }, tools, { strict: true })
    expect(strict?.severity).toBe('error')
    const [english] = validateToolCall('ping_gateway', {}, tools)
    const [german] = validateToolCall('ping_gateway', {}, tools, {}, 'de')
    expect([english?.code, german?.code]).toEqual(['MISSING_ARGUMENT', 'MISSING_ARGUMENT'])
    expect(german?.message).not.toBe(english?.message)
    expect(() => validateToolCall('ping_gateway', {}, tools, { strickt: true } as never)).toThrow(/strickt/)
  })

  test('a check that takes its time is not a valid call', () => {
    const later = async function* () {}
    vi.spyOn(toolCalls.definition, 'prepare').mockReturnValue({ check: later } as never)
    expect(() => validateToolCall('ping_gateway', {}, tools)).toThrow(/synchronously/)
  })

  test('its suggestion is that of suggestTool', () => {
    const names = tools.map(({ name }) => name)
    for (const name of ['ping_gatway', 'Get-IP-Config', 'something_else'])
      expect(validateToolCall(name, {}, tools)[0]?.suggestion).toBe(suggestTool(name, names)?.name)
  })
})

import { Answer, check, contract } from '@stickler/core'
import { readToolCalls, suggestTool, toolCalls, toolSequence } from '@stickler/core/validators'
import { describe, expect, test } from 'vitest'
import { phantomTools } from './phantom-tools/index.ts'

/** The tests of the TechTime plan, written anew; a remark tells where its Python fails them. */

const tools = [
  { name: 'check_adapter_status', parameters: [] },
  { name: 'get_ip_config', parameters: [] },
  { name: 'ping_gateway', parameters: [] },
  { name: 'test_dns_resolution', parameters: [{ name: 'hostnames', type: 'string', required: false, enum: null }] },
]
const order = ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns', 'test_dns_resolution']

async function validate(response: { tool_calls: unknown[]; final_response: string }, strict = false) {
  const rules = contract({ checks: [toolCalls({ strict }), phantomTools({}), toolSequence({ order, strict })] })
  const answer = new Answer(response.final_response, { toolCalls: readToolCalls(response) })
  const { issues } = await check(rules, answer, { context: { tools } })
  return {
    isValid: !issues.some(({ severity }) => severity === 'error'),
    errors: issues.filter(({ severity }) => severity === 'error'),
    warnings: issues.filter(({ severity }) => severity === 'warning'),
  }
}

const calling = (...names: string[]) => validate({ tool_calls: names.map((name) => ({ name })), final_response: '' })

describe('TestResponseValidator', () => {
  // `MagicMock(name=…)` names the mock and not the tool, so that the plan knows no tool at all here.
  test('test_valid_tool_call', async () => {
    expect((await calling('check_adapter_status')).isValid).toBe(true)
  })

  test('test_invalid_tool_name', async () => {
    const result = await calling('nonexistent_tool')
    expect(result.isValid).toBe(false)
    expect(result.errors[0]?.code).toBe('UNKNOWN_TOOL')
  })

  // The plan copies the errors of a call into the result of the response, but leaves it valid.
  test('a response with an unknown tool is invalid', async () => {
    const result = await validate({ tool_calls: [{ function: { name: 'nonexistent_tool', arguments: '{}' } }], final_response: 'Done.' })
    expect(result.isValid).toBe(false)
  })

  test('test_hallucinated_tool_warning', async () => {
    const result = await validate({ tool_calls: [], final_response: 'I ran check_network_status to diagnose' })
    expect(result.warnings.some(({ message }) => message.includes('check_network_status'))).toBe(true)
    expect(result.isValid).toBe(true)
  })

  // The plan looks at content only where there is some, so it never warns.
  test('test_empty_content_warning', async () => {
    const result = await validate({ tool_calls: [], final_response: '' })
    expect(result.warnings.map(({ code }) => code)).toEqual(['EMPTY_CONTENT'])
  })

  test('in strict mode a warning is an error, and no warning any more', async () => {
    const result = await validate({ tool_calls: [], final_response: '' }, true)
    expect([result.isValid, result.errors.length, result.warnings.length]).toEqual([false, 1, 0])
  })

  // In the plan `True` is a number, and `null` for arguments or for `function` is a crash.
  test.each([{ function: null }, null, 7, []])('a call that is %j is reported', async (call) => {
    expect((await validate({ tool_calls: [call], final_response: '' })).errors.map(({ code }) => code)).toEqual(['UNKNOWN_TOOL'])
  })
})

describe('TestDiagnosticSequence', () => {
  test('test_correct_sequence', async () => {
    const result = await calling('check_adapter_status', 'get_ip_config', 'ping_gateway')
    expect([result.isValid, result.warnings]).toEqual([true, []])
  })

  test('test_out_of_order_warning', async () => {
    expect((await calling('ping_gateway', 'check_adapter_status')).warnings.map(({ code }) => code)).toEqual(['OUT_OF_ORDER'])
  })

  // The plan says "called after 'ping_dns'", which nobody called.
  test('the message names a tool that was called', async () => {
    const [warning] = (await calling('ping_gateway', 'check_adapter_status')).warnings
    expect(warning?.message).toContain('ping_gateway')
    expect(warning?.message).not.toContain('ping_dns')
  })

  // The plan warns of the repeat, and of the last tool twice dies with an IndexError.
  test('a repeat is fine, also of the last tool', async () => {
    expect((await calling('get_ip_config', 'get_ip_config')).warnings).toEqual([])
    expect((await calling('test_dns_resolution', 'test_dns_resolution')).warnings).toEqual([])
    expect((await calling('test_dns_resolution', 'get_ip_config')).warnings.map(({ code }) => code)).toEqual(['OUT_OF_ORDER'])
  })
})

describe('TestResponseRecovery', () => {
  test('test_suggest_tool_close_match', () => {
    expect(suggestTool('check_adaptor_status', ['check_adapter_status', 'get_ip_config'])?.name).toBe('check_adapter_status')
  })

  test('test_suggest_tool_no_match', () => {
    expect(suggestTool('completely_different', ['check_adapter_status'])).toBeUndefined()
  })
})

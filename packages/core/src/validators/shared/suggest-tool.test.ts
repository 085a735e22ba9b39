import { describe, expect, test } from 'vitest'
import { suggestTool } from './suggest-tool.ts'

const tools = ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns']

describe('suggestTool', () => {
  test.each([
    ['ipconfig', { ipconfig: 'get_ip_config' }, { name: 'get_ip_config', kind: 'alias' }],
    ['IP-Config', { ipconfig: 'get_ip_config' }, { name: 'get_ip_config', kind: 'alias' }],
    ['ipconfig', { ipconfig: 'gone' }, { name: 'get_ip_config', kind: 'similar' }],
    ['Get-IP-Config', undefined, { name: 'get_ip_config', kind: 'same' }],
    ['GET_IP_CONFIG', { x: 'ping_dns' }, { name: 'get_ip_config', kind: 'same' }],
    ['getIpConfig', undefined, { name: 'get_ip_config', kind: 'same' }],
    ['get\u200b_ip_config\n', undefined, { name: 'get_ip_config', kind: 'similar' }],
    ['check_adaptor_status', undefined, { name: 'check_adapter_status', kind: 'similar' }],
    // An empty record leaves nothing but similarity.
    ['GET_IP_CONFIG', {}, undefined],
    ['completely_different', undefined, undefined],
    ['', undefined, undefined],
    ['___', undefined, undefined],
    ['__proto__', undefined, undefined],
    ['constructor', { toString: 'ping_dns' }, undefined],
    // Cyrillic letters are other letters.
    ['\u0440ing_dns', undefined, { name: 'ping_dns', kind: 'similar' }],
  ])('%j with aliases %j', (name, aliases, expected) => {
    expect(suggestTool(name, tools, { aliases: aliases as Record<string, string> | undefined })).toEqual(expected)
  })

  test('tools that differ in case or punctuation only are a guess', () => {
    expect(suggestTool('GETX', ['get_x', 'getX', 'GetX'], { cutoff: 0.2 })).toEqual({ name: 'GetX', kind: 'similar' })
    expect(suggestTool('run-v1-1', ['run_v11', 'run_v1_1'])).toEqual({ name: 'run_v1_1', kind: 'same' })
  })
})

test('says what is wrong with its arguments', () => {
  expect(() => suggestTool(undefined as never, ['a'])).toThrow('the name of a tool must be a string')
  for (const tools of [undefined, null, 5]) expect(() => suggestTool('a', tools as never)).toThrow('tools must be a list of names')
})

import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { toolCalls } from '../../validators/tool-calls/index.ts'
import { Answer } from '../answer.ts'
import { readToolCalls } from '../tool-calls.ts'
import { allowsOneCall, offeredTools, type ToolOffer } from './offered-tools.ts'

const tool = (name: string) => ({ type: 'function', function: { name } })
const both = [tool('ok'), tool('other')]
const allowed = { mode: 'auto', tools: [tool('ok')] }

describe('a choice among ok and other', () => {
  test.each<[unknown, readonly string[] | undefined]>([
    [undefined, ['ok', 'other']],
    [null, ['ok', 'other']],
    ['auto', ['ok', 'other']],
    ['AUTO', ['ok', 'other']],
    ['required', ['ok', 'other']],
    ['any', ['ok', 'other']],
    [{ type: 'auto' }, ['ok', 'other']],
    [{ type: 'any', disable_parallel_tool_use: true }, ['ok', 'other']],
    [{ mode: 'required' }, ['ok', 'other']],
    ['none', []],
    ['NONE', []],
    ['None', []],
    [' none ', []],
    [{ type: 'none' }, []],
    [{ type: 'NONE' }, []],
    [{ mode: 'none' }, []],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'none', tools: both } }, []],
    [{ type: 'allowed_tools', mode: 'none', tools: both }, []],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } }, []],
    ['ok', ['ok']],
    [{ type: 'function', function: { name: 'ok' } }, ['ok']],
    [{ function: { name: 'ok' } }, ['ok']],
    [{ type: 'tool', name: 'ok' }, ['ok']],
    [{ type: 'tool', toolName: 'ok' }, ['ok']],
    [{ type: 'allowed_tools', allowed_tools: allowed }, ['ok']],
    [{ allowed_tools: allowed }, ['ok']],
    [{ type: 'allowed_tools', ...allowed }, ['ok']],
    [{ allowed_tools: ['ok'] }, ['ok']],
    [{ type: 'function', function: { name: 'absent' } }, []],
    ['OK', undefined],
    ['', undefined],
    ['absent', undefined],
    [{}, undefined],
    [[], undefined],
    [5, undefined],
    [{ type: 'web_search_preview' }, undefined],
    [{ type: 'mcp', server_label: 'x', name: 'other' }, undefined],
    [{ type: 'function' }, undefined],
    [{ allowed_tools: 'ok' }, undefined],
    [{ type: 'allowed_tools' }, undefined],
  ])('%j', (toolChoice, names) => {
    expect(offeredTools({ tools: both, toolChoice })?.map(({ name }) => name)).toEqual(names)
    expect(offeredTools({ tools: [], toolChoice })).toEqual([])
  })

  test.each<[unknown, unknown, readonly string[] | undefined]>([
    ['auto', 'none', []],
    ['auto', { name: 'ok' }, ['ok']],
    ['other', { name: 'ok' }, []],
    ['none', 'what', []],
    ['auto', 'what', undefined],
  ])('%j beside function_call %j', (toolChoice, functionCall, names) => {
    expect(offeredTools({ tools: both, toolChoice, functionCall })?.map(({ name }) => name)).toEqual(names)
  })
})

test('tools of the provider offer no function', () => {
  const types = ['web_search', 'web_search_20250305', 'file_search', 'code_interpreter', 7]
  expect(offeredTools({ tools: types.map((type) => ({ type, name: 'other' })) })).toEqual([])
  const own = [undefined, null, 'function', 'custom', 'bash_20250124']
  expect(offeredTools({ tools: own.map((type, at) => ({ type, name: `t${at}` })) })).toHaveLength(own.length)
})

test.each([
  ['local_shell', 'local_shell_call'],
  ['shell', 'shell_call'],
  ['apply_patch', 'apply_patch_call'],
  ['computer_use_preview', 'computer_call'],
  ['mcp', 'mcp_approval_request'],
])('the tool %s offers its own calls, and no function offers them', (type, item) => {
  const labelled = { server_label: 'files' }
  const [call] = readToolCalls({ output: [{ type: item, call_id: 'c', ...labelled, action: { command: ['ls'] } }] })
  const names = (tools: readonly object[], toolChoice?: unknown) => offeredTools({ tools, toolChoice })?.map(({ name }) => name)
  expect(names([{ type, ...labelled }])).toEqual([call?.name])
  expect(names([{ type, ...labelled }], 'none')).toEqual([])
  expect(
    names([
      { type: 'function', name: type },
      { type: 'custom', name: item },
    ]),
  ).not.toContain(call?.name)
  expect(names([{ type, server_label: 'other' }])?.includes(call?.name ?? '')).toBe(type !== 'mcp')
  expect(names([{ type, ...labelled }, ...both], { type: 'allowed_tools', mode: 'auto', tools: [{ type, ...labelled }] })).toEqual([
    call?.name,
  ])
  expect(JSON.parse(call?.arguments ?? '')).toMatchObject({ action: { command: ['ls'] } })
})

test('a namespace offers its functions', () => {
  const tools = [{ type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'list_orders' }] }]
  expect(offeredTools({ tools })?.map(({ name }) => name)).toEqual(['list_orders'])
})

describe('calls where one is allowed', () => {
  const one = { name: 'ok', arguments: '{}' }
  test.each<[ToolOffer, number, string[]]>([
    [{ parallelToolCalls: false }, 2, ['PARALLEL_CALLS']],
    [{ parallelToolCalls: false }, 1, []],
    [{ parallelToolCalls: true }, 2, []],
    [{}, 2, []],
    [{ toolChoice: { type: 'auto', disable_parallel_tool_use: true } }, 2, ['PARALLEL_CALLS']],
  ])('%j with %d', async (offer, count, codes) => {
    const answer = new Answer('', { toolCalls: Array.from({ length: count }, () => one) })
    const context = { tools: both, ...offer }
    expect(allowsOneCall(context)).toBe(codes.length > 0 || offer.parallelToolCalls === false)
    for (const locale of ['en', 'de'] as const) {
      const { issues } = await check(contract({ checks: [toolCalls({})], locale }), answer, { context })
      expect(issues.map(({ code }) => code)).toEqual(codes)
    }
  })
})

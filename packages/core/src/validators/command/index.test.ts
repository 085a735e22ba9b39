import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import type { CommandRule } from '../../contract/rules/rule-port.ts'
import { check } from '../../engine/check/check.ts'
import { localeFaults } from '../../testing/locale-faults.ts'

const options: { name: string; run: [string, ...string[]] } = { name: 'polite', run: ['python3', 'rule.py'] }

describe('command', () => {
  test('asks its port with all that a process needs', async () => {
    let asked: CommandRule | undefined
    const ask = async (rule: CommandRule) => {
      asked = rule
      return { issues: [{ message: 'Say please.' }] }
    }
    const { issues } = await check(contract({ checks: [{ command: options }], locale: 'de' }), 'Hi.', { ports: { command: { ask } } })
    expect(asked).toEqual({ ...options, processes: 2, env: [], timeoutMs: 2000, startMs: 10_000 })
    expect(issues).toEqual([
      { code: 'COMMAND_RULE', severity: 'error', validator: 'polite', message: 'Halte die Regel polite ein: "Say please".' },
    ])
  })

  test('without a port the rule is unchecked, and says what to do', async () => {
    const { unchecked } = await check(contract({ checks: [{ command: options }] }), 'Hi.')
    expect(unchecked).toMatchObject([{ validator: 'polite', cause: 'unavailable' }])
    expect(unchecked[0]?.message).toContain('provide `ports.command`')
  })

  test.each([
    { run: [] },
    { run: 'python3 rule.py' },
    { run: [''] },
    { run: ['a\0b'] },
    { processes: 0 },
    { processes: 1000 },
    { env: ['KEY=secret'] },
    { shell: true },
    { timeoutMs: 0 },
  ])('the options %j are refused', (wrong) => {
    expect(() => contract({ checks: [{ command: { ...options, ...wrong } as never }] })).toThrow('checks.0.command')
  })
})

test('says everything in both languages', async () => {
  expect(await localeFaults('command', [{ options: { name: 'regel', run: ['rule'] }, text: 'Hallo.' }])).toEqual([])
})

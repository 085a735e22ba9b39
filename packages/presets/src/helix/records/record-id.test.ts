import { check } from '@stickler/core'
import { expect, test } from 'vitest'
import { contract } from '../../testing/contract.ts'

const record = (id: string): string => `---\nadr_id: ${id}\ntitle: x\n---\n\n# x\n`

test.each([
  ['002', '002'],
  ['7', '7'],
  ['"002"', '002'],
  ['0o17 # octal', '0o17'],
  ['1.50', '1.50'],
  ['ADR-003', 'ADR-003'],
  ['0x1F', '0x1F'],
  ['[1]', undefined],
])('an issue names the record with the id %s as it is written', async (id, named) => {
  const { issues } = await check(contract({ checks: ['adr_structure'] }), `${record('1')}\n${record(id)}`)
  const about = issues.filter(({ path }) => path?.[1] === 1)
  expect(about.length).toBeGreaterThan(0)
  for (const { message } of about) expect(message.startsWith(`In record 2${named === undefined ? '' : ` (${named})`}: `)).toBe(true)
})

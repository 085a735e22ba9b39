import { contract, settle, UndeliveredError } from '@stickler/core'
import { expect, test } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'
import { Secrets } from './secrets.ts'

const address = 'jane.doe@other.org'
const card = '4111 1111 1111 1111'
const text = `# Title\n\nWrite to ${address}, pay with ${card} <!-- STEP: whta -->\n`

const ways: readonly (readonly [what: string, argv: readonly string[]])[] = [
  ['text', []],
  ['JSON', ['--json']],
  ['JUnit', ['--format', 'junit']],
  ['SARIF', ['--format', 'sarif']],
  ['annotations', ['--format', 'github']],
  ['a diff', ['--dry-run']],
]

const rules: readonly (readonly [what: string, argv: readonly string[]])[] = [
  ['found', ['--check', 'sensitive']],
  ['redacted', ['--check', 'sensitive={"redact":true}']],
  ['found beside other errors', ['--check', 'sensitive', '--check', 'step_marker', '--check', 'max_words={"limit":2}']],
  ['redacted with other repairs', ['--check', 'sensitive={"redact":true}', '--check', 'step_marker']],
  ['found where repairs are off', ['--check', 'sensitive={"redact":true}', '--repair', 'never']],
]

test.each(ways.flatMap(([way, argv]) => rules.map(([what, checks]) => [way, what, [...argv, ...checks]] as const)))(
  '%s never shows what sensitive has %s',
  async (_way, _what, argv) => {
    const cwd = await folderWith({ 'a.md': text })
    const { stdout, stderr } = await runCli(['check', 'a.md', ...argv], { cwd })
    expect(stdout + stderr).not.toBe('')
    for (const secret of [address, 'jane', 'other.org', card, '1111']) expect(stdout + stderr).not.toContain(secret)
  },
)

test('the place of what is sensitive is still shown', async () => {
  const cwd = await folderWith({ 'a.md': text })
  const { stdout } = await runCli(['check', 'a.md', '--check', 'sensitive'], { cwd })
  expect(stdout).toContain(`  3 | Write to ${'*'.repeat(18)}, pay with **** **** **** **** <!-- STEP: whta -->`)
  expect(stdout).toContain('- [hidden]\n    + [EMAIL]')
})

test('what is reported is still a result when secrets are hidden in it', async () => {
  const rules = contract({ checks: ['sensitive'] })
  const settled = await settle(rules, text)
  const hidden = new Secrets([address]).hideInSettled(settled)
  expect([hidden.ok, hidden.status]).toEqual([false, 'unresolved'])
  expect(() => hidden.unwrap()).toThrow(UndeliveredError)
})

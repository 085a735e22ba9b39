import { describe, expect, test } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

const rules = `
contracts:
  soft:
    fallback: Please ask again later.
    retries: 0
    checks:
      - max_words: { limit: 2 }
        severity: warning
      - contains: { none: [never, { text: cheap, code: TONE, severity: warning }] }
        when: { model: "gpt-*", tag: public }
upstreams:
  - { name: model, kind: scripted, answers: [A cheap thing, I never do] }
`
const files = { 'stickler.yaml': rules, 'a.md': 'A cheap thing.' }
const met = ['--request', 'model=gpt-5', '--request', 'tag=internal', '--request', 'tag=public']
const check = (format: string, more: readonly string[] = met) => runCli(['check', 'a.md', '--format', format, ...more], { files })

describe('a warning in the reports of the command', () => {
  test.each<[string, RegExp, RegExp]>([
    ['text', /a\.md: valid \(2 warnings\)[\s\S]*warning MAX_WORDS[\s\S]*warning TONE/, /error/],
    ['json', /"code": ?"TONE",\s*"severity": ?"warning"/, /"severity": ?"error"/],
    ['github', /^::warning file=a\.md.*TONE/m, /^::error/m],
    ['junit', /<testcase [^>]*name="a\.md"/, /<failure|<error/],
    ['sarif', /"level": ?"warning"/, /"level": ?"error"[^}]*"ruleId": ?"TONE"/],
  ])('%s', async (format, has, lacks) => {
    const { code, stdout } = await check(format)
    expect(code).toBe(0)
    expect(stdout).toMatch(has)
    expect(stdout).not.toMatch(lacks)
  })

  test('a check that does not apply is skipped, and an unknown request is refused', async () => {
    expect((await check('text', ['--request', 'model=gpt-5'])).stdout).toContain('skipped contains: its condition is not met')
    expect(JSON.parse((await check('json', [])).stdout)).toMatchObject({ results: [{ status: 'valid', skipped: ['contains'] }] })
    const wrong = await check('text', ['--request', 'modle=gpt-5'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "model"')])
  })
})

test('stickler run delivers the fallback, and says so', async () => {
  const { code, stdout, stderr } = await runCli(['run', 'Do you?', ...met, '--upstream', 'model'], {
    files: { ...files, 'stickler.yaml': rules.replace('A cheap thing, ', '') },
  })
  expect([code, stdout.trim()]).toEqual([1, 'Please ask again later.'])
  expect(stderr).toMatch(/delivering the fallback[\s\S]*unresolved after 1 attempt/)
})

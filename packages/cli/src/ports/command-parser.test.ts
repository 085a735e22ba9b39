import { beforeAll, expect, test } from 'vitest'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { runCli } from '../testing/run-cli.ts'

beforeAll(() => requireBuilt(['core', 'parser']))

const code = (source: string) => `Here it is.\n\n\`\`\`json\n${source}\n\`\`\`\n`
const checked = (source: string, setting: { env?: Record<string, string>; files?: Record<string, string> } = {}) =>
  runCli(['check', '-', '--check', 'code_syntax'], { stdin: code(source), ...setting })
const nowhere = 'grpc://127.0.0.1:9'

test('code is parsed without any configuration', async () => {
  expect(await checked('{"a": 1}')).toMatchObject({ code: 0 })
  expect(await checked('{"a": }')).toMatchObject({ code: 1 })
})

test('the parser of the environment is used: one that is not there gives no verdict', async () => {
  const { code: ended, stdout, stderr } = await checked('{"a": }', { env: { AVAP_PARSER_URL: nowhere } })
  expect({ ended, said: stdout + stderr }).toMatchObject({ ended: 1, said: expect.stringContaining('could not be checked') })
})

test('the parser of the configuration is used before that of the environment', async () => {
  const files = { 'stickler.yaml': 'parser: local\n' }
  expect(await checked('{"a": 1}', { files, env: { AVAP_PARSER_URL: nowhere } })).toMatchObject({ code: 0 })
  const { stdout, stderr } = await checked('{"a": 1}', { files: { 'stickler.yaml': `parser: ${nowhere}\n` } })
  expect(stdout + stderr).toContain('could not be checked')
})

test.each([
  ['AVAP_PARSER_URL', 'http://parser:1'],
  ['AVAP_PARSER_TIMEOUT', 'soon'],
  ['PARSER_CB_THRESHOLD', '0'],
  ['PARSER_CB_COOLDOWN', '-1'],
])('a malformed %s ends the command', async (name, value) => {
  const { code: ended, stderr } = await checked('{"a": 1}', { env: { [name]: value } })
  expect({ ended, stderr }).toMatchObject({ ended: 2, stderr: expect.stringContaining(name) })
})

test('what the parser needs is not looked at where no check needs one', async () => {
  const env = { AVAP_PARSER_URL: 'nonsense' }
  expect(await runCli(['check', '-', '--check', 'max_words'], { stdin: 'x', env })).not.toMatchObject({
    stderr: expect.stringContaining('AVAP'),
  })
})

import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../e2e/support/require-built.ts'
import { commandPlugins } from './plugins.ts'
import { folderWith, runCli } from './testing/run-cli.ts'

beforeAll(() => requireBuilt(['core', 'gateway']))

const rule = (name: string, word = 'loud') => `
import { defineValidator, issue } from '@stickler/core'
import * as z from 'zod'
export const rule = defineValidator({
  name: '${name}',
  summary: 'A word is absent.',
  options: z.strictObject({ most: z.int().min(0).default(0).describe('How often it may occur.') }),
  codes: { ${name.toUpperCase()}: { severity: 'error', when: 'The word occurs.', fix: 'Leave it out.' } },
  instruct: () => 'Do not say ${word}.',
  prepare: ({ most }) => ({
    *check({ text }) {
      console.log('printed by a check')
      const count = text.split('${word}').length - 1
      if (count > most) yield issue('${name.toUpperCase()}', \`Say ${word} at most \${most} times, not \${count} times.\`)
    },
  }),
})
`
/** A package that offers its validators to imports alone. */
const acme = {
  'node_modules/@acme/stickler-rules/package.json':
    '{ "name": "@acme/stickler-rules", "type": "module", "exports": { ".": { "import": "./main.js" } } }',
  'node_modules/@acme/stickler-rules/main.js': `
    const validate = (value) => (typeof value === 'object' ? { value } : { issues: [{ message: 'must be an object' }] })
    const jsonSchema = { input: () => ({ type: 'object', properties: { level: { type: 'integer', description: 'How calm.' } } }) }
    export const calm = {
      name: 'calm', summary: 'No exclamation mark.', instruct: () => 'Stay calm.',
      options: { '~standard': { version: 1, vendor: 'acme', validate, jsonSchema } },
      codes: { EXCITED: { severity: 'warning', when: 'There is an exclamation mark.', fix: 'Use a full stop.' } },
      prepare: () => ({ check: ({ text }) => (text.includes('!') ? [{ kind: 'issue', code: 'EXCITED', message: 'Stay calm.' }] : []) }),
    }`,
}
const good = {
  ...acme,
  'rules.mjs': rule('not_loud'),
  'answer.md': 'It is loud!\n',
  'stickler.yaml': `plugins: [./rules.mjs, "@acme/stickler-rules"]
upstreams: [{ name: demo, kind: scripted, answers: ['So loud.', 'So quiet.'] }]
contracts: { answers: { checks: [not_loud, calm] } }
routes: [{ model: demo, upstream: demo, contract: answers }]
`,
}

test('every command knows validators of plugins', async () => {
  const cwd = await folderWith(good)
  // One set of threads for all of them.
  const own = commandPlugins()
  onTestFinished(() => own.close())
  const plugins = { ...own, close: async () => {} }
  const run = (...argv: string[]) => runCli(argv, { cwd, plugins })
  const [checked, chosen, asked, listed, explained, schema, doctor] = await Promise.all([
    run('check', 'answer.md'),
    run('check', '--check', 'not_loud={"most":1}', 'answer.md'),
    run('run', 'Hi'),
    run('list'),
    run('explain', 'EXCITED'),
    run('schema'),
    run('doctor'),
  ])
  expect(checked.code).toBe(1)
  expect(checked.stdout).toContain('error NOT_LOUD Say loud at most 0 times, not 1 times.')
  expect(checked.stdout).toContain('warning EXCITED Stay calm.')
  expect(checked.stdout).not.toContain('printed by a check')
  expect(chosen).toMatchObject({ code: 0, stdout: 'answer.md: valid\n' })
  expect(asked).toMatchObject({ code: 0, stdout: 'So quiet.\n' })
  expect(listed.stdout).toMatch(/not_loud\n {2}A word is absent\.\n {4}most {2}integer {2}default 0 {2}How often it may occur\./)
  expect(listed.stdout).toMatch(/calm\n {2}No exclamation mark\.\n {4}level {2}integer {4}How calm\./)
  expect(explained.stdout).toMatch(/EXCITED: warning, reported by calm\n(?:.*\n)*.*main\.js/)
  const options = JSON.parse(schema.stdout).properties.contracts.additionalProperties.properties.checks.items.anyOf
  expect(JSON.stringify(options)).toContain('"not_loud":{"anyOf":[{"type":"object","properties":{"most":')
  expect(doctor.stdout).toContain('./rules.mjs: not_loud, from ')
  expect(doctor.stdout).toContain('@acme/stickler-rules: calm, from ')
})

test('lines of --jsonl may name validators of plugins, each with its own options', async () => {
  const lines = [
    { id: 1, checks: ['not_loud'] },
    { id: 2, checks: [{ not_loud: { most: 9 } }] },
    { id: 3, checks: [{ not_loud: { mots: 9 } }] },
  ]
  const stdin = lines.map((line) => JSON.stringify({ ...line, text: 'loud' })).join('\n')
  const { stdout } = await runCli(['check', '--jsonl'], { files: good, stdin })
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(results).toMatchObject([
    { id: 1, status: 'unresolved', issues: [{ code: 'NOT_LOUD' }] },
    { id: 2, status: 'valid' },
    { id: 3, error: { message: 'checks.0.not_loud.mots: unknown key "mots"; did you mean "most"?' } },
  ])
})

test('a plugin that does not end is unchecked, and ends with the command', async () => {
  const looping = rule('not_loud').replace('console.log', 'for (;;); console.log')
  const { code, stdout } = await runCli(['check', 'answer.md'], {
    files: { ...good, 'rules.mjs': looping },
    plugins: commandPlugins({ deadlineMs: 1000 }),
  })
  expect(code).toBe(1)
  expect(stdout).toContain('unchecked not_loud (timeout)')
  expect(stdout).toContain('warning EXCITED')
})

test('what is wrong with plugins is told by its place, all at once', async () => {
  const files = {
    ...good,
    'throws.mjs': 'throw new Error("no \\u001b[31mluck\\nhere")',
    'none.mjs': 'export const a = 1',
    'twin.mjs': rule('not_loud'),
    'ours.mjs': rule('max_words'),
    'broken.mjs': 'export const a = {{',
    'needs.mjs': 'import "not-there"',
    'wrong.yaml': `plugins:
  - ./ruels.mjs
  - "@acme/stickler-rule"
  - rules.mjs
  - ./throws.mjs
  - ./none.mjs
  - ./rules.mjs
  - ./twin.mjs
  - ./ours.mjs
  - ./broken.mjs
  - ./needs.mjs
  - ./rules.mjs
  - ./node_modules
contracts:
  a: { checks: [{ not_loud: { most: -1 } }, not_lout] }
`,
  }
  const { code, stderr } = await runCli(['check', '--config', 'wrong.yaml', '--contract', 'a', 'answer.md'], { files })
  expect(code).toBe(2)
  const folder = /in (\S+) or above/.exec(stderr)?.[1] ?? ''
  expect(stderr.replaceAll(folder, 'FOLDER').trim().split('\n')).toEqual([
    'wrong.yaml:2:5: plugins.0: there is no file ./ruels.mjs; did you mean "./rules.mjs"?',
    'wrong.yaml:3:5: plugins.1: there is no package @acme/stickler-rule in FOLDER or above it; did you mean "@acme/stickler-rules"?',
    'wrong.yaml:4:5: plugins.2: there is no package rules.mjs; did you mean the file "./rules.mjs"?',
    'wrong.yaml:5:5: plugins.3: ./throws.mjs could not be loaded: no  [31mluck here (line 1)',
    'wrong.yaml:6:5: plugins.4: ./none.mjs: it exports no validator made with defineValidator; its exports are: a',
    'wrong.yaml:8:5: plugins.6: ./twin.mjs and ./rules.mjs both have a validator not_loud: rename one of them',
    'wrong.yaml:9:5: plugins.7: ./ours.mjs has a validator max_words, which is also the name of a built-in one: rename it',
    expect.stringMatching(/^wrong\.yaml:10:5: plugins\.8: \.\/broken\.mjs could not be loaded: SyntaxError: /),
    expect.stringMatching(/^wrong\.yaml:11:5: plugins\.9: \.\/needs\.mjs could not be loaded: Cannot find package 'not-there'/),
    'wrong.yaml:12:5: plugins.10: ./rules.mjs is listed twice',
    'wrong.yaml:13:5: plugins.11: ./node_modules is not a file; name the module itself, such as ./node_modules/index.mjs',
    expect.stringMatching(/^wrong\.yaml:15:31: contracts\.a\.checks\.0\.not_loud\.most: /),
    'wrong.yaml:15:45: contracts.a.checks.1: unknown validator "not_lout"; did you mean "not_loud"?',
  ])
})

describe('stickler new validator', () => {
  test('writes a validator, its test and the lines for the configuration, and overwrites nothing', async () => {
    const cwd = await folderWith({})
    const first = await runCli(['new', 'validator', 'no_hype', '--dir', 'rules'], { cwd })
    expect(first.stderr).toBe('wrote rules/no_hype.mjs and rules/no_hype.test.mjs\n')
    expect(first.stdout).toContain('plugins: [./rules/no_hype.mjs]\n')
    const written = await readFile(`${cwd}/rules/no_hype.mjs`, 'utf8')
    const again = await runCli(['new', 'validator', 'no_hype', '--dir', 'rules'], { cwd })
    expect(again).toMatchObject({ code: 2, stderr: 'stickler: cannot write no_hype.mjs: it already exists\n' })
    expect(await readFile(`${cwd}/rules/no_hype.mjs`, 'utf8')).toBe(written)
  })

  test('leaves nothing behind when one of the files is there', async () => {
    const cwd = await folderWith({ 'no_hype.test.mjs': 'mine' })
    expect((await runCli(['new', 'validator', 'no_hype'], { cwd })).stderr).toContain('cannot write no_hype.test.mjs: it already exists')
    await expect(readFile(`${cwd}/no_hype.mjs`)).rejects.toThrow('ENOENT')
    expect(await readFile(`${cwd}/no_hype.test.mjs`, 'utf8')).toBe('mine')
  })

  test.each([
    ['NoHype!', 'snake case, such as no_hype'],
    ['../x', 'snake case, such as x'],
    ['json', 'a validator named json already exists'],
  ])('refuses the name %s', async (name, message) => {
    const { code, stderr } = await runCli(['new', 'validator', name])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli, type Setting } from '../testing/run-cli.ts'

const answer = { 'a.md': 'one two three <!-- STEP: done -->' }
const config = `
upstreams: []
contracts:
  brief: { checks: [{ max_words: { limit: 1 } }], repair: never }
  chat:
    preset: helix
    checks: [step_marker]
`

const check = (argv: readonly string[], files: NonNullable<Setting['files']> = {}) =>
  runCli(['check', ...argv, 'a.md'], { files: { ...answer, ...files } })

describe('choosing a contract', () => {
  it('takes one of stickler.yaml by name', async () => {
    expect((await check(['--contract', 'brief'], { 'stickler.yaml': config })).stdout).toContain('MAX_WORDS')
    expect(await check(['--contract', 'chat'], { 'stickler.yaml': config })).toMatchObject({
      code: 0,
      stdout: 'a.md: valid\n  step: done\n',
    })
  })
  it('takes one of another configuration', async () => {
    expect(await check(['--config', 'conf/x.yaml', '--contract', 'chat'], { 'conf/x.yaml': config })).toMatchObject({ code: 0 })
  })
  it('takes the only one without being told', async () => {
    expect((await check([], { 'stickler.yaml': 'contracts: { it: { checks: [step_marker] } }' })).stdout).toBe(
      'a.md: valid\n  step: done\n',
    )
  })
  it('takes a file that is a contract', async () => {
    const bare = 'checks:\n  - max_words: { limit: 2 }\n'
    expect((await check(['--contract', 'brief.yaml'], { 'brief.yaml': bare })).code).toBe(1)
    expect((await check(['--contract', './brief'], { brief: 'preset: helix\nchecks: [step_marker]\n' })).code).toBe(0)
    expect((await check(['--contract', 'one.json'], { 'one.json': '{"contracts": {"a": {"checks": ["step_marker"]}}}' })).code).toBe(0)
  })
  it('takes a preset', async () => {
    expect((await check(['--preset', 'helix'])).stdout).toBe('a.md: valid\n  step: done\n')
  })
  it('finds schema files beside the file that names them, and those of the command line in the current folder', async () => {
    const files = {
      'a.md': '{"n":"x"}',
      'conf/stickler.yaml': 'contracts: { it: { checks: [json: { schemaFile: s.json }], repair: never } }',
      'conf/s.json': '{"type":"object","properties":{"n":{"type":"integer"}}}',
      'here.json': '{"type":"array"}',
    }
    expect((await check(['--config', 'conf/stickler.yaml'], files)).stdout).toMatch(/SCHEMA_MISMATCH/)
    expect((await check(['--check', 'json={"schemaFile":"here.json"}', '--repair', 'never'], files)).stdout).toMatch(/SCHEMA_MISMATCH/)
    expect((await check(['--check', 'json={"schemaFile":"conf/s.json"}', '--repair', 'never'], files)).stdout).toContain('SCHEMA_MISMATCH')
  })
  it('needs no configuration for checks, not even a sound one', async () => {
    expect((await check(['--check', 'step_marker'], { 'stickler.yaml': 'nonsense' })).code).toBe(0)
  })
  it('lets --check choose among the checks of a contract, with their options, and add others', async () => {
    const files = { 'stickler.yaml': 'contracts: { it: { checks: [{ max_words: { limit: 1 } }, step_marker] } }' }
    expect((await check(['--contract', 'it', '--check', 'step_marker'], files)).stdout).toBe('a.md: valid\n  step: done\n')
    expect((await check(['--contract', 'it', '--check', 'max_words'], files)).stdout).toContain('at most 1 word;')
    expect((await check(['--contract', 'it', '--check', 'max_words={"limit":2}'], files)).stdout).toContain('at most 2 words')
    expect((await check(['--contract', 'it', '--check', 'adr_structure={"required":true}'], files)).stdout).toContain('MISSING_YAML_HEADER')
  })
})

describe('mistakes', () => {
  const wrong: readonly (readonly [what: string, argv: readonly string[], files: NonNullable<Setting['files']>, says: string | RegExp])[] =
    [
      ['nothing is said', [], {}, /^stickler: choose what to check with --check NAME, --preset NAME or --contract NAME/],
      [
        'there is a choice',
        [],
        { 'stickler.yaml': config },
        'stickler: stickler.yaml has several contracts; choose with --contract: brief, chat\n',
      ],
      [
        'an unknown contract',
        ['--contract', 'breif'],
        { 'stickler.yaml': config },
        'stickler: stickler.yaml: unknown contract "breif"; did you mean "brief"?\n',
      ],
      ['a prototype as contract', ['--contract', 'constructor'], { 'stickler.yaml': config }, /unknown contract "constructor"/],
      ['no configuration', ['--contract', 'brief'], {}, /^stickler: there is no stickler\.yaml to find the contract "brief" in/],
      ['no such configuration', ['--config', 'x.yaml', '--contract', 'brief'], {}, 'stickler: cannot read x.yaml: there is no such file\n'],
      ['no such contract file', ['--contract', 'x.yaml'], {}, 'stickler: cannot read x.yaml: there is no such file\n'],
      ['an unknown preset', ['--preset', 'helx'], {}, 'stickler: --preset: unknown preset "helx"; did you mean "helix"?\n'],
      [
        'an unknown check',
        ['--check', 'step_markr'],
        {},
        'stickler: --check: unknown validator "step_markr"; did you mean "step_marker"?\n',
      ],
      ['a bad option', ['--check', 'max_words={"limit":0}'], {}, /^stickler: --check max_words\.limit: /],
      [
        'a check twice',
        ['--check', 'step_marker', '--check', 'step_marker'],
        {},
        'stickler: --check: step_marker is listed twice; write all its options in one entry\n',
      ],
      ['contract and preset', ['--contract', 'a', '--preset', 'b'], {}, 'stickler: --contract and --preset exclude each other\n'],
      ['json and jsonl', ['--json', '--jsonl', '--check', 'step_marker'], {}, 'stickler: --json and --jsonl exclude each other\n'],
      [
        'a file that is a configuration',
        ['--contract', 'x.yaml'],
        { 'x.yaml': config },
        /^x\.yaml is a configuration; choose one of its contracts with --config x\.yaml --contract NAME\n$/,
      ],
      [
        'an empty contract file',
        ['--contract', 'x.yaml'],
        { 'x.yaml': 'retries: 1' },
        'x.yaml:1:1: a contract needs `checks` or a `preset`\n',
      ],
      [
        'mistakes in a file',
        ['--contract', 'brief'],
        { 'stickler.yaml': 'contract:\n  brief: {}\n' },
        'stickler.yaml:1:1: contract: unknown key "contract"; did you mean "contracts"?\n',
      ],
      [
        'mistakes in parts that only the gateway uses',
        ['--contract', 'brief'],
        { 'stickler.yaml': 'server: { prot: 1 }\nroutes: [{ model: a, upstream: b }]\n' },
        'stickler.yaml:1:11: server.prot: unknown key "prot"; did you mean "port"?\n' +
          'stickler.yaml:2:22: routes.0.upstream: unknown upstream "b"; known: none\n',
      ],
      [
        'a schema file that is not there',
        ['--check', 'json={"schemaFile":"gone.json"}'],
        {},
        'stickler: --check json.schemaFile: cannot read gone.json: there is no such file\n',
      ],
      [
        'misspelt keywords of a schema',
        ['--contract', 'a'],
        {
          'stickler.yaml':
            'contracts:\n  a:\n    checks:\n      - json:\n          schema:\n            properties: { n: { maxlength: 3 } }\n            requierd: [n]\n',
        },
        'stickler.yaml:6:32: contracts.a.checks.0.json.schema.properties.n.maxlength: unknown keyword "maxlength"; did you mean "maxLength"?\n' +
          'stickler.yaml:7:13: contracts.a.checks.0.json.schema.requierd: unknown keyword "requierd"; did you mean "required"?\n',
      ],
      [
        'misspelt keywords in the file of a schema',
        ['--contract', 'a'],
        {
          'stickler.yaml': 'contracts: { a: { checks: [json: { schemaFile: s.json }] } }',
          's.json': '{\n\t"type": "object",\n\t"propertes": { "n": {} }\n}\n',
        },
        's.json:3:2: contracts.a.checks.0.json.schemaFile.propertes: unknown keyword "propertes"; did you mean "properties"?\n',
      ],
      [
        'misspelt keywords in the file of a schema on the command line',
        ['--check', 'json={"schemaFile":"s.json"}'],
        { 's.json': '{ "type": "object",\n  "items": { "enums": [1] } }' },
        'stickler: s.json:2:14: --check json.schemaFile.items.enums: unknown keyword "enums"; did you mean "enum"?\n',
      ],
      [
        'misspelt keywords on the command line',
        ['--check', 'json={"schema":{"requierd":["a"]}}'],
        {},
        'stickler: --check json.schema.requierd: unknown keyword "requierd"; did you mean "required"?\n',
      ],
      [
        'mistakes in several contracts',
        ['--contract', 'a'],
        { 'stickler.yaml': 'contracts:\n  a:\n    checks: [step_markr]\n  b:\n    retires: 1\n' },
        'stickler.yaml:3:14: contracts.a.checks.0: unknown validator "step_markr"; did you mean "step_marker"?\n' +
          'stickler.yaml:5:5: contracts.b.retires: unknown key "retires"; did you mean "retries"?\n',
      ],
      [
        'two upstreams of one name',
        ['--contract', 'a'],
        { 'stickler.yaml': 'upstreams:\n- { name: x, kind: scripted, answers: [] }\n- { name: x, kind: scripted, answers: [] }\n' },
        'stickler.yaml:3:5: upstreams.1.name: there are two upstreams with the name "x"\n',
      ],
      [
        'a key in the file, which is not repeated',
        ['--contract', 'a'],
        { 'stickler.yaml': 'upstreams:\n- { name: x, kind: openai, baseUrl: http://x, apiKeyEnv: sk-secret-123 }\n' },
        /^stickler\.yaml:2:47: upstreams\.0\.apiKeyEnv: give the name of an environment variable(?!.*sk-secret)/,
      ],
      [
        'control characters',
        ['--contract', 'a'],
        { 'stickler.yaml': '"\\e[31mx": 1\n' },
        /^stickler\.yaml:1:1: \\x1b\[31mx: unknown key "\\u001b\[31mx"/,
      ],
    ]
  test.each(wrong)('%s', async (_, argv, files, says) => {
    const { code, stdout, stderr } = await check(argv, files)
    expect([code, stdout, stderr]).toEqual([2, '', typeof says === 'string' ? says : expect.stringMatching(says)])
  })
  it('a folder in place of a configuration', async () => {
    const cwd = await folderWith({ 'stickler.yaml/x': '' })
    expect(await runCli(['check', '-'], { cwd })).toMatchObject({
      code: 2,
      stderr: 'stickler: cannot read stickler.yaml: it is a folder\n',
    })
  })
})

test('check takes a file with contracts alone, in short forms, and notes repairs that it does not permit', async () => {
  const yaml = 'contracts:\n  a:\n    checks: [{ max_words: 2 }, { sensitive: { redact: true } }]\n    allow: [lossless]\n'
  const { code, stdout, stderr } = await runCli(['check', '--config', 'only.yaml', 'a.md'], {
    files: { 'only.yaml': yaml, 'a.md': 'One two three.' },
  })
  expect([code, stdout.includes('MAX_WORDS')]).toEqual([1, true])
  const note =
    'stickler: checks.1.sensitive: its options ask for lossy repairs, but `allow` does not list lossy: what it finds is rejected instead\n'
  expect(stderr).toBe(note)
  const lines = await runCli(['check', '--config', 'only.yaml', '--jsonl', '-'], {
    files: { 'only.yaml': yaml },
    stdin: '{"text": "One."}',
  })
  expect([lines.code, lines.stderr]).toEqual([0, note])
  const demo = `upstreams: [{ name: demo, kind: scripted, answers: [One.] }]\n${yaml}`
  const ran = await runCli(['run', '--json', 'Hi.'], { files: { 'stickler.yaml': demo } })
  expect([ran.code, ran.stderr.split(note).length]).toEqual([0, 2])
})

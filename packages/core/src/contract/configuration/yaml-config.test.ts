import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { catalogue } from '../../../../presets/src/testing/contract.ts'
import { ConfigurationError } from '../configuration-error.ts'
import { buildContract, type ContractInput } from '../contract.ts'
import { readYamlConfig } from './yaml-config.ts'

const schema = z.strictObject({
  upstreams: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('openai'),
          name: z.string(),
          baseUrl: z.string(),
          timeouts: z.strictObject({ idle: z.number() }).optional(),
        }),
        z.strictObject({
          kind: z.literal('scripted'),
          name: z.string(),
          answers: z.array(z.union([z.string(), z.strictObject({ text: z.string() })])),
        }),
      ]),
    )
    .default([]),
  contracts: z.record(z.string(), z.looseObject({})).default({}),
  mode: z.enum(['strict', 'lenient']).optional(),
})

const read = (source: string) => readYamlConfig(source, 'stickler.yaml', schema)

function complaints(source: string): string[] {
  try {
    read(source)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('good files', () => {
  const good: readonly (readonly [what: string, source: string, value: unknown])[] = [
    ['an empty file', '', { upstreams: [], contracts: {} }],
    ['only comments', '# nothing\n', { upstreams: [], contracts: {} }],
    ['a byte order mark', '\uFEFFmode: strict\n', { upstreams: [], contracts: {}, mode: 'strict' }],
    ['CRLF', 'mode: strict\r\ncontracts:\r\n  a: {}\r\n', { upstreams: [], contracts: { a: {} }, mode: 'strict' }],
    ['JSON', '{"mode": "strict"}', { upstreams: [], contracts: {}, mode: 'strict' }],
    ['aliases', 'contracts:\n  a: &a { retries: 1 }\n  b: *a\n', { upstreams: [], contracts: { a: { retries: 1 }, b: { retries: 1 } } }],
    [
      'words that look like a prototype',
      'contracts:\n  constructor: {}\n  toString: {}\n',
      { upstreams: [], contracts: { constructor: {}, toString: {} } },
    ],
  ]
  test.each(good)('%s', (_, source, value) => {
    expect(read(source).value).toEqual(value)
  })
})

describe('bad files', () => {
  const bad: readonly (readonly [what: string, source: string, lines: readonly string[]])[] = [
    ['an unknown key', 'mode: strict\nmdoe: x\n', ['stickler.yaml:2:1: mdoe: unknown key "mdoe"; did you mean "mode"?']],
    ['an unknown key like no other', 'zzz: x\n', ['stickler.yaml:1:1: zzz: unknown key "zzz"; known: upstreams, contracts, mode']],
    ['an unknown word', '\nmode: strct\n', ['stickler.yaml:2:1: mode: unknown value "strct"; did you mean "strict"?']],
    [
      'an unknown key of one kind of upstream',
      'upstreams:\n  - kind: openai\n    name: a\n    baseURL: x\n',
      [
        'stickler.yaml:2:5: upstreams.0.baseUrl: is missing; a string is expected',
        'stickler.yaml:4:5: upstreams.0.baseURL: unknown key "baseURL"; did you mean "baseUrl"?',
      ],
    ],
    [
      'a key that only another kind has',
      'upstreams: [{ kind: scripted, name: a, answers: [], baseUrl: x }]',
      ['stickler.yaml:1:53: upstreams.0.baseUrl: unknown key "baseUrl"; known: kind, name, answers'],
    ],
    [
      'an unknown key deeper down',
      'upstreams:\n  - { kind: openai, name: a, baseUrl: b, timeouts: { idel: 1 } }\n',
      [
        'stickler.yaml:2:42: upstreams.0.timeouts.idle: is missing; a number is expected',
        'stickler.yaml:2:54: upstreams.0.timeouts.idel: unknown key "idel"; did you mean "idle"?',
      ],
    ],
    [
      'a misspelt kind',
      'upstreams:\n- kind: opnai\n',
      ['stickler.yaml:2:3: upstreams.0.kind: unknown value "opnai"; did you mean "openai"?'],
    ],
    ['no kind', 'upstreams:\n- name: a\n', ['stickler.yaml:2:3: upstreams.0.kind: is missing; one of openai, scripted is expected']],
    [
      'a wrong member of a union',
      'upstreams:\n- kind: scripted\n  name: a\n  answers:\n    - txt: x\n',
      [
        'stickler.yaml:5:7: upstreams.0.answers.0.text: is missing; a string is expected',
        'stickler.yaml:5:7: upstreams.0.answers.0.txt: unknown key "txt"; did you mean "text"?',
      ],
    ],
    [
      'no member of a union',
      'upstreams:\n- kind: scripted\n  name: a\n  answers:\n    - 5\n',
      ['stickler.yaml:5:7: upstreams.0.answers.0: expected string or object'],
    ],
    ['a wrong type', 'contracts:\n  a: 5\n', ['stickler.yaml:2:3: contracts.a: expected object, received number']],
    ['a list at the top', '- a\n', ['stickler.yaml:1:1: expected object, received array']],
    ['a text at the top', 'hello', ['stickler.yaml:1:1: expected object, received string']],
    ['a duplicate key', 'mode: strict\ncontracts: {}\nmode: lenient\n', ['stickler.yaml:3:1: this key is a duplicate']],
    ['a syntax error', 'mode: [a\ncontracts: {}\n', [expect.stringMatching(/^stickler\.yaml:2:1: flow sequence/)]],
    [
      'a variable within braces',
      `a: { port: \${PORT} }\nb: [c, d]\n`,
      [`stickler.yaml:1:13: write a variable within braces or brackets in quotes, such as "\${NAME}"`],
    ],
    ['a tab', 'contracts:\n\ta: 1\n', [expect.stringMatching(/^stickler\.yaml:2:1: tabs are not allowed/)]],
    ['an unclosed quote', 'mode: "strict', [expect.stringMatching(/^stickler\.yaml:1:14: missing closing "quote/)]],
    ['an unknown tag', 'mode: !secret x\n', ['stickler.yaml:1:7: unresolved tag: !secret']],
    ['a tag that makes an object', 'contracts: !!set { a, b }\n', ['stickler.yaml:1:12: unresolved tag: tag:yaml.org,2002:set']],
    ['two documents', 'mode: strict\n---\nmode: lenient\n', ['stickler.yaml:2:1: a configuration is one document; remove the line ---']],
    ['a key that is no word', '? [a, b]\n: c\n', ['stickler.yaml:1:3: a key must be a plain word']],
    ['an unknown alias', 'mode: *m\n', ['stickler.yaml:1:7: there is no anchor &m before this alias']],
    ['an endless alias', 'contracts:\n  a: &a { b: *a }\n', ['stickler.yaml:2:14: the alias *a refers to a node that contains it']],
    ['a prototype at the top', '__proto__: { mode: strict }\n', ['stickler.yaml:1:1: unknown key "__proto__"']],
    ['a prototype deeper down', 'contracts:\n  a: { "__proto__": { polluted: 1 } }\n', ['stickler.yaml:2:8: unknown key "__proto__"']],
    ['thousandfold nesting', '['.repeat(5000), ['stickler.yaml:1:1: the file is nested deeper than 64 levels']],
    ['too much', `# ${'x'.repeat(70_000)}`, ['stickler.yaml:1:1: the file is larger than 65536 characters']],
  ]
  test.each(bad)('%s', (_, source, lines) => {
    expect(complaints(source)).toEqual(lines)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
  it('refuses an alias bomb at once', { timeout: 5000 }, () => {
    const row = (name: string, of: string) => `  ${name}: &${name} [${Array(9).fill(of).join(', ')}]\n`
    expect(complaints(`contracts:\n${row('a', 'x')}${row('b', '*a')}${row('c', '*b')}${row('d', '*c')}`)).toEqual([
      'stickler.yaml:1:1: excessive alias count indicates a resource exhaustion attack',
    ])
  })
})

describe('what is built from a file', () => {
  const build = (source: string): string[] => {
    const config = read(source)
    try {
      for (const [name, input] of Object.entries(config.value.contracts))
        config.within(['contracts', name], () => buildContract(input as ContractInput, catalogue))
    } catch (error) {
      return (error as Error).message.split('\n')
    }
    return []
  }
  it.each([
    [
      'contracts:\n  answers:\n    checks:\n    # first\n      - step_markr: {}\n',
      'stickler.yaml:5:9: contracts.answers.checks.0.step_markr: unknown validator "step_markr"; did you mean "step_marker"?',
    ],
    [
      'contracts:\n  answers:\n    checks:\n      - step_markr\n',
      'stickler.yaml:4:9: contracts.answers.checks.0: unknown validator "step_markr"; did you mean "step_marker"?',
    ],
    [
      'contracts: { a: { checks: [max_words: { limits: 5 }] } }\n',
      'stickler.yaml:1:41: contracts.a.checks.0.max_words.limits: unknown key "limits"; did you mean "limit"?',
    ],
    ['contracts:\n  a:\n    retrys: 1\n', 'stickler.yaml:3:5: contracts.a.retrys: unknown key "retrys"; did you mean "retries"?'],
    [
      'contracts:\n  base: &base\n    preset: helx\n  b: *base\n',
      'stickler.yaml:3:5: contracts.base.preset: unknown preset "helx"; did you mean "helix"?',
    ],
  ])('%j', (source, line) => {
    expect(build(source)).toContain(line)
  })
  it('lets other errors pass', () => {
    expect(() =>
      read('').within([], () => {
        throw new TypeError('no')
      }),
    ).toThrow(TypeError)
  })
  it('knows the nearest place of a path that is not there', () => {
    const config = read('contracts:\n  a:\n    checks: []\n')
    expect(config.positionOf(['contracts', 'a', 'checks', 7, 'x'])).toEqual({ file: 'stickler.yaml', line: 3, column: 5 })
    expect(config.positionOf(['nowhere'])).toEqual({ file: 'stickler.yaml', line: 1, column: 1 })
  })
})

test('L97 points at the check that is listed twice, and at the regular expression that cannot be used', () => {
  const source =
    "checks:\n  - step_marker\n  - contains: { all: [a] }\n  - contains:\n      all: [b]\n  - step_marker\n  - pattern:\n      deny:\n        - regex: '[A-Z'\n"
  const config = readYamlConfig(source, 'rules.yaml', z.looseObject({}))
  expect(() => config.within([], () => buildContract(config.value as ContractInput, catalogue))).toThrow(
    /^rules\.yaml:9:11: checks\.4\.pattern\.deny\.0\.regex: .*not closed.*$/m,
  )
  const twins = readYamlConfig(source.slice(0, source.indexOf('  - pattern')), 'rules.yaml', z.looseObject({}))
  expect(() => twins.within([], () => buildContract(twins.value as ContractInput, catalogue))).toThrow(
    'rules.yaml:4:5: checks.2.contains: contains is listed twice; write all its options in one entry\n' +
      'rules.yaml:6:5: checks.3: step_marker is listed twice; write all its options in one entry',
  )
})

test('a record is called an object, as in YAML and JSON', () => {
  const either = z.strictObject({ arguments: z.union([z.string(), z.record(z.string(), z.json())]) })
  expect(() => readYamlConfig('arguments: [1]\n', 'stickler.yaml', either)).toThrow(
    /^stickler\.yaml:1:1: arguments: expected string or object$/,
  )
})

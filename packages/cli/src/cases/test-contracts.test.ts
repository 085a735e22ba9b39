import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'

const config = `contracts:
  tickets:
    allow: [lossless]
    checks:
      - json: { schema: { type: object, properties: { title: { type: string } }, required: [title] } }
  brief: { checks: [{ max_words: { limit: 3 } }], repair: never }
`
const cases = `contract: tickets
cases:
  - name: a sound ticket
    answer: '{"title":"Login fails"}'
    expect: { status: valid, codes: [], value: { title: Login fails } }
  - name: a comma too many
    answer: '{"title":"Login fails",}'
    expect: { status: repaired, text: '{"title":"Login fails"}' }
  - name: a message
    contract: brief
    answer: { role: assistant, content: one two three four }
    expect: { status: unresolved, codes: [MAX_WORDS] }
  - name: cut off
    contract: brief
    answer: one
    finish_reason: length
    expect: { codes: [TRUNCATED] }
`

describe('stickler test', () => {
  it('runs cases beside the contract', async () => {
    const files = { 'stickler.yaml': config, 'answers.test.yaml': cases }
    expect(await runCli(['test'], { files })).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'answers.test.yaml\n  ok    a sound ticket\n  ok    a comma too many\n  ok    a message\n  ok    cut off\n4 cases: 4 passed\n',
    })
  })

  it('says what is not as expected', async () => {
    const wrong = 'cases:\n  - name: too long\n    answer: one two three four\n    expect: { status: valid, codes: [], text: one }\n'
    const files = { 'stickler.yaml': config, 'a/b.test.yaml': wrong }
    const { code, stdout } = await runCli(['test', '--contract', 'brief'], { files })
    expect(code).toBe(1)
    expect(stdout).toBe(
      [
        'a/b.test.yaml',
        '  FAIL  too long (a/b.test.yaml:2:5)',
        '        status: expected "valid", got "unresolved"',
        '        text: expected "one", got "one two three four"',
        '        codes: expected [], got ["MAX_WORDS"]',
        '        MAX_WORDS: Cut the answer to at most 3 words; it has 4.',
        '1 case: 1 failed',
        '',
      ].join('\n'),
    )
    const github = await runCli(['test', '--contract', 'brief', '--format', 'github'], { files })
    expect(github.stdout).toMatch(/^::error file=a\/b\.test\.yaml,line=2,col=5,title=too long::status: expected "valid"/)
    const json = await runCli(['test', '--contract', 'brief', '--format', 'json'], { files })
    expect(JSON.parse(json.stdout)).toMatchObject({
      cases: [{ name: 'too long', passed: false, status: 'unresolved' }],
      passed: 0,
      failed: 1,
    })
  })

  it('writes JUnit', async () => {
    const cwd = await folderWith({
      'stickler.yaml': config,
      'a.test.yaml': `${cases}  - { name: 'x <&> \\u001b', answer: '', expect: { status: valid } }\n`,
    })
    expect((await runCli(['test', '--output', 'junit=out.xml', '--quiet'], { cwd })).code).toBe(1)
    const xml = await readFile(join(cwd, 'out.xml'), 'utf8')
    expect(xml).toContain('tests="5" failures="1" errors="0"')
    expect(xml).toContain('<testcase name="a.test.yaml a sound ticket" classname="stickler.test"')
    expect(xml).toMatch(/<failure message="status: expected &quot;valid&quot;, got &quot;unresolved&quot;" type="unresolved">/)
  })

  it('finds a contract file beside the cases, and the nearest configuration', async () => {
    const files = {
      'stickler.yaml': config,
      'deep/er/x.test.yaml': 'contract: brief\ncases: [{ answer: one two, expect: { status: valid } }]',
      'deep/own.yaml': 'checks: [{ max_words: { limit: 1 } }]\nrepair: never\n',
      'deep/y.test.yml': 'contract: own.yaml\ncases: [{ answer: one two, expect: { status: unresolved } }]',
    }
    expect(await runCli(['test', 'deep'], { files })).toMatchObject({ code: 0, stderr: '' })
  })

  test.each<readonly [what: string, text: string, says: string | RegExp]>([
    [
      'an unknown key',
      'cases:\n  - answer: a\n    expcet: { status: valid }\n',
      /^a\.test\.yaml:3:5: cases\.0\.expcet: unknown key "expcet"; did you mean "expect"\?/m,
    ],
    [
      'an unknown key of expect',
      'cases:\n  - answer: a\n    expect: { stauts: valid }\n',
      /^a\.test\.yaml:3:15: cases\.0\.expect\.stauts: unknown key "stauts"; did you mean "status"\?/m,
    ],
    [
      'an unknown status',
      'cases:\n  - answer: a\n    expect: { status: vaild }\n',
      /^a\.test\.yaml:3:15: cases\.0\.expect\.status: .*did you mean "valid"\?/m,
    ],
    ['nothing expected', 'cases:\n  - answer: a\n    expect: {}\n', /^a\.test\.yaml:3:5: cases\.0\.expect: expects nothing/m],
    ['no answer', 'cases:\n  - expect: { status: valid }\n', /^a\.test\.yaml:2:5: cases\.0\.answer: /m],
    [
      'an answer that cannot be read',
      'cases:\n  - answer: { foo: 1 }\n    expect: { status: valid }\n',
      /^a\.test\.yaml:2:5: cases\.0\.answer: cannot be read/m,
    ],
    [
      'a field of another type',
      'cases:\n  - answer: a\n    tools: 7\n    expect: { status: valid }\n',
      /^a\.test\.yaml:3:5: cases\.0\.tools: must be a list/m,
    ],
    ['no cases', 'cases: []\n', /^a\.test\.yaml:1:1: cases: /m],
    [
      'two of a name',
      'cases:\n  - { name: x, answer: a, expect: { status: valid } }\n  - { name: x, answer: b, expect: { status: valid } }\n',
      /^a\.test\.yaml:3:7: cases\.1\.name: "x" is also the name of case 1/m,
    ],
    ['broken YAML', 'cases: [', /^a\.test\.yaml:1:/m],
    [
      'an unknown contract',
      'contract: breif\ncases: [{ answer: a, expect: { status: valid } }]\n',
      /a\.test\.yaml:2:9: stickler\.yaml: unknown contract "breif"; did you mean "brief"\?/,
    ],
    ['no contract', 'cases: [{ answer: a, expect: { status: valid } }]\n', /a\.test\.yaml:1:9: .*several contracts/],
  ])('rejects %s', async (_, text, says) => {
    const { code, stdout, stderr } = await runCli(['test'], { files: { 'stickler.yaml': config, 'a.test.yaml': text } })
    expect(stderr).toMatch(says)
    expect(code).toBe(2)
    expect(stdout).toBe('')
  })

  it('rejects a folder without cases, and standard input', async () => {
    expect(await runCli(['test'], {})).toMatchObject({ code: 2, stderr: 'stickler: no cases (*.test.yaml) in .\n' })
    expect((await runCli(['test', '-'], {})).code).toBe(2)
  })

  it('leaves variables and secrets in answers as they are', async () => {
    const variable = ['$', '{HOME}'].join('')
    const text = `contract: brief\ncases: [{ answer: "${variable} sk-x", expect: { status: valid, text: "${variable} sk-x" } }]\n`
    expect(await runCli(['test'], { files: { 'stickler.yaml': config, 'a.test.yaml': text } })).toMatchObject({ code: 0 })
  })

  it('runs again when a file changes, until it is interrupted', { timeout: 20_000 }, async () => {
    const cwd = await folderWith({
      'stickler.yaml': config,
      'a.test.yaml': 'contract: brief\ncases: [{ answer: a b c d, expect: { status: valid } }]\n',
    })
    const stop = new AbortController()
    let errors = ''
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        errors += chunk.toString()
        const waits = errors.split('watching for changes').length - 1
        if (waits === 1 && !errors.includes(' changed'))
          void writeFile(join(cwd, 'a.test.yaml'), 'contract: brief\ncases: [{ answer: a b c, expect: { status: valid } }]\n')
        if (waits === 2) stop.abort('SIGINT')
        done()
      },
    })
    const { code, stdout } = await runCli(['test', '--watch'], { cwd, stderr, signal: stop.signal })
    expect(code).toBe(130)
    expect(stdout).toMatch(/1 case: 1 failed\n[\s\S]*1 case: 1 passed\n/)
    expect(errors).toContain('stickler: a.test.yaml changed\n')
  })
})

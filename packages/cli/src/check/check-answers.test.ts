import { describe, expect, it, test } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'

const marked = 'All done.\n\n<!-- STEP: done -->\n'

describe('the report', () => {
  it('is short for a valid answer, with what was learnt', async () => {
    const files = { 'a.md': marked }
    expect(await runCli(['check', '--check', 'step_marker', 'a.md'], { files })).toEqual({
      code: 0,
      stdout: 'a.md: valid\n  step: done\n',
      stderr: '',
    })
  })
  it('names the record of several that is wrong', async () => {
    const record = (id: number, heading: string): string =>
      `---\nadr_id: ${id}\ntitle: x\nstatus: y\n---\n\n## Kontext\n\nx\n\n## ${heading}\n\ny\n\n## Akzeptanzkriterien\n\n- [ ] a\n- [ ] b\n- [ ] c\n\n`
    const files = { 'a.md': `${record(1, 'Entscheidung')}${record(2, 'Beschluss')}<!-- STEP: generate -->\n` }
    const { code, stdout } = await runCli(['check', '--preset', 'helix', 'a.md'], { files })
    expect(code).toBe(1)
    expect(stdout).toContain('MISSING_ADR_SECTION In ADR 2 (2): ADR fehlt Section: ## Entscheidung (records.1.Entscheidung)')
  })
  it('shows the place, the hint, the value that was meant, and the repair', async () => {
    const files = { 'a.md': 'Hello\n\n\tsee <!-- STEP: whta --> here\n' }
    const { code, stdout } = await runCli(['check', '--check', 'step_marker', 'a.md'], { files })
    expect(stdout).toBe(
      [
        'a.md: repaired',
        'a.md:3:6 error INVALID_STEP Use a valid step in the STEP marker, not whta. (repaired)',
        '  3 |     see <!-- STEP: whta --> here',
        '    |         ^^^^^^^^^^^^^^^^^^^',
        '  hint: Valid steps: constraints, done, finalize, generate, what, why',
        '  did you mean: what',
        '  repaired by correct-step-name (lossless)',
        '    - \\tsee <!-- STEP: whta --> here',
        '    + \\tsee <!-- STEP: what --> here',
        '  step: what',
        '',
      ].join('\n'),
    )
    expect(code).toBe(0)
  })
  it('tells what a repair would change when repairs are off', async () => {
    const files = { 'a.md': 'Hello' }
    const { code, stdout } = await runCli(['check', '--check', 'step_marker', '--repair', 'never', 'a.md'], { files })
    expect(code).toBe(1)
    expect(stdout).toContain('a.md: unresolved (1 error)\na.md error MISSING_STEP_MARKER')
    expect(stdout).toContain('  could be repaired by append-step-marker (lossless); repairs are off\n    +\n    + <!-- STEP: done -->\n')
  })
  it('tells what a repair would change when its class is not allowed, or other errors remain', async () => {
    const header = '---\nadr_id: 1\nfiles:\n  modify: [gone.ts]\n---\n'
    const argv = ['check', '--check', 'file_existence', '--check', 'max_words={"limit":1}', 'a.md']
    const { stdout } = await runCli(argv, { files: { 'a.md': `${header}two words\n` } })
    expect(stdout).toMatch(/could be repaired by .* \(guess\); the class guess is not allowed/)
    const allowed = await runCli([...argv, '--allow', 'lossless,guess'], { files: { 'a.md': `${header}two words\n` } })
    expect(allowed.stdout).toMatch(/could be repaired by .* \(guess\); not done, because other errors would remain/)
    expect(allowed.code).toBe(1)
  })
  it('never says of an edit that is always made that its class is not allowed', async () => {
    const argv = ['check', '--check', 'links={"hosts":["acme.com"]}', '--check', 'sensitive={"redact":true}', 'a.md']
    const { stdout } = await runCli(argv, { files: { 'a.md': 'Write to jane.doe@acme.org or see https://evil.com/x now.\n' } })
    expect(stdout).toContain('could be repaired by redact-email (lossy); not done, because other errors would remain')
    expect(stdout).toContain('could be repaired by remove-target (lossy); the class lossy is not allowed')
  })
  it('says nothing of --fix to those who send the answer', async () => {
    const { stdout } = await runCli(['check', '-', '--check', 'step_marker', '--format', 'github'], { stdin: 'Hello' })
    expect(stdout).not.toContain('--fix')
  })
  it('keeps going over several files', async () => {
    const files = { 'good.md': marked, 'bad.md': 'x y z' }
    const { code, stdout, stderr } = await runCli(['check', '--check', 'max_words={"limit":2}', 'bad.md', 'gone.md', 'sub/', 'good.md'], {
      files,
    })
    expect([code, stdout.match(/^\S+: \w+/gm)]).toEqual([2, ['bad.md: unresolved', 'good.md: unresolved']])
    expect(stdout.split('\n').at(-2)).toBe('4 files: 2 unresolved, 2 could not be read')
    expect(stderr).toBe('stickler: cannot read gone.md: there is no such file\nstickler: cannot read sub/: there is no such file\n')
  })
  it('reads standard input', async () => {
    expect((await runCli(['check', '--check', 'step_marker', '-'], { stdin: marked })).stdout).toMatch(/^<stdin>: valid/)
    expect((await runCli(['check', '--check', 'step_marker', '--repair', 'never'], { stdin: '' })).stdout).toMatch(/^<stdin>: unresolved/)
    expect(await runCli(['check', '--check', 'step_marker'], { terminals: ['stdin'] })).toMatchObject({
      code: 2,
      stderr: 'stickler: name a file to check, or - for standard input\n',
    })
  })
  it('takes no answer on standard input for a fault, unless a check says what it lacks', async () => {
    for (const argv of [['links'], ['sensitive', '-'], ['links', '--json'], ['links', '--fix']])
      expect(await runCli(['check', '--check', ...argv], { stdin: '' })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('stickler: standard input is empty, so there is no answer to check; --allow-empty accepts that\n'),
      })
    expect(await runCli(['check', '--check', 'links', '--allow-empty'], { stdin: '' })).toMatchObject({
      code: 0,
      stdout: '<stdin>: valid\n',
    })
    expect(await runCli(['check', '--check', 'links'], { stdin: '\n' })).toMatchObject({ code: 0 })
    expect(await runCli(['check', '--check', 'links', 'a.md'], { files: { 'a.md': '' } })).toMatchObject({ code: 0 })
    expect((await runCli(['check', '--preset', 'techtime'], { stdin: '' })).stdout).toContain('EMPTY_CONTENT')
    expect(await runCli(['check', '--check', 'json'], { stdin: '' })).toMatchObject({ code: 1 })
  })
  it('looks for files below the root', async () => {
    const cwd = await folderWith({ 'a.md': '---\nadr_id: 1\nfiles:\n  modify:\n    - there.ts\n    - gone.ts\n---\n', 'proj/there.ts': '' })
    const { code, stdout } = await runCli(['check', '--check', 'file_existence', '--root', 'proj', 'a.md'], { cwd })
    expect([code, stdout.match(/FILE_NOT_FOUND/g)]).toEqual([1, ['FILE_NOT_FOUND']])
    expect(stdout).toContain('a.md:6:7 error FILE_NOT_FOUND')
    expect(await runCli(['check', '--check', 'file_existence', '--root', 'nowhere', 'a.md'], { cwd })).toMatchObject({
      code: 2,
      stderr: 'stickler: --root: there is no folder nowhere\n',
    })
  })
  it('speaks German when asked to', async () => {
    const { stdout } = await runCli(['check', '--check', 'step_marker', '--repair', 'never', '--locale', 'de', '-'], { stdin: 'x' })
    expect(stdout).toContain('Response enthält keinen STEP-Marker')
  })
})

describe('colours and bars', () => {
  const argv = ['check', '--check', 'step_marker', '--repair', 'never', '-']
  test.each([
    ['a terminal', { terminals: ['stdout'] as const }, true],
    ['a pipe', {}, false],
    ['NO_COLOR', { terminals: ['stdout'] as const, env: { NO_COLOR: '1' } }, false],
    ['a dumb terminal', { terminals: ['stdout'] as const, env: { TERM: 'dumb' } }, false],
  ])('%s', async (_, setting, coloured) => {
    expect((await runCli(argv, { ...setting, stdin: 'x' })).stdout.includes('\u001b[31m')).toBe(coloured)
  })
  it('shows a bar on a terminal, and takes it away', async () => {
    let time = 0
    const setting = { files: { 'a.md': 'x' }, terminals: ['stderr'] as const, now: () => (time += 500) }
    expect((await runCli(['check', '--check', 'step_marker', 'a.md'], setting)).stderr).toMatch(/^\r\p{Cc}\[K\[#+\] 100 %.*\r\p{Cc}\[K$/u)
    expect((await runCli(['check', '--check', 'step_marker', 'a.md'], { ...setting, terminals: [] })).stderr).toBe('')
  })
})

describe('hostile answers', () => {
  const texts: readonly (readonly [what: string, text: string | Uint8Array])[] = [
    ['ANSI, OSC 52, bells, bidi', 'a \u001b[2J\u001b]52;c;aGk=\u0007 \u202e <!-- STEP: \u001b[31mx\u202e\u0000 --> \u009b0m\n'],
    ['CRLF', 'a\r\n<!-- STEP: nope -->\r\nb\r\n'],
    ['CR only', 'a\r<!-- STEP: nope -->\rb\r'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62])],
    ['NUL', 'a\u0000b'],
    ['an unclosed fence', '```\n<!-- STEP: done -->\n'],
    ['an unclosed comment', '<!-- STEP: done'],
    ['thousandfold nesting', `${'> '.repeat(1000)}- ${'['.repeat(1000)}\n`],
    ['wide characters in a long line', `${'世'.repeat(500)}<!-- STEP: nope -->${'👍'.repeat(500)}`],
  ]
  test.each(texts)('%s', async (_, text) => {
    const setting = { files: { 'a.md': text }, terminals: ['stdout'] as const, env: { NO_COLOR: '1' } }
    for (const mode of [[], ['--json']]) {
      const { code, stdout } = await runCli(['check', '--preset', 'helix', '--repair', 'never', ...mode, 'a.md'], setting)
      expect(code).toBe(1)
      expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    }
  })
  it('says when bytes are no text', async () => {
    const files = { 'a.md': Buffer.from([0x61, 0xff]) }
    expect((await runCli(['check', '--check', 'step_marker', 'a.md'], { files })).stderr).toBe(
      'stickler: a.md is not valid UTF-8; invalid bytes were read as U+FFFD\n',
    )
  })
  it('escapes names of files', async () => {
    const files = { 'a\u001b[31m.md': 'x' }
    const { stdout } = await runCli(['check', '--check', 'step_marker', 'a\u001b[31m.md'], { files })
    expect(stdout.startsWith('a\\x1b[31m.md: repaired\n')).toBe(true)
  })
  it('reads 10 MB', async () => {
    const files = { 'a.md': `${'word word word\n'.repeat(700_000)}<!-- STEP: nope -->` }
    const { code, stdout } = await runCli(['check', '--check', 'step_marker', 'a.md'], { files })
    expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      ['a.md: repaired', expect.stringContaining('a.md:700001:1 error INVALID_STEP')],
    ])
  })
  it('refuses more than fits', async () => {
    const { code, stderr } = await runCli(['check', '--check', 'step_marker', 'a.md'], {
      files: { 'a.md': Buffer.alloc(65 * 1024 * 1024, 97) },
    })
    expect([code, stderr]).toEqual([2, 'stickler: cannot read a.md: it is larger than 67108864 bytes\n'])
  })
})

describe('--json', () => {
  it('is one object with all results', async () => {
    const files = { 'a.md': marked, 'b.md': '<!-- STEP: whta -->' }
    const { code, stdout } = await runCli(['check', '--json', '--check', 'step_marker', '--repair', 'never', 'a.md', 'b.md'], { files })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      results: [
        { file: 'a.md', status: 'valid', issues: [], repairs: [], facts: { step_marker: { step: 'done' } } },
        {
          file: 'b.md',
          status: 'unresolved',
          issues: [
            {
              code: 'INVALID_STEP',
              severity: 'error',
              validator: 'step_marker',
              message: expect.any(String),
              hint: expect.any(String),
              span: { start: 0, end: 19 },
              line: 1,
              column: 1,
              endLine: 1,
              endColumn: 20,
              suggestion: 'what',
            },
          ],
          repairs: [],
          proposed: [
            {
              rule: 'correct-step-name',
              span: { start: 0, end: 19 },
              before: '<!-- STEP: whta -->',
              after: '<!-- STEP: what -->',
              class: 'lossless',
              why: 'never',
            },
          ],
        },
      ],
    })
  })
  it('goes on when a file cannot be read', async () => {
    const { code, stdout } = await runCli(['check', '--json', '--check', 'step_marker', 'gone.md', '-'], { stdin: marked })
    expect([code, JSON.parse(stdout).results.map(({ file }: { file: string }) => file)]).toEqual([2, ['<stdin>']])
  })
})

import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'
import { writeFix } from './check-texts.ts'

const check = ['--check', 'step_marker']
const wrong = 'Hello <!-- STEP: whta -->\n'
const right = 'Hello <!-- STEP: what -->\n'

describe('--fix', () => {
  test('writes what was repaired, with mode, line breaks and byte order mark, and leaves the rest alone', async () => {
    const given = {
      'lf.md': wrong,
      'crlf.md': 'Which one?\r\n\r\nTell me.',
      'mark.md': `\ufeff${wrong}`,
      'open.md': 'All done.',
      'mixed.md': 'a\r\nb\n<!-- STEP: dnoe -->\r\n',
      'valid.md': right,
    }
    const cwd = await folderWith(given)
    await chmod(join(cwd, 'lf.md'), 0o664)
    const before = await stat(join(cwd, 'valid.md'))
    const { code, stdout } = await runCli(['check', '.', ...check, '--fix'], { cwd })
    const read = async (name: string) => readFile(join(cwd, name), 'utf8')
    expect(await read('lf.md')).toBe(right)
    expect((await stat(join(cwd, 'lf.md'))).mode & 0o777).toBe(0o664)
    expect(await read('crlf.md')).toBe('Which one?\r\n\r\nTell me.\r\n\r\n<!-- STEP: what -->')
    expect(await read('mark.md')).toBe(`\ufeff${right}`)
    expect(await read('open.md')).toBe('All done.\n\n<!-- STEP: done -->')
    expect(await read('mixed.md')).toBe('a\r\nb\n<!-- STEP: done -->\r\n')
    expect((await stat(join(cwd, 'valid.md'))).ino).toBe(before.ino)
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, '6 files: 1 valid, 5 repaired (5 written)'])
    // Nothing is left behind, and nothing is left to do.
    expect((await readdir(cwd)).sort()).toEqual(Object.keys(given).sort())
    expect((await runCli(['check', '.', ...check], { cwd })).stdout.split('\n').at(-2)).toBe('6 files: 6 valid')
  })

  test('writes nothing that stays wrong, and tells of --fail-on', async () => {
    const cwd = await folderWith({ 'a.md': wrong })
    expect((await runCli(['check', 'a.md', ...check, '--check', 'max_words={"limit":1}', '--fix'], { cwd })).code).toBe(1)
    expect((await runCli(['check', 'a.md', ...check, '--repair', 'never', '--fix'], { cwd })).code).toBe(1)
    expect(await readFile(join(cwd, 'a.md'), 'utf8')).toBe(wrong)
    expect((await runCli(['check', 'a.md', ...check, '--fail-on', 'repaired'], { cwd })).code).toBe(1)
    const fixed = await runCli(['check', 'a.md', ...check, '--fix', '--fail-on', 'repaired', '--json'], { cwd })
    expect([fixed.code, JSON.parse(fixed.stdout).results[0]]).toMatchObject([1, { status: 'repaired', written: true }])
    expect((await runCli(['check', 'a.md', ...check, '--fix', '--fail-on', 'repaired'], { cwd })).code).toBe(0)
  })

  test('never writes through links, over what was changed meanwhile, or over bytes it could not read', async () => {
    const outside = await folderWith({ 'secret.md': wrong })
    const cwd = await folderWith({ 'a.md': wrong, 'bytes.md': Buffer.concat([Buffer.from([0xff]), Buffer.from(wrong)]), 'busy.md': wrong })
    await symlink('a.md', join(cwd, 'link.md'))
    await symlink(outside, join(cwd, 'out'))
    await mkdir(join(cwd, 'in'))
    await symlink('in', join(cwd, 'alias'))
    await writeFile(join(cwd, 'in/b.md'), wrong)
    const fix = async (...argv: string[]) => {
      const { code, stdout } = await runCli(['check', ...argv, ...check, '--fix'], { cwd })
      return [code, /not written: (.*)/.exec(stdout)?.[1]]
    }
    expect(await fix('link.md')).toEqual([2, 'it is a symbolic link, not a regular file'])
    expect(await fix('out/secret.md')).toEqual([2, 'a symbolic link in its path leads outside the current folder'])
    expect(await fix('out')).toEqual([2, 'a symbolic link in its path leads outside the current folder'])
    expect(await fix('bytes.md')).toEqual([2, 'it is not UTF-8'])
    expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe(wrong)
    expect(await fix('alias/b.md')).toEqual([0, undefined])
    expect(await readFile(join(cwd, 'in/b.md'), 'utf8')).toBe(right)
    // Somebody saves the file between the check and the writing.
    const fresh = { kind: 'proposed', before: wrong, after: right } as const
    await writeFile(join(cwd, 'busy.md'), 'other')
    expect(await writeFix('busy.md', fresh, cwd)).toEqual({ kind: 'refused', reason: 'it changed during the check' })
    expect(await readFile(join(cwd, 'busy.md'), 'utf8')).toBe('other')
    expect((await readdir(cwd)).filter((name) => name.startsWith('busy'))).toEqual(['busy.md'])
    expect(await writeFix('gone.md', fresh, cwd)).toEqual({ kind: 'refused', reason: 'there is no such file' })
  })

  test('prints the repaired text of standard input, and its report aside', async () => {
    expect(await runCli(['check', '-', ...check, '--fix'], { stdin: wrong })).toEqual({
      code: 0,
      stdout: right,
      stderr: expect.stringContaining('<stdin>: repaired'),
    })
    expect(await runCli(['check', ...check, '--repair', 'never', '--fix'], { stdin: wrong })).toMatchObject({ code: 1, stdout: wrong })
    expect((await runCli(['check', '-', ...check, '--fix'], { stdin: `\u001b${wrong}`, terminals: ['stdout'] })).stdout).toBe(
      `\\x1b${right}`,
    )
  })

  test.each([
    [['--jsonl', '--fix'], 'stickler: --fix does not rewrite JSON lines; each result of --jsonl has its repaired text\n'],
    [['-', 'a.md', '--fix'], 'stickler: --fix prints the text of standard input, so - must be the only input\n'],
    [['a.md', '--dry-run', '--json'], 'stickler: --dry-run prints a diff; use --output to write a report as well\n'],
    [['a.md', '--json', '--format', 'sarif'], 'stickler: --json and --format sarif exclude each other\n'],
    [['a.md', '--jsonl', '--quiet'], 'stickler: --jsonl has its own format and excludes --format, --output and --quiet\n'],
    [['*.nothing'], 'stickler: no files to check for *.nothing\n'],
    [['!a.md'], 'stickler: no files to check\n'],
  ])('%j is a usage error', async (argv, stderr) => {
    expect(await runCli(['check', ...check, ...argv], { files: { 'a.md': wrong } })).toMatchObject({ code: 2, stderr })
  })

  test('nothing to check is fine with --allow-empty', async () => {
    expect(await runCli(['check', ...check, '.', '*.x', '--allow-empty'], { files: { 'a.json': '' } })).toEqual({
      code: 0,
      stdout: '0 files\n',
      stderr: '',
    })
  })
})

test('--dry-run prints a diff that git and patch apply, and writes nothing', async () => {
  const files = {
    'docs/a b.md': wrong,
    'docs/c.md': 'One\r\ntwo\r\n',
    'docs/d.md': `\ufeff${wrong.trimEnd()}`,
    'docs/e.md': right,
    'f.md': 'x y',
  }
  const cwd = await folderWith(files)
  const { code, stdout, stderr } = await runCli(['check', '.', ...check, '--dry-run'], { cwd, env: { GITHUB_ACTIONS: 'true' } })
  expect(code).toBe(0)
  expect(stderr.split('\n').at(-2)).toBe('5 files: 1 valid, 4 repaired')
  expect(await readFile(join(cwd, 'docs/a b.md'), 'utf8')).toBe(wrong)
  const fixed = await folderWith(files)
  await runCli(['check', '.', ...check, '--fix'], { cwd: fixed })
  for (const [command, ...argv] of [
    ['git', 'apply', '-'],
    ['patch', '--binary', '-p1', '-s'],
  ] as const) {
    const copy = await folderWith(files)
    execFileSync(command, argv, { cwd: copy, input: stdout, stdio: ['pipe', 'ignore', 'pipe'] })
    for (const name of Object.keys(files)) expect(await readFile(join(copy, name), 'utf8')).toBe(await readFile(join(fixed, name), 'utf8'))
  }
})

describe('reports say that --fix repairs an issue exactly when it does', () => {
  const redact = ['--check', 'sensitive={"kinds":["email"],"redact":true}', '--allow', 'lossless,lossy']
  const mail = 'Write to jane.doe@acme.com, please.\n'
  test.each<[what: string, argv: readonly string[], content: string | Uint8Array, writes: boolean]>([
    ['a repair', ['--check', 'step_marker'], wrong, true],
    ['a repair, and a redaction', ['--check', 'step_marker', ...redact], mail, true],
    ['a redaction', redact, mail, true],
    ['a redaction, where another error remains', ['--check', 'max_words={"limit":2}', ...redact], mail, false],
    ['a repair, where another error remains', ['--check', 'step_marker', '--check', 'max_words={"limit":1}'], wrong, false],
    ['a redaction, where a rule cannot be asked', [...redact, '--check', 'remote={"name":"r","url":"http://127.0.0.1:1/"}'], mail, false],
    ['a class that is not allowed', ['--check', 'sensitive={"kinds":["email"],"redact":true}', '--allow', 'lossless'], mail, false],
    ['a repair of what is not UTF-8', ['--check', 'step_marker'], Buffer.from([0xff, ...Buffer.from(wrong)]), false],
    ['a fault that hides another', ['--check', 'json={"schema":{"required":["b"]}}'], '{"a": 1,}\n', false],
  ])('%s', async (_what, argv, content, writes) => {
    const cwd = await folderWith({ 'a.md': content })
    const report = (format: string) => runCli(['check', 'a.md', ...argv, '--format', format], { cwd }).then(({ stdout }) => stdout)
    const [github, text, sarif] = [await report('github'), await report('text'), JSON.parse(await report('sarif'))]
    const { issues } = JSON.parse(await report('json')).results[0]
    await runCli(['check', 'a.md', ...argv, '--fix'], { cwd })
    expect(!Buffer.from(content).equals(await readFile(join(cwd, 'a.md')))).toBe(writes)
    expect(github.includes('--fix repairs it')).toBe(writes)
    const results: readonly { ruleId: string; fixes?: unknown }[] = sarif.runs[0].results
    expect(results.some(({ fixes }) => fixes !== undefined)).toBe(writes)
    // What is not repaired does not count as repaired beside it.
    if (/^a\.md: un/.test(text)) expect(text).not.toMatch(/\(repaired\)$|^ {2}repaired by/m)
    for (const { code } of issues)
      for (const printed of [github, text, results.map(({ ruleId }) => ruleId).join()]) expect(printed).toContain(code)
  })
})

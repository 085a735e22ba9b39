import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { type Ended, folderWith, runCli, type Setting } from '../testing/run-cli.ts'

const schemas = new URL('../../../../e2e/fixtures/schemas/', import.meta.url)
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('uri-reference', (text: string) => /^[\w!$&'()*+,;=:@%/?#[\].~-]*$/.test(text))
ajv.addFormat('date-time', true)
const isSarif = ajv.compile(JSON.parse(await readFile(new URL('sarif-2.1.0.json', schemas), 'utf8')))

async function complaintsOfXml(xml: string): Promise<string[]> {
  const found: string[] = []
  for (const name of ['junit-ant.xsd', 'junit-jenkins.xsd']) {
    const { errors } = await validateXML({ xml, schema: await readFile(new URL(name, schemas), 'utf8') })
    found.push(...errors.map(({ message }) => `${name}: ${message}`))
  }
  return found
}

/** What the runner of GitHub Actions would take for a command, by the rules of its parser: names of the commands that a line gives. */
function commandsIn(printed: string): string[] {
  return printed.split(/\r\n|[\r\n]/).flatMap((line) => {
    const [, first] = /^\s*::([^\s:][^\s]*?)(?:\s.*?)?::/.exec(line) ?? []
    const [, second] = /##\[([^\s\]]+)[^\]]*\]/.exec(line) ?? []
    return first ?? second ?? []
  })
}

const record = (...paths: string[]): string =>
  `---\nadr_id: 1\nfiles:\n  modify:\n${paths.map((path) => `    - ${JSON.stringify(path)}\n`).join('')}---\n\n<!-- STEP: done -->\n`
const paths = [
  '::error::pwned',
  '##[add-mask]y',
  'a\n::stop-commands::x',
  '<b>|`x`[l](http://x)@all',
  ']]>&"\u0007\u001b[31m\u202e\ud800',
  ' ::group::z',
]
const files = {
  'docs/bad name, 100%.md': record('gone.ts'),
  'docs/good.md': 'Done.\n\n<!-- STEP: done -->\n',
  'docs/hostile.md': `${record(...paths)}::set-output name=a::b\n  ::error::c ##[group]d`,
  'docs/mend.md': 'See <!-- STEP: what --> 😀 here\n\nand <!-- STEP: dnoe --> there\n',
  '::error::name ##[group]z.md': 'x <!-- STEP: nope --> y',
}
const checks = ['--check', 'step_marker', '--check', 'file_existence', '--allow', 'lossless']
const all = ['docs', '::error::name ##[group]z.md', 'gone.md']

const run = (format: string, setting: Setting = {}, more: readonly string[] = []): Promise<Ended> =>
  runCli(['check', ...all, ...checks, '--format', format, ...more], { files, ...setting })

describe('SARIF', () => {
  test('is accepted by the official schema, with rules, places, fixes and what could not be read', async () => {
    const { code, stdout } = await run('sarif')
    const log = JSON.parse(stdout)
    expect([code, isSarif(log), isSarif.errors]).toEqual([2, true, null])
    const [{ tool, results, invocations, columnKind }] = log.runs
    expect([tool.driver.name, columnKind]).toEqual(['stickler', 'utf16CodeUnits'])
    for (const { ruleId, ruleIndex } of results)
      expect(tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId, help: { text: expect.any(String) } })
    expect(invocations).toEqual([
      {
        executionSuccessful: false,
        exitCode: 2,
        toolExecutionNotifications: [{ level: 'error', message: { text: 'cannot read gone.md: there is no such file' } }],
      },
    ])
    const [bad] = results
    expect(bad).toMatchObject({
      ruleId: 'FILE_NOT_FOUND',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'docs/bad%20name%2C%20100%25.md', uriBaseId: '%SRCROOT%' },
            region: { startLine: 5, startColumn: 7, endLine: 5, endColumn: 16 },
          },
        },
      ],
    })
    const mended = results.filter(({ fixes }: { fixes?: unknown }) => fixes !== undefined)
    expect(mended.length).toBe(2)
    expect(mended[0]).toMatchObject({ level: 'note', ruleId: 'INVALID_STEP' })
    expect(
      new Set(
        results.map(({ partialFingerprints }: { partialFingerprints: Record<string, string> }) => Object.values(partialFingerprints)[0]),
      ).size,
    ).toBe(results.length)
    expect(JSON.stringify(results)).not.toContain('](')
  })

  test('a fix, applied by its regions, is the text that --fix writes', async () => {
    for (const [name, text] of Object.entries({
      'a.md': files['docs/mend.md'],
      'b.md': 'one\r\ntwo',
      'c.md': '😀 <!-- STEP: dnoe -->😀\rx\n',
    })) {
      const { stdout } = await runCli(['check', name, '--check', 'step_marker', '--format', 'sarif'], { files: { [name]: text } })
      const { runs } = JSON.parse(stdout)
      const { fixes } = runs[0].results.find((one: { fixes?: unknown }) => one.fixes !== undefined)
      const applied = applyFix(text, fixes[0].artifactChanges[0].replacements)
      const json = await runCli(['check', name, '--check', 'step_marker', '--json'], { files: { [name]: text } })
      expect(applied).toBe(JSON.parse(json.stdout).results[0].text)
    }
  })

  test('paths are those of the checkout, and absolute outside of it; standard input is no file', async () => {
    const cwd = await folderWith({ 'sub/a.md': 'x', 'b.md': 'x' })
    const uriOf = async (argv: string[], env = {}) => {
      const { stdout } = await runCli(['check', ...argv, '--check', 'step_marker', '--format', 'sarif'], {
        cwd: join(cwd, 'sub'),
        env,
        stdin: 'x',
      })
      expect(isSarif(JSON.parse(stdout))).toBe(true)
      return JSON.parse(stdout).runs[0].results[0].locations[0].physicalLocation.artifactLocation
    }
    expect(await uriOf(['a.md'])).toEqual({ uri: 'a.md', uriBaseId: '%SRCROOT%' })
    expect(await uriOf(['a.md'], { GITHUB_WORKSPACE: cwd })).toEqual({ uri: 'sub/a.md', uriBaseId: '%SRCROOT%' })
    expect(await uriOf(['../b.md'], { GITHUB_WORKSPACE: cwd })).toEqual({ uri: 'b.md', uriBaseId: '%SRCROOT%' })
    expect(await uriOf(['../b.md'])).toEqual({ uri: `file://${cwd}/b.md` })
    expect(await uriOf(['-'])).toEqual({ uri: 'stdin:' })
  })
})

function applyFix(
  text: string,
  replacements: readonly { deletedRegion: Record<string, number>; insertedContent?: { text: string } }[],
): string {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: mark, index }) => index + mark.length)]
  const offset = (line = 1, column = 1): number => (starts[line - 1] ?? 0) + column - 1
  return replacements.toReversed().reduce((before, { deletedRegion: at, insertedContent }) => {
    const after = before.slice(offset(at.endLine, at.endColumn))
    return before.slice(0, offset(at.startLine, at.startColumn)) + (insertedContent?.text ?? '') + after
  }, text)
}

describe('JUnit', () => {
  test('is accepted by the schemas of Ant and Jenkins, hostile text and all', async () => {
    const { code, stdout } = await run('junit')
    expect([code, await complaintsOfXml(stdout)]).toEqual([2, []])
    expect(stdout).toContain('tests="6" failures="2" errors="1"')
    expect(stdout).toContain('<testcase name="docs/good.md" classname="stickler.check"')
  })

  test('is well-formed for any text of a model', async () => {
    const pieces = fc.constantFrom(
      ']]>',
      '<',
      '&',
      '"',
      '\u0000',
      '\u001b',
      '\ufffe',
      '\ud800',
      '\r',
      '\n',
      '::',
      '##[',
      'é',
      '😀',
      '-->',
      'x]',
    )
    const texts = fc.sample(fc.array(pieces, { maxLength: 12 }), 40)
    const nasty = Object.fromEntries(texts.map((text, at) => [`${at}.md`, record(text.join('')) + text.join('')]))
    const { stdout } = await runCli(['check', '.', ...checks, '--format', 'junit'], { files: nasty })
    expect([await complaintsOfXml(stdout), commandsIn(stdout)]).toEqual([[], []])
  })
})

describe('GitHub', () => {
  test('annotates as its documentation says', async () => {
    const { code, stdout } = await run('github', { env: { GITHUB_ACTIONS: 'true' } })
    const lines = stdout.trimEnd().split('\n')
    expect(code).toBe(2)
    expect(lines[0]).toBe('::error::cannot read gone.md: there is no such file')
    expect(lines[1]).toMatch(/^::error file=docs\/bad name%2C 100%25\.md,line=5,endLine=5,col=7,endColumn=16,title=FILE_NOT_FOUND::/)
    expect(stdout).toMatch(
      /^::notice file=docs\/mend\.md,line=3,endLine=3,col=5,endColumn=24,title=INVALID_STEP::.*%0Astickler check --fix repairs it\.$/m,
    )
    expect(stdout).toMatch(/^::notice file=%3A%3Aerror%3A%3Aname ##\[group\]z\.md,/m)
    expect(lines.at(-1)).toBe('6 files: 1 valid, 2 repaired, 2 unresolved, 1 could not be read')
    // Every line but the last is one command, and none of those that change the run.
    expect(new Set(commandsIn(stdout))).toEqual(new Set(['error', 'notice']))
    expect(commandsIn(stdout).length).toBe(lines.length - 1)
  })

  test('adds a table to the page of the run, in which nothing is markup', async () => {
    const cwd = await folderWith({ 'summary.md': 'before\n', 'a.md': record(...paths) })
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    const argv = ['check', 'a.md', ...checks, '--format', 'github']
    await runCli(argv, { cwd, env })
    const page = await readFile(join(cwd, 'summary.md'), 'utf8')
    expect(page).toMatch(
      /^before\n### stickler check\n\n1 file: 1 unresolved\n\n\| place \| code \| message \|\n\| --- \| --- \| --- \|\n\| a\.md&#58;5&#58;7 \| FILE&#95;NOT&#95;FOUND \|/,
    )
    expect(page).not.toMatch(/<b>|`|\]\(|@all/)
    await symlink('/nowhere/there', join(cwd, 'broken'))
    expect((await runCli(argv, { cwd, env: { GITHUB_STEP_SUMMARY: join(cwd, 'broken') } })).stderr).toContain(
      'cannot write the step summary',
    )
  })

  test.each(['text', 'json', 'sarif', 'junit'])('a model cannot give its runner commands by %s', async (format) => {
    for (const more of [[], ['--repair', 'never']]) {
      const { stdout, stderr } = await run(format, { env: { GITHUB_ACTIONS: 'true' } }, more)
      expect(stdout).toContain('FILE_NOT_FOUND')
      expect(commandsIn(stdout + stderr)).toEqual([])
    }
  })

  test('nor by a diff', async () => {
    const text = '::error::a\n ::warning::b ##[group]c\nSee <!-- STEP: whta -->\n::set-env name=x::y\n'
    const { stdout, code } = await runCli(['check', 'a.md', '--check', 'step_marker', '--dry-run'], {
      files: { 'a.md': text },
      env: { GITHUB_ACTIONS: 'true' },
    })
    const [, token] = /^::stop-commands::([\w-]{36})\n/.exec(stdout) ?? []
    expect([code, token === undefined, stdout.endsWith(`\n::${token}::\n`)]).toEqual([0, false, true])
  })
})

test('several reports of one run agree', async () => {
  const cwd = await folderWith(files)
  const outputs = ['json=r.json', 'sarif=r.sarif', 'junit=r.xml', 'text=r.txt', 'github=r.log'].flatMap((one) => ['--output', one])
  const { stdout, stderr } = await runCli(['check', ...all, ...checks, '--quiet', ...outputs], { cwd })
  expect(stdout.match(/^docs.*: \w+/gm)).toEqual(['docs/bad name, 100%.md: unresolved', 'docs/hostile.md: unresolved'])
  expect(stdout.split('\n').at(-2)).toBe('6 files: 1 valid, 2 repaired, 2 unresolved, 1 could not be read')
  expect(stderr).toBe('stickler: cannot read gone.md: there is no such file\n')
  const read = async (name: string) => readFile(join(cwd, name), 'utf8')
  const results: { status: string; issues: unknown[]; fixed?: unknown[] }[] = JSON.parse(await read('r.json')).results
  const issues = results.flatMap(({ status, issues: found, fixed = [] }) => (status === 'repaired' ? fixed : found)).length
  expect(JSON.parse(await read('r.sarif')).runs[0].results.length).toBe(issues)
  expect((await read('r.log')).match(/^::\w+ file=/gm)?.length).toBe(issues)
  expect((await read('r.xml')).match(/<testcase /g)?.length).toBe(results.length + 1)
  expect((await read('r.txt')).match(/: (?:valid|repaired|unresolved)/g)?.length).toBe(results.length)
  // A report is never written through a link.
  await symlink('elsewhere', join(cwd, 'link'))
  expect(await runCli(['check', 'docs/good.md', ...checks, '--output', 'json=link'], { cwd })).toMatchObject({
    code: 2,
    stderr: 'stickler: cannot write link: it is a symbolic link, not a regular file\n',
  })
})

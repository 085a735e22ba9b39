import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './support/places.ts'

interface Step {
  readonly id?: string
  readonly shell?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

const source = await readFile(join(root, 'action.yml'), 'utf8')
const action: Action = parse(source)

test('the action has the metadata that GitHub asks for', async () => {
  const schema = JSON.parse(await readFile(join(root, 'e2e/fixtures/schemas/github-action.json'), 'utf8'))
  const validate = new Ajv({ strict: false }).compile(schema)
  expect([validate(action), validate.errors]).toEqual([true, null])
})

test('every input is used and documented, and none is written into a script', async () => {
  const page = await readFile(join(root, 'docs/guide/ci.md'), 'utf8')
  const outside = source.slice(source.indexOf('\nruns:'))
  for (const [name, { default: value }] of Object.entries(action.inputs)) {
    expect(outside).toContain(`inputs.${name}`)
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| ${value === '' ? '' : `\`${value}\` `}\\| `, 'm'))
  }
  for (const { run = '', shell } of action.runs.steps.filter((step) => step.run !== undefined)) {
    expect([shell, run.includes('${{')]).toEqual(['bash', false])
  }
})

/** Runs a step as the runner would: inputs as its env maps them, outputs by the file that it names. */
async function runStep(id: string, given: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>, cwd: string) {
  const step = action.runs.steps.find((one) => one.id === id)
  const output = join(cwd, '.output')
  await writeFile(output, '')
  const mapped = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1]
    return [name, input === undefined ? (env[name] ?? '') : (given[input] ?? action.inputs[input]?.default ?? '')]
  })
  const own = { PATH: process.env.PATH ?? '', HOME: cwd, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd, GITHUB_OUTPUT: output, ...env }
  return new Promise<{ code: number; stdout: string; stderr: string; outputs: string }>((resolve) => {
    const argv = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? '']
    execFile('bash', argv, { cwd, env: { ...own, ...Object.fromEntries(mapped) } }, async (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, outputs: await readFile(output, 'utf8') }),
    )
  })
}

async function workspace(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stickler-action-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

const built = { STICKLER_COMMAND: join(root, 'packages/cli/bin/stickler.js') }

test('the check runs with what the inputs say, and reports as asked', async () => {
  const cwd = await workspace({
    'docs/a.md': 'one two three four five six seven',
    'docs/b c.md': 'one',
    'docs/draft.md': 'one two three four',
  })
  const given = {
    files: '  docs/*.md\n\n!draft.md\r\n',
    check: 'max_words={"limit":6}\nstep_marker',
    'fail-on': 'repaired',
    sarif: 'out.sarif',
    junit: 'out.xml',
  }
  const { code, stdout, outputs } = await runStep('check', given, built, cwd)
  expect([code, outputs]).toEqual([1, 'exit-code=1\n'])
  expect(stdout).toMatch(/^::error file=docs\/a\.md,title=MAX_WORDS::/m)
  expect(stdout).toMatch(/^::error file=docs\/b c\.md,title=MISSING_STEP_MARKER::/m)
  expect(stdout).toMatch(/\n2 files: 1 repaired, 1 unresolved\n$/)
  expect(JSON.parse(await readFile(join(cwd, 'out.sarif'), 'utf8')).version).toBe('2.1.0')
  expect(await readFile(join(cwd, 'out.xml'), 'utf8')).toContain('<testsuites>')
})

test('with recordings a contract is evaluated, with its gates and reports', async () => {
  const cwd = await workspace({
    'stickler.yaml': 'contracts: { brief: { checks: [{ max_words: { limit: 3 } }] } }\n',
    'a.jsonl': '{"id":"a","text":"one"}\n{"id":"b","text":"one two three four"}\n',
    'base.jsonl': '{"id":"a","status":"valid","codes":[]}\n{"id":"b","status":"valid","codes":[]}\n',
  })
  const given = {
    recordings: 'a.jsonl\n',
    contract: 'brief',
    baseline: 'base.jsonl',
    'max-new-failures': '0',
    'min-valid': '0.5',
    'max-unchecked': '0',
    html: 'out/report.html',
    junit: 'out.xml',
  }
  const { code, stdout, outputs } = await runStep('check', given, built, cwd)
  expect([code, outputs]).toEqual([1, 'exit-code=1\n'])
  expect(stdout).toMatch(/^::error file=a\.jsonl,line=2,title=b::valid before, now unresolved/m)
  expect(stdout).toMatch(/\n2 answers, 50\.0 % keep brief, 1 new failure; failed: max-new-failures\n$/)
  expect(await readFile(join(cwd, 'out/report.html'), 'utf8')).toMatch(/^<!doctype html>/)
  const { baseline: _baseline, 'max-new-failures': _gate, ...other } = given
  expect((await runStep('check', { ...other, against: './stickler.yaml' }, built, cwd)).code).toBe(0)
})

test('hostile inputs are arguments and nothing more', async () => {
  const cwd = await workspace({ 'a.md': 'x' })
  const evil = `$(touch pwned) \`touch pwned\` "; touch pwned; ' && touch pwned #`
  const given = { files: `${evil}\n--help\n-x`, contract: evil, config: evil, 'fail-on': evil, sarif: evil }
  const { code, stderr, outputs } = await runStep('check', given, built, cwd)
  expect([code, outputs, await readdir(cwd)]).toEqual([2, 'exit-code=2\n', ['.output', 'a.md']])
  expect(stderr).toContain('stickler: ')
})

test('it is installed from the checkout of the action, or from npm in the named version', async () => {
  const npm = '#!/bin/sh\nprintf "%s:" "$(basename "$PWD")" "$@" >> "$LOG"; printf "\\n" >> "$LOG"\n'
  const cwd = await workspace({ 'bin/npm': npm, 'action/package.json': '{}' })
  await chmod(join(cwd, 'bin/npm'), 0o755)
  const env = {
    PATH: `${join(cwd, 'bin')}:${process.env.PATH}`,
    LOG: join(cwd, 'log'),
    GITHUB_ACTION_PATH: join(cwd, 'action'),
    RUNNER_TEMP: cwd,
  }
  const fromCheckout = await runStep('install', {}, env, cwd)
  expect([fromCheckout.code, fromCheckout.outputs]).toEqual([0, `command=${cwd}/action/packages/cli/bin/stickler.js\n`])
  const fromNpm = await runStep('install', { version: '1.2.3-rc.1' }, env, cwd)
  expect([fromNpm.code, fromNpm.outputs]).toEqual([0, `command=${cwd}/stickler/node_modules/stickler/bin/stickler.js\n`])
  expect((await readFile(env.LOG, 'utf8')).split('\n')).toEqual([
    'action:ci:--ignore-scripts:--no-audit:--no-fund:',
    'action:run:build:',
    expect.stringMatching(/:install:--prefix:.*\/stickler:--ignore-scripts:--no-audit:--no-fund:--:stickler@1\.2\.3-rc\.1:$/),
    '',
  ])
  for (const version of ['1 --registry=x', '../x', 'file:x', '-g', 'a@b', '1\n2'])
    expect((await runStep('install', { version }, env, cwd)).code).toBe(2)
})

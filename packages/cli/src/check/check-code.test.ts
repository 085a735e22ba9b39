import { expect, test } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

const blocks = [
  ['python', 'def f(x:\n    return x'],
  ['typescript', 'const a: = 1'],
  ['sql', 'select from where;'],
  ['avap', 'y = getSHA256(x)\nreturnResult(y)'],
  ['json', '{"世界": \u001b[31m}'],
  ['json', `[${'1, '.repeat(5000)}?]`],
] as const

/** Grammars load slowly on a busy machine. */
const patient = 'contracts: { code: { checks: [code_syntax], timeoutMs: 60000 } }\n'

test('prints the place of broken code with a caret, and what to do', async () => {
  const stdin = blocks.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\`\n`).join('\n')
  const { code, stdout } = await runCli(['check', '-', '--contract', 'code'], { stdin, files: { 'stickler.yaml': patient } })
  expect(code).toBe(1)
  // What parsers say needs no escapes within its quotes.
  expect(stdout).not.toContain('\\"')
  const lines = stdout.split('\n')
  const behind = (start: RegExp): string[] => lines.slice(lines.findIndex((line) => start.test(line)))
  expect(lines[0]).toMatch(/^<stdin>: unresolved \(\d+ errors\)$/)
  expect(behind(/^<stdin>:2:\d+ error SYNTAX_ERROR Correct line 1 of code block 1 \(python\): [a-z"].+\.$/)[1]).toBe('  2 | def f(x:')
  expect(behind(/^<stdin>:7:10 error .* code block 2 \(typescript\): [a-z"].+\.$/).slice(1, 3)).toEqual([
    '  7 | const a: = 1',
    '    |          ^',
  ])
  expect(behind(/^<stdin>:11:13 error .* code block 3 \(sql\): [a-z"].+\.$/).slice(1, 3)).toEqual([
    '  11 | select from where;',
    '     |             ^^^^^',
  ])
  expect(
    behind(/^<stdin>:15:5 error .* code block 4 \(avap\): unknown command "getSHA256" — expected known identifier\.$/).slice(1, 4),
  ).toEqual(['  15 | y = getSHA256(x)', '     |     ^^^^^^^^^', '  hint: Write "encodeSHA256" instead'])
  expect(behind(/^<stdin>:16:1 error .* code block 4 \(avap\): "returnResult" not defined — did you mean "addResult"\?$/)[3]).toBe(
    '  did you mean: addResult',
  )
  // What a terminal would act on is escaped, and wide characters take two columns.
  const [, wide, caret] = behind(/ code block 5 \(json\)/)
  expect(wide).toBe('  20 | {"世界": \\x1b[31m}')
  expect(caret?.indexOf('^')).toBe('  20 | {"'.length + 4 + '": '.length)
  const long = behind(/ code block 6 \(json\)/)[1] ?? ''
  expect(long.length).toBeLessThan(120)
  expect(long).toContain('?')
})

test('files are in the language of their name, or of their first line', async () => {
  const files = {
    'a.py': '"""Doc."""\ndef f(:\n',
    'c.ts': 'export const a: number = 1\n',
    'a.html': '<div><span>x</div>',
    'a.xml': '<a><b></a>\n',
    'a.svg': '<svg><g></svg>\n',
    'a.toml': 'a = \n',
    'b.html': '<p>One<p>Two',
    python: 'def f(x:\n    return x\n',
    typescript: 'const a: = 1\n',
    sql: 'SELECT * FORM users\n',
    avap: 'addVar(x, 1)\ngetSHA256(x)\n',
    ...{ p1: 'Update the docs, then run the tests.', p2: 'The answer is 42', p3: 'Select a file from the list', p4: 'import duties rise' },
  }
  const { stdout } = await runCli(['check', ...Object.keys(files), '--check', 'code_syntax'], { files })
  expect(stdout).toMatch(/^a\.py:2:\d+ error SYNTAX_ERROR Correct line 2 of the python code/m)
  for (const [name, language] of Object.entries({ 'a.html': 'html', 'a.xml': 'xml', 'a.svg': 'xml', 'a.toml': 'toml' }))
    expect(stdout).toMatch(new RegExp(`^${name}:1:\\d+ error SYNTAX_ERROR Correct line 1 of the ${language} code`, 'm'))
  for (const name of ['b.html', 'c.ts', 'p1', 'p2', 'p3', 'p4']) expect(stdout).toContain(`\n${name}: valid\n`)
  for (const name of ['python', 'typescript', 'sql', 'avap'])
    expect(stdout).toMatch(new RegExp(`^${name}:\\d+:\\d+ error SYNTAX_ERROR Correct line \\d of the ${name} code: `, 'm'))
})

test('broken code without a fence and a name is found', async () => {
  const files = {
    sql: 'SELCT * FROM users;',
    python1: 'for i in range(3)\n print(i)',
    python2: 'x = (1',
    avap1: 'hash = getSHA256(pw)\naddResult(hash)',
    avap2: '// Hash\nif(a, b, "==")\n  addVar(x, 1)\n',
  }
  const names = Object.keys(files)
  const { stdout } = await runCli(['check', ...names, '--contract', 'code'], { files: { ...files, 'stickler.yaml': patient } })
  for (const name of names) expect(stdout).toMatch(new RegExp(`^${name}:\\d.* of the ${name.replace(/\d/, '')} code: `, 'm'))
})

test('says so when no code was recognised, and how to name it', async () => {
  const { stdout } = await runCli(['check', '-', '--check', 'code_syntax'], { stdin: 'hash = getSHA256(pw)\n' })
  expect(stdout).toContain('\n  note: no code was recognised, so none was checked; ')
  const named = /code_syntax=\{.*\}/.exec(stdout)?.[0].replace('python', 'avap') ?? ''
  const again = await runCli(['check', '-', '--check', named], { stdin: 'hash = getSHA256(pw)\n' })
  expect(again.stdout).toContain('unknown command "getSHA256"')
  const fenced = await runCli(['check', '-', '--check', 'code_syntax'], { stdin: '```json\n{}\n```\n' })
  expect(fenced.stdout).not.toContain('note:')
})

test('a JSON line says the same, and takes the language of its options', async () => {
  const line = (options: object, text: string): string => JSON.stringify({ checks: [{ code_syntax: options }], text })
  const stdin = `${line({}, '```avap\ny = getSHA256(x)\n```\n')}\n${line({ language: 'avap' }, 'y = getSHA256(x)\n')}\n`
  const { stdout } = await runCli(['check', '--jsonl', '-'], { stdin })
  const [fenced, bare] = stdout.split('\n')
  expect(JSON.parse(fenced ?? '')).toMatchObject({
    status: 'unresolved',
    issues: [{ code: 'SYNTAX_ERROR', span: { start: 12, end: 21 }, suggestion: 'encodeSHA256' }],
    facts: { code_syntax: { blocks: 1, languages: ['avap'], code: 'invalid' } },
  })
  expect(JSON.parse(bare ?? '')).toMatchObject({ status: 'unresolved', issues: [{ span: { start: 4, end: 13 } }] })
})

test('explains the code', async () => {
  const { stdout } = await runCli(['explain', 'SYNTAX_ERROR'])
  expect(stdout).toContain('Code in the answer does not parse')
})

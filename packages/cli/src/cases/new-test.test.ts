import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, runCli } from '../testing/run-cli.ts'

const config = `contracts:
  tickets:
    checks:
      - json: { schema: { type: object, properties: { title: { type: string } }, required: [title] } }
`

it('writes a case from an answer, which passes', async () => {
  const cwd = await folderWith({ 'stickler.yaml': config, 'answer.md': '{\n  "title": "x: #",\n}\n' })
  expect(await runCli(['new', 'test', 'answer.md', '--dir', 'tests'], { cwd })).toMatchObject({
    code: 0,
    stderr: 'wrote tests/answer.test.yaml; remove personal data from its answers before you share it\n',
  })
  expect(await readFile(join(cwd, 'tests/answer.test.yaml'), 'utf8')).toMatch(
    /^# Run with: stickler test tests\/answer\.test\.yaml\ncases:\n {2}- name: answer\.md\n {4}answer: \|\n {6}\{\n/,
  )
  expect(await runCli(['test'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'tests/answer.test.yaml\n  ok    answer.md\n1 case: 1 passed\n',
  })
  expect(await runCli(['new', 'test', 'answer.md', '--dir', 'tests'], { cwd })).toMatchObject({
    code: 2,
    stderr: 'stickler: cannot write tests/answer.test.yaml: it already exists\n',
  })
})

it('writes a case for each recorded answer', async () => {
  const lines = [
    { id: 'a', text: '{"title":7}', question: 'Which?' },
    { id: 'b', response: { choices: [{ message: { role: 'assistant', content: '{"title":"x"}' }, finish_reason: 'stop' }] }, tools: [] },
    { id: 'c', text: '{"title":"x', finish_reason: 'length' },
  ]
  const cwd = await folderWith({ 'stickler.yaml': config, 'kept.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') })
  expect((await runCli(['new', 'test', 'kept.jsonl', '--contract', 'tickets', '--json'], { cwd })).stdout).toBe(
    '{"written":["kept.test.yaml"]}\n',
  )
  const text = await readFile(join(cwd, 'kept.test.yaml'), 'utf8')
  expect(text).toContain('question: "Which?"')
  expect(text).toContain('codes: [TRUNCATED]')
  expect(await runCli(['test'], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('3 cases: 3 passed') as string })
})

it('says what it needs', async () => {
  const cwd = await folderWith({ 'stickler.yaml': config, 'empty.jsonl': '{"input":"a","output":null}' })
  expect((await runCli(['new', 'test', 'empty.jsonl'], { cwd })).stderr).toBe('stickler: empty.jsonl has no answers\n')
  expect((await runCli(['new', 'test', '01abc'], { cwd })).stderr).toContain('stickler: there is no file and no run 01abc\n')
})

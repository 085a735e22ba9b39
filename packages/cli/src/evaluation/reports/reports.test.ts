import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { folderWith, runCli } from '../../testing/run-cli.ts'

const hostile = '\u001b[2J\u0007</testcase>"\'<b>[x](javascript:1) | @team ##[error]\u202e\ufffe\ud800'
const config = 'contracts:\n  a: { checks: [{ max_words: { limit: 3 } }] }\n  b: { checks: [{ max_words: { limit: 2 } }] }\n'
const lines = Array.from({ length: 300 }, (_, at) => ({
  id: `::error::${at} ${hostile}`,
  text: `${'word '.repeat(at % 5)}\u202e\u001b`,
  model: `${hostile} ${at}`,
  label: at % 2 === 0 ? 'good' : 'bad',
}))
const files = {
  'stickler.yaml': config,
  'a.jsonl': `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"id":"${'x'.repeat(2000)}","text":{}}\n`,
}
const argv = ['eval', 'a.jsonl', '--contract', 'b', '--against', 'a', '--min-valid', '0.9', '--texts']

it('writes hostile ids, texts and models so that nothing acts on them', async () => {
  const cwd = await folderWith(files)
  const outputs = ['text', 'json', 'junit', 'markdown', 'github'].flatMap((format) => ['--output', `${format}=out/${format}`])
  const { code, stdout, stderr } = await runCli([...argv, ...outputs, '--format', 'github'], {
    cwd,
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') },
  })
  expect([code, stderr]).toEqual([1, ''])
  const written = Object.fromEntries(
    await Promise.all(
      (await readdir(join(cwd, 'out'))).map(async (name) => [name, await readFile(join(cwd, 'out', name), 'utf8')] as const),
    ),
  )
  for (const [name, text] of Object.entries({ ...written, stdout })) {
    expect([name, text.match(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)]).toEqual([name, null])
    // A line that is an annotation is not searched for others.
    if (!['text', 'github', 'stdout'].includes(name)) expect([name, text.includes('##[')]).toEqual([name, false])
  }
  expect(await validateXML({ xml: [{ fileName: 'a.xml', contents: written.junit ?? '' }], normalization: 'format' })).toMatchObject({
    errors: [],
  })
  expect(written.junit).toContain(`tests="${lines.length + 2}"`)
  const { markdown = '' } = written
  expect(Buffer.byteLength(markdown)).toBeLessThan(64 * 1024)
  expect(markdown).not.toMatch(/<b>|\]\(|@team/)
  expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toBe(markdown)
  // Every annotation is one that was meant.
  const commands = stdout.split('\n').filter((line) => line.startsWith('::'))
  for (const line of commands) expect(line).toMatch(/^::error (?:file=a\.jsonl,line=\d+,)?title=[^:,]*::[^\n]*$/)
  expect(commands).toHaveLength(12)
})

it('has no text of an answer unless that is asked for', async () => {
  for (const format of ['text', 'json', 'junit', 'markdown', 'github', 'html']) {
    const { stdout } = await runCli([...argv.filter((flag) => flag !== '--texts'), '--format', format], {
      files: { ...files, 'a.jsonl': '{"id":"1","text":"one canary two three"}\n' },
    })
    expect(stdout).not.toContain('canary')
  }
})

it('keeps the report beside the store, with what the dashboard lists', async () => {
  const cwd = await folderWith(files)
  await runCli([...argv, '--save', '--name', 'nightly'], { cwd })
  const [name = ''] = await readdir(join(cwd, '.stickler/evaluations'))
  const report = JSON.parse(await readFile(join(cwd, '.stickler/evaluations', name), 'utf8')) as Record<string, unknown>
  expect(name).toBe(`${String(report.id)}.json`)
  expect(report).toMatchObject({
    at: 0,
    name: 'nightly',
    contract: 'b',
    against: 'a',
    answers: 300,
    statuses: { valid: expect.any(Number) },
  })
  expect(Object.keys(report)).toEqual(expect.arrayContaining(['rules', 'flips', 'intervals']))
})

it('says which file it cannot write', async () => {
  const { code, stderr } = await runCli([...argv, '--output', 'html=a.jsonl/report.html'], { files })
  expect([code, stderr]).toEqual([2, expect.stringContaining('stickler: cannot write a.jsonl/report.html: ')])
})

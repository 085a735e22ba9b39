import { startParserService } from '@stickler/parser/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli, type Setting } from '../testing/run-cli.ts'

/** A parser service that says of everything that it is invalid. */
async function startFake() {
  const calls: string[] = []
  const trace = [{ line: 1, column: 2, endLine: 1, endColumn: 3, message: 'Write something else.' }] as const
  const parser = {
    languages: () => ['json'],
    async parse(language: string) {
      calls.push(language)
      return { verdict: 'invalid', trace } as const
    },
    close: async () => {},
  }
  const service = await startParserService({ parser })
  onTestFinished(() => service.close(0))
  return { url: `grpc://127.0.0.1:${service.port}`, calls }
}

const answer = 'Here:\n\n```json\n{}\n```\n'
const check = (setting: Setting) => runCli(['check', '-', '--check', 'code_syntax'], { stdin: answer, ...setting })

describe('check and run ask the parser', () => {
  test('of the environment', async () => {
    const { url, calls } = await startFake()
    const { code, stdout } = await check({ env: { AVAP_PARSER_URL: url } })
    expect(stdout).toContain('write something else')
    expect([code, new Set(calls)]).toEqual([1, new Set(['json'])])
  })

  test('of the configuration, before that of the environment', async () => {
    const { url, calls } = await startFake()
    const files = { 'stickler.yaml': `parser: ${url}\n` }
    const { code } = await check({ files, env: { AVAP_PARSER_URL: 'grpc://127.0.0.1:1' } })
    expect([code, new Set(calls)]).toEqual([1, new Set(['json'])])
    const yaml = `parser: ${url}\nupstreams: [{ name: a, kind: scripted, answers: [${[1, 2, 3].map((size) => JSON.stringify(`\`\`\`json\n[${size}]\n\`\`\``)).join(', ')}] }]\n`
    const run = await runCli(['run', 'x', '--check', 'code_syntax'], { files: { 'stickler.yaml': yaml } })
    expect([run.code, calls.length > 1]).toEqual([1, true])
    expect(run.stderr).toContain('write something else')
  })

  test('of this machine when the configuration says so', async () => {
    const { url, calls } = await startFake()
    const { code } = await check({ files: { 'stickler.yaml': 'parser: local\n' }, env: { AVAP_PARSER_URL: url } })
    expect([code, calls]).toEqual([0, []])
  })
})

describe('without a parser', () => {
  test.each([{ AVAP_PARSER_URL: 'grpc://127.0.0.1:1' }, { AVAP_PARSER_TIMEOUT: '0' }])(
    '%j leaves code unchecked, never valid',
    async (env) => {
      const { code, stdout } = await check({ env })
      expect(code).toBe(1)
      expect(stdout).toMatch(/^<stdin>: unchecked/)
    },
  )

  test('malformed settings are errors at the start, where a check needs them', async () => {
    const env = { AVAP_PARSER_URL: 'http://parser:1', PARSER_CB_COOLDOWN: 'x' }
    const { code, stdout, stderr } = await check({ env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')).toMatchObject([
      expect.stringMatching(/^AVAP_PARSER_URL: must /),
      expect.stringMatching(/^PARSER_CB_COOLDOWN: must /),
      '',
    ])
    const lines = await runCli(['check', '--jsonl', '-', '--check', 'code_syntax'], { stdin: '{"text":"x"}\n', env })
    expect(lines.code).toBe(2)
  })
})

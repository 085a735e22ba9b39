import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { engineCodes } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import { describe, expect, it, test } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

describe('explain', () => {
  test.each([...catalogue.validators.flatMap(({ definition }) => Object.entries(definition.codes)), ...Object.entries(engineCodes)])(
    '%s',
    async (code, entry) => {
      const { code: exit, stdout } = await runCli(['explain', code])
      expect(exit).toBe(0)
      for (const words of [code, entry.severity, entry.when, entry.fix, 'docs/reference/']) expect(stdout).toContain(words)
    },
  )
  test.each([
    ['PARALLEL_CALLS', 'none; the model must be asked again'],
    ['FILE_ENTRY_LIMIT', 'none; the model must be asked again'],
    ['CITATION_MISSING', 'none; the model must be asked again'],
    ['CITATION_OUT_OF_RANGE', 'citations may repair it'],
    ['INVALID_STEP', 'step_marker may repair it'],
    ['UNCHECKED', 'none'],
  ])('says of %s whether a repair exists', async (code, words) => {
    expect((await runCli(['explain', code])).stdout).toContain(`\n  repair  ${words}`)
  })
  it('knows a code in any case', async () => {
    expect((await runCli(['explain', 'missing-step-marker'])).stdout).toMatch(/^MISSING_STEP_MARKER: error, reported by step_marker\n/)
  })
  it('gives it as data', async () => {
    expect(JSON.parse((await runCli(['explain', 'MAX_WORDS', '--json'])).stdout)).toEqual({
      code: 'MAX_WORDS',
      validator: 'max_words',
      severity: 'error',
      when: 'The answer has more words than the limit.',
      fix: 'Cut the answer, or raise `limit`.',
      repairs: false,
      docs: expect.stringMatching(/docs\/reference\/validators\/max-words\.md$/),
    })
  })
  it('knows the codes of rules outside of the process, which are their own', async () => {
    const files = {
      'stickler.yaml':
        'contracts:\n  it:\n    checks:\n      - remote: { name: tone, url: http://127.0.0.1:1/ }\n      - command: { name: style, run: [vale] }\nunknown: {}\n',
    }
    const { code, stdout } = await runCli(['explain', 'too-rude'], { files })
    expect(code).toBe(0)
    expect(stdout).toContain('TOO_RUDE: error, reported by tone\n')
    expect(stdout).toContain('TOO_RUDE: error, reported by style\n')
    expect(stdout).toContain('The rule style (command) of the contract it may report it')
    expect(stdout).toMatch(/validators\/remote\.md\n/)
    expect(await runCli(['explain', 'MISING_STEP_MARKER'], { files })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean'),
    })
    expect((await runCli(['explain', 'TOO_RUDE'])).code).toBe(2)
  })
  it('knows every error of the gateway', async () => {
    const page = await readFile(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')
    const codes = [...page.matchAll(/^\| (?:\d+|its own) \| `([a-z0-9_]+)`/gm)].map(({ 1: code = '' }) => code)
    expect(codes.length).toBeGreaterThan(50)
    for (const code of codes) expect((await runCli(['explain', code])).stdout).toContain(`${code}: `)
    expect((await runCli(['explain', 'budget-exceeded'])).stdout).toMatch(
      /^budget_exceeded: 429 .*, an error of the gateway\n {2}when .*\n {2}fix /,
    )
    expect(JSON.parse((await runCli(['explain', 'INVALID_JSON', '--json'])).stdout)).toContainEqual(
      expect.objectContaining({ code: 'invalid_json', status: '400', type: 'invalid_request_error', when: 'The body is not JSON.' }),
    )
  })
  it('names each code once where none is meant', async () => {
    const { stderr } = await runCli(['explain', 'QQQQQQQQQQQQQQQQQQQQQQQQQQ'])
    const known = stderr.split('known: ')[1]?.trim().split(', ') ?? []
    expect(known.length).toBeGreaterThan(50)
    expect(known).toEqual([...new Set(known)])
  })
  it('points at files that exist', async () => {
    for (const code of ['MAX_WORDS', 'UNCHECKED']) {
      const { docs } = JSON.parse((await runCli(['explain', code, '--json'])).stdout)
      expect(isAbsolute(docs)).toBe(true)
      expect(await readFile(docs, 'utf8')).toContain(code)
    }
  })
  it('asks whether another one was meant', async () => {
    expect(await runCli(['explain', 'MISSING_STEP'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^stickler: unknown code "MISSING_STEP"; /),
    })
    expect((await runCli(['explain', 'TRUNCATE\u001b[31m'])).stderr).not.toContain('\u001b')
  })
})

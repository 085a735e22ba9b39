import { describe, expect, it, test } from 'vitest'
import { runCli } from './testing/run-cli.ts'

describe('the command line itself', () => {
  it('prints its version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  })
  it('explains itself', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const word of ['check', 'run', 'list', 'explain', 'init', 'Exit codes']) expect(stdout).toContain(word)
  })
  test.each(['check', 'run', 'list', 'explain', 'init'])('%s --help', async (command) => {
    const { code, stdout } = await runCli([command, '--help'])
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: stickler ${command}`)])
  })
  it('runs a command after --, and prints its version beside one', async () => {
    expect(await runCli(['--', 'explain', 'MAX_WORDS'])).toMatchObject({ code: 0, stdout: expect.stringContaining('MAX_WORDS') })
    expect(await runCli(['check', '--version'])).toEqual(await runCli(['-V']))
  })
  const wrong: readonly (readonly [argv: readonly string[], says: string])[] = [
    [['chekc'], "stickler: unknown command 'chekc' (Did you mean check?)\n"],
    [['check', '--chek', 'x', 'f'], "stickler: unknown option '--chek' (Did you mean --check?)\n"],
    [
      ['check', '--repair', 'soon', 'f'],
      expect.stringMatching(/^stickler: option '--repair <when>' argument 'soon' is invalid\. Allowed choices are first, last, never\.\n$/),
    ],
    [['check', '--allow', 'all', 'f'], expect.stringContaining('The classes are lossless, lossy, guess.')],
    [
      ['check', '--check', 'max_words={', 'f'],
      expect.stringContaining('The options of max_words are not JSON; write max_words={"option":"value"}.'),
    ],
    [['explain'], "stickler: missing required argument 'code'\n"],
    [['list', 'extra'], expect.stringContaining('too many arguments')],
  ]
  test.each(wrong)('%j is a usage error of one line', async (argv, says) => {
    expect(await runCli(argv)).toEqual({ code: 2, stdout: '', stderr: says })
  })
  it('shows help on stderr when nothing is asked', async () => {
    const { code, stderr, stdout } = await runCli([])
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^Usage: stickler[\s\S]*Exit codes/)])
  })
  it('shows where an error comes from only when asked to', async () => {
    const setting = { env: { STICKLER_DEBUG: '1' } }
    expect((await runCli(['explain', 'NOPE'], setting)).stderr).toContain('    at ')
    expect((await runCli(['explain', 'NOPE'])).stderr).not.toContain('    at ')
  })
})

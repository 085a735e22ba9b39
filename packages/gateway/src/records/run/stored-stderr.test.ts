import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptStderr, stderrWithoutWords } from './stored-stderr.ts'

describe('the error stream of a command, where texts are not kept', () => {
  it.each([
    ['No conversation found with session ID: 1-2-3\n', 1, 'exit code 1, 1 line, 45 characters: session not found'],
    ['Invalid API key · Please run /login', 1, 'exit code 1, 1 line, 35 characters: not logged in'],
    ['warn\r\nClaude AI usage limit reached\r\n', undefined, '2 lines, 37 characters: rate limit'],
    ['sh: claude: command not found', 127, 'exit code 127, 1 line, 29 characters: command not found'],
    ['Error: spawn /opt/x ENOENT', undefined, '1 line, 26 characters: file not found'],
    ['Der Blauwal singt', undefined, '1 line, 17 characters'],
    [' \n', 1, ''],
  ])('is told by its size and by what is known to go wrong: %j', (stderr, exitCode, told) => {
    expect(keptStderr({ stderr, ...(exitCode === undefined ? {} : { exitCode }) }, false)).toBe(told)
  })

  it.each([
    ['Der Blauwal singt', '1 line, 17 characters'],
    ['1 line, 17 characters: Blauwal', '1 line, 30 characters'],
    ['1 line, 17 characters: rate limit, Blauwal', '1 line, 42 characters: rate limit'],
    ['exit code -1, 1 line, 9 characters: rate limit, MCP', 'exit code -1, 1 line, 9 characters: rate limit, MCP'],
  ])('is told so when its end was kept before: %j', (kept, told) => {
    expect(stderrWithoutWords(kept)).toBe(told)
  })

  it('is told in words of the gateway, whatever it says and however it writes it', () => {
    const told =
      /^(?:exit code \d+, )?\d+ lines?, \d+(?: or more)? characters(?:: (?:session not found|session in use|not logged in|no permission|rate limit|no credit|overloaded|prompt too long|unknown model|unknown option|command not found|file not found|no connection|timeout|certificate|out of memory|MCP|, )+)?$/
    const words = fc.constantFrom('\nBlauwal77', 'fünf', '鯨魚在唱歌', 'ENOENT', 'rate limit', 'not logged in', '429', 'x'.repeat(9000))
    const escaped = (text: string) => text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const stderr = fc.array(
      fc.oneof(
        words,
        fc.string(),
        words.map((word) => JSON.stringify({ prompt: word })),
        words.map(escaped),
      ),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(stderr, (pieces) => {
        const kept = keptStderr({ stderr: pieces.join('') }, false)
        expect(kept === '' || told.test(kept)).toBe(true)
        expect(stderrWithoutWords(kept)).toBe(kept)
        expect(stderrWithoutWords(pieces.join(''))).toBe(kept)
      }),
      { numRuns: 300 },
    )
  })
})

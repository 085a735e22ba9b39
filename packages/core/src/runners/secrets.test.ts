import { describe, expect, it } from 'vitest'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { redactFailure, redactor } from './secrets.ts'

const redact = redactor(['sk-1234567890', 'sk-1234567890-longer', '', 'x', 'password', 'anthropic', 'none123'])

describe('redactor', () => {
  it.each([
    ['once', 'key sk-1234567890!', 'key [redacted]!'],
    ['often', 'sk-1234567890sk-1234567890', '[redacted][redacted]'],
    ['the longer one first', 'sk-1234567890-longer', '[redacted]'],
    ['a part is not confirmed, wherever it stands', 'sk-123456789 sk-12345', 'sk-123456789 sk-12345'],
    ['words and short values stay', 'the password of anthropic: none123', 'the password of anthropic: none123'],
    ['placeholders stay', 'x marks the spot', 'x marks the spot'],
    ['nothing to hide', 'plain', 'plain'],
    ['empty', '', ''],
  ])('%s', (_, text, expected) => {
    expect(redact(text)).toBe(expected)
  })
})

describe('redactFailure', () => {
  it('cleans message and body, keeps the rest, and drops causes of others', () => {
    const cause = new Error('headers: sk-1234567890')
    const failure = redactFailure(
      new RunnerFailure('http', 'bad sk-1234567890', { status: 401, body: 'no sk-1234567890', retryAfterMs: 5, cause }),
      redact,
    )
    expect(failure).toMatchObject({ kind: 'http', message: 'bad [redacted]' })
    expect(failure.details).toEqual({ status: 401, body: 'no [redacted]', retryAfterMs: 5 })
    expect(failure.cause).toBeUndefined()
  })
  it("keeps the caller's own reason", () => {
    const failure = redactFailure(new RunnerFailure('aborted', 'x', { cause: 'mine' }), redact)
    expect(failure.details.cause).toBe('mine')
  })
})

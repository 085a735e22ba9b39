import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { isMaskable, redactFailure, redactor } from './secrets.ts'

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

describe('any secret', () => {
  const secrets = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9._-]{8,24}$/).filter(isMaskable), { minLength: 1, maxLength: 4 })
  const runs = { numRuns: 500 }

  it('is not confirmed by any part of it, wherever a text ends', () => {
    const guess = secrets.chain((all) =>
      fc.record({
        all: fc.constant(all),
        before: fc.string({ maxLength: 5 }),
        part: fc
          .constantFrom(...all)
          .chain((secret) =>
            fc.tuple(fc.nat(secret.length), fc.nat(secret.length)).map(([a, b]) => secret.slice(Math.min(a, b), Math.max(a, b))),
          ),
      }),
    )
    fc.assert(
      fc.property(guess, ({ all, before, part }) => {
        const text = before + part
        fc.pre(!all.some((secret) => text.includes(secret)))
        expect(redactor(all)(text)).toBe(text)
      }),
      runs,
    )
  })

  it('is gone from a failure, wherever its message and body are cut', () => {
    fc.assert(
      fc.property(secrets, fc.integer({ min: 300, max: 380 }), fc.integer({ min: 4060, max: 4110 }), ([secret = ''], inMessage, inBody) => {
        const failure = new RunnerFailure('http', `${' .'.repeat(200).slice(0, inMessage)}${secret} end`, {
          body: `${' .'.repeat(3000).slice(0, inBody)}${secret} end`,
        })
        const { message, details } = redactFailure(failure, redactor([secret]))
        for (const text of [message, details.body ?? '']) expect('[redacted] end'.startsWith(text.replace(/^[ .]*/, ''))).toBe(true)
      }),
      runs,
    )
  })
})

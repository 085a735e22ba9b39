import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { createRedactor } from '../../records/masking/redact.ts'
import { isHarmless, keepAllowed, shortText } from './log-fields.ts'
import { createLogger } from './logger.ts'

/** Beginnings, middles and ends of everything that looks like a secret, and what stands around them. */
const pieces = [
  ...['sk', 'pk', 'gsk', 'xai', 'hf', 'ghp', 'glpat', 'xoxb', 'AKIA', 'AIza', 'ya29.', 'eyJ', 'Bearer', 'bEARER', 'Basic'],
  ...['api_key', 'apikey', 'access-token', 'secret', 'Password', 'authorization', 'token', 'key', 'http', '://', 'user', '@', '?', '='],
  ...[':', ' ', '-', '_', '.', '"', "'", '\\', '/', ',', '}', ']', '\n', '\u0000', '\u007f', '\u202e', 'é', '😀', 'known-secret'],
  ...['a', 'B', '7', 'abcdef0123456789', 'abcd1234', 'x'.repeat(300), '1700000'],
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 40 }),
  fc.uuid(),
)
const names = [
  'api',
  'code',
  'codes',
  'contract',
  'key',
  'model',
  'ms',
  'path',
  'reason',
  'requestId',
  'secret',
  'token',
  'password',
  'prompt',
]
const failure = Object.assign(new Error('known-secret: Bearer abcdef0123456789'), { syscall: 'open', code: 'ENOENT' })
const fields = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(
    text,
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.array(text, { maxLength: 3 }),
    fc.constantFrom(null, undefined, failure),
  ),
)

const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu
const secrets = ['known-secret', '17000000', 'a"b\\c-quoted']

/** The same line, written by pino from a copy of the fields, with every pattern looked for in all of it. */
function plainly(bindings: object, own: object, message: string): string {
  let line = ''
  const redact = createRedactor(() => secrets)
  const escaped = (found: string) => found.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const options = {
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (fields: unknown) => fields },
    hooks: { streamWrite: (text: string) => `${redact(text.slice(0, -1)).replace(unsafe, escaped)}\n` },
  }
  const logger = pino(options, {
    write(text) {
      line = text
    },
  })
  logger.child(keepAllowed(bindings)).info(keepAllowed(own), shortText(message))
  return line
}

test('a line of harmless values is one in which no pattern is found', () => {
  const redact = createRedactor()
  fc.assert(
    fc.property(text, text, fc.constantFrom('code', 'key', 'model', 'promptTokens'), (one, other, name) => {
      if (!isHarmless(one) || !isHarmless(other)) return
      const line = `{"level":"info","time":1700000000000,"api":"${one}","${name}":"${other}","stream":false,"msg":"${one}"}`
      expect(JSON.parse(line)).toMatchObject({ api: one, msg: one })
      expect(redact(line)).toBe(line)
      expect(line).not.toMatch(unsafe)
    }),
    { numRuns: 5000 },
  )
})

test('lines are those of pino with every pattern looked for in each', () => {
  vi.useFakeTimers({ now: 1_700_000_012_345, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  fc.assert(
    fc.property(fields, fields, text, (bindings, own, message) => {
      const lines: string[] = []
      const { logger, flush } = createLogger({
        level: 'info',
        destination: { write: (line) => void lines.push(line) },
        secrets: () => secrets,
      })
      logger.child(bindings).info(own, message)
      flush()
      expect(lines).toEqual([plainly(bindings, own, message)])
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['api_key://\ud800sk', 'api_key:[redacted]'],
  ['password=\udfffabcdef', 'password=[redacted]'],
  ['token:ab\ud800cd', 'token:[redacted]'],
  ['Bearer abcdef\ud800', 'Bearer [redacted]\ud800'],
])('%j becomes %j: half a character hides nothing', (model, expected) => {
  const lines: string[] = []
  const { logger, flush } = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  logger.info({ model }, 'run')
  flush()
  expect(JSON.parse(lines.join(''))).toMatchObject({ model: expected })
})

describe('isHarmless', () => {
  it.each([
    ...['run', '', 'run_0m3k_abcdef', '3f0c6c5e-6f0e-4f6b-9d0a-0d3b8a1f5c11', 'gpt-4o-mini', 'llama3/8b', 'a,b;c', 'sk-short'].map(
      (value) => [value, true] as const,
    ),
    ...['sk-proj-abcdef0123456789', 'x sk', 'a=b', 'a:b', 'a@b', 'a?b', 'a"b', 'a\\b', 'é', '\u007f', '\u0000', 'AKIAabcdef012345'].map(
      (value) => [value, false] as const,
    ),
  ])('%j: %s', (value, expected) => {
    expect(isHarmless(value)).toBe(expected)
  })
})

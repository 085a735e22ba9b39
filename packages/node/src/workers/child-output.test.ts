import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childRedactor } from './child-output.ts'

const random = 'q7Zt0vB2mXw9LkRs4NdY'
const hex = '0f3a'.repeat(16)

test.each([
  [`Authorization: Bearer ${random}`, random],
  [`authorization: Basic ${random}==`, random],
  [`x-api-key: ${hex}`, hex],
  [`{"apiKey":"${hex}"}`, hex],
  ['password=correct-horse', 'correct-horse'],
  ['DB_PASSWORD=correct-horse', 'correct-horse'],
  [`ANTHROPIC_API_KEY='${random}'`, random],
  [`GET https://user:${random}@host.example/v1?key=${hex}`, random],
  [`GET https://host.example/v1?key=${hex}`, hex],
  [`sk-ant-${random}`, random],
])('a process that says %j does not tell its secret', (said, secret) => {
  for (const text of [said, `Error\n${said}\n    at x`, `> ${said} <`]) {
    const masked = childRedactor({})(text)
    expect(masked).not.toContain(secret)
    expect(masked).toContain('[redacted]')
  }
})

test('any value of a named key is masked, and words about one are not', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9+._-]{8,80}$/)
  const name = fc.constantFrom('password=', 'Authorization: Bearer ', 'X-Api-Key: ', 'access_token=', 'client-secret: ', 'TOKEN=')
  fc.assert(
    fc.property(name, value, (key, secret) => {
      expect(childRedactor({})(`fetch failed: ${key}${secret} (401)`)).not.toContain(secret)
    }),
  )
  const words = 'Error: invalid API key, please run /login\n    at parse (/app/token.js:3:1)'
  expect(childRedactor({})(words)).toBe(words)
})

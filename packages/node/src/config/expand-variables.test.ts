// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what configuration files hold
import { describe, expect, test } from 'vitest'
import { expandText, nameVariables } from './expand-variables.ts'

const env = { HOST: 'example.com', EMPTY: '', NESTED: '${HOST}', YAML: 'a: [1]', DOLLARS: '$& $1 $$' }

describe('texts with variables', () => {
  const good: readonly (readonly [written: string, text: string])[] = [
    ['plain', 'plain'],
    ['', ''],
    ['${HOST}', 'example.com'],
    ['https://${HOST}/v1', 'https://example.com/v1'],
    ['${HOST}${HOST}', 'example.comexample.com'],
    ['${NOPE:-fallback}', 'fallback'],
    ['${NOPE:-}', ''],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${EMPTY}', ''],
    ['${HOST:-fallback}', 'example.com'],
    ['${NOPE:-a:-b}', 'a:-b'],
    ['${NOPE:-a\nb}', 'a\nb'],
    ['$${HOST}', '${HOST}'],
    ['$$${HOST}', '$${HOST}'],
    ['${NESTED}', '${HOST}'],
    ['${YAML}', 'a: [1]'],
    ['${DOLLARS}', '$& $1 $$'],
    ['costs $5 or $HOST', 'costs $5 or $HOST'],
    ['100 %{x} {y}', '100 %{x} {y}'],
    ['ends with $', 'ends with $'],
  ]
  test.each(good)('%j', (written, text) => {
    expect(expandText(written, env)).toMatchObject({ text })
  })

  const form = 'a variable is written ${NAME} or ${NAME:-default}; write $${ for the characters themselves'
  const bad: readonly (readonly [written: string, problem: string])[] = [
    ['${NOPE}', 'the environment variable NOPE is not set'],
    ['x${HOST}${NOPE}${ALSO}', 'the environment variable NOPE is not set'],
    ['${constructor}', 'the environment variable constructor is not set'],
    ['${__proto__}', 'the environment variable __proto__ is not set'],
    ['${}', form],
    ['${HOST', form],
    ['${1A}', form],
    ['${HO ST}', form],
    ['${HOST:=x}', form],
    ['${HOST-x}', form],
    ['${'.repeat(50_000), form],
  ]
  test.each(bad)('%.40j is wrong', (written, problem) => {
    expect(expandText(written, env)).toEqual({ problem })
  })
})

test('messages name variables instead of their values, also of values that they clip', () => {
  const value = `https://me:canary@example.com/${'x'.repeat(90)}`
  const used = [
    { name: 'URL', value },
    { name: 'SAME', value: 'SAME' },
  ]
  const named = (message: string) => nameVariables(message, used)
  expect(named(`bad "${value}" twice: ${value}`)).toBe('bad "${URL}" twice: ${URL}')
  for (const length of [20, 79, 80, 90]) expect(named(`bad "(${value.slice(0, length)}…"`)).toBe('bad "(${URL}…"')
  expect(named('https://me:canary.org is another')).toBe('https://me:canary.org is another')
  expect(named('SAME SAME')).toBe('${SAME} ${SAME}')
})

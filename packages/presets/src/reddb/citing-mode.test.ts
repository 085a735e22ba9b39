import { describe, expect, test } from 'vitest'
import { capabilitiesOf, resolveMode } from './citing-mode.ts'

test.each([
  ['openai', true, true],
  ['anthropic', true, true],
  ['ollama', false, true],
  ['OLLAMA', false, true],
  ['huggingface', false, false],
  ['somebody', true, true],
  ['', true, true],
  ['__proto__', true, true],
])('%j: citations %s, streaming %s', (provider, citations, streaming) => {
  expect(capabilitiesOf(provider)).toEqual({ citations, streaming })
})

describe('resolveMode', () => {
  const detail = (name: string) => `provider '${name}' does not support reliable citation emission; strict mode downgraded to lenient`

  test.each([
    ['strict', true, 'strict'],
    ['lenient', true, 'lenient'],
    ['lenient', false, 'lenient'],
  ] as const)('%s with citations %s stays silent', (requested, citations, mode) => {
    expect(resolveMode('openai', requested, { citations })).toEqual({ mode })
  })

  test.each([
    ['ollama', 'ollama'],
    ['Ollama', 'Ollama'],
    ['my provider (v2.1) – größer 模型 😀', 'my provider (v2.1) – größer 模型 😀'],
    ["o'; drop", 'o\\u0027; drop'],
    ['a"b`c\\d', 'a\\u0022b\\u0060c\\u005cd'],
    ['a\r\nb\0\u0085\u2028\u2029', 'a\\u000d\\u000ab\\u0000\\u0085\\u2028\\u2029'],
    ['\u202eevil\u2066\u{e0041}', '\\u202eevil\\u2066\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['x'.repeat(10_000), `${'x'.repeat(79)}…`],
  ])('the warning for %j', (provider, name) => {
    expect(resolveMode(provider, 'strict', { citations: false })).toEqual({
      mode: 'lenient',
      warning: { kind: 'mode_fallback', detail: detail(name) },
    })
  })
})

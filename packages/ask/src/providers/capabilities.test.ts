import { describe, expect, test } from 'vitest'
import { type Capabilities, capabilitiesOf, resolveMode } from './capabilities.ts'

const row = (letters: string): Capabilities => ({
  citations: letters.includes('c'),
  seed: letters.includes('s'),
  temperature: letters.includes('t'),
  streaming: letters.includes('m'),
})

describe('capabilitiesOf', () => {
  test.each<[string, string]>([
    ['openai', 'cstm'],
    ['OpenAI', 'cstm'],
    ['groq', 'cstm'],
    ['together', 'cstm'],
    ['openrouter', 'cstm'],
    ['venice', 'cstm'],
    ['deepseek', 'cstm'],
    ['anthropic', 'ctm'],
    ['ollama', 'stm'],
    ['huggingface', 't'],
    ['local', 'ctm'],
    ['somebody', 'ctm'],
    ['', 'ctm'],
    [' openai', 'ctm'],
    ['__proto__', 'ctm'],
    ['constructor', 'ctm'],
    ['hasOwnProperty', 'ctm'],
  ])('%j has %j', (provider, letters) => {
    expect(capabilitiesOf(provider)).toEqual(row(letters))
    expect(capabilitiesOf(provider, {})).toEqual(row(letters))
  })

  test.each<[string, Record<string, Partial<Capabilities>>, string]>([
    ['ollama', { ollama: { citations: true } }, 'cstm'],
    ['Ollama', { OLLAMA: { citations: true, seed: false } }, 'ctm'],
    ['ollama', { openai: { seed: false } }, 'stm'],
    ['mine', { mine: { streaming: true, temperature: false } }, 'cm'],
    ['ollama', { ollama: {} }, 'stm'],
    ['ollama', JSON.parse('{"ollama":{"__proto__":{"citations":true}}}'), 'stm'],
    ['__proto__', JSON.parse('{"__proto__":{"seed":true}}'), 'cstm'],
    ['mine', Object.create({ mine: { citations: false } }), 'ctm'],
  ])('%j under %j has %j', (provider, overrides, letters) => {
    expect(capabilitiesOf(provider, overrides)).toEqual(row(letters))
  })
})

describe('resolveMode', () => {
  const detail = (name: string) => `provider '${name}' does not support reliable citation emission; strict mode downgraded to lenient`

  test.each([
    ['strict', true, 'strict'],
    ['lenient', true, 'lenient'],
    ['lenient', false, 'lenient'],
  ] as const)('%s with citations %s stays silent', (requested, citations, mode) => {
    expect(resolveMode('openai', requested, { ...row(''), citations })).toEqual({ mode })
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
    expect(resolveMode(provider, 'strict', row('stm'))).toEqual({
      mode: 'lenient',
      warning: { kind: 'mode_fallback', detail: detail(name) },
    })
  })
})

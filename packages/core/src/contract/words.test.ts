import { describe, expect, test } from 'vitest'
import { closest } from './closest.ts'
import { clamp, quote, quoteToolName } from './quote.ts'

describe('closest', () => {
  test.each([
    ['step_markr', ['max_words', 'step_marker'], 'step_marker'],
    ['Step-Marker', ['step_marker'], 'step_marker'],
    ['retires', ['repair', 'retries'], 'retries'],
    ['xyz', ['step_marker'], undefined],
    ['', ['a'], undefined],
    ['__proto__', ['constructor'], undefined],
  ])('%j among %j', (word, candidates, expected) => {
    expect(closest(word, candidates)).toBe(expected)
  })

  test('stays cheap on long names', { timeout: 5000 }, () => {
    const many = Array.from({ length: 5000 }, (_, index) => `tool_${index}_${'x'.repeat(190)}`)
    for (const word of ['y'.repeat(10_000), 'x'.repeat(200)]) expect(closest(word, many)?.length ?? 200).toBeGreaterThan(190)
  })
})

test('a name of a tool that is padded stays cheap', { timeout: 5000 }, () => {
  expect(quoteToolName(`a${'_'.repeat(127)}${' '.repeat(4_000_000)}`)).toContain('a___')
  expect(quoteToolName(`${'_a'.repeat(2_000_000)}`)).toBe('[hidden]')
})

describe('quote', () => {
  test.each([
    ['src/a-b.ts', 'src/a-b.ts'],
    ['two words', '"two words"'],
    ['line\nbreak "quoted"', '"line\\nbreak \\"quoted\\""'],
    ['\u202edetsrever\u2028', '"\\u202edetsrever\\u2028"'],
    ['', '""'],
    ['x'.repeat(100), `"${'x'.repeat(79)}…"`],
  ])('%j', (text, expected) => {
    expect(quote(text)).toBe(expected)
  })

  test('never splits a character', () => {
    expect(clamp('👍👍👍', 4)).toBe('👍…')
    expect(clamp('👍👍', 4)).toBe('👍👍')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../../tools/tests/processor-ms.ts'
import { findByModel } from './model-patterns.ts'

const routes = ['*', 'claude-*', 'gpt-*', 'gpt-*-mini', 'gpt-4o', '*-preview', 'a*b*c'].map((model) => [model, model] as const)
const find = findByModel(routes)

describe('the route of a model', () => {
  it.each([
    ['gpt-4o', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'gpt-*'],
    ['gpt-4o-mini', 'gpt-*-mini'],
    ['gpt-mini', 'gpt-*'],
    ['claude-', 'claude-*'],
    ['Claude-3', 'claude-*'],
    ['GPT-4o', 'gpt-4o'],
    ['gpt-4o ', 'gpt-4o'],
    ['GPT-4', 'gpt-*'],
    ['o1-preview', '*-preview'],
    ['gpt-5-preview', '*-preview'],
    ['abc', 'a*b*c'],
    ['abcb', '*'],
    ['ab', '*'],
    ['', '*'],
    ['*', undefined],
    ['gpt-*', undefined],
    ['__proto__', '*'],
  ])('of %j is %j', (model, route) => {
    expect(find(model)).toBe(route)
  })

  it('needs no route for any model', () => {
    expect(findByModel([['gpt-*', 1]])('claude-3')).toBeUndefined()
  })

  it('takes the first of patterns with equally many letters', () => {
    const pairs = [
      ['a*', 1],
      ['*b', 2],
    ] as const
    expect(findByModel(pairs)('ab')).toBe(1)
  })

  it('matches as a regular expression does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 12 })
    const pattern = fc.array(text, { minLength: 2, maxLength: 5 }).map((parts) => parts.join('*'))
    fc.assert(
      fc.property(pattern, text, (written, model) => {
        const expected = new RegExp(`^${written.replaceAll(/\*+/g, '.*')}$`).test(model)
        expect(findByModel([[written, true]])(model) === true).toBe(expected)
      }),
    )
  })

  it('remembers the names that it has found, and not without end', async () => {
    const patterns = Array.from({ length: 500 }, (_, index) => [`vendor-${index}-*`, index] as const)
    const remembering = findByModel(patterns)
    const timeOf = (names: readonly string[]) => processorMs(() => names.forEach(remembering))
    const same = Array.from({ length: 3000 }, () => 'vendor-0-large')
    const others = same.map((_, index) => `vendor-0-large-${index}`)
    expect(await timeOf(others)).toBeGreaterThan(5 * (await timeOf(same)))
    expect([...others, ...same].map(remembering)).toEqual([...others, ...same].map(() => 0))
    expect([remembering('x'), remembering('x'), remembering('vendor-7-x')]).toEqual([undefined, undefined, 7])
  })

  it('takes no longer for hostile names', () => {
    const slow = findByModel([[`${'a*'.repeat(99)}b`, true]])
    expect(slow('a'.repeat(1_000_000))).toBeUndefined()
  })
})

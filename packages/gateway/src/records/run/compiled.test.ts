import { afterEach, expect, test, vi } from 'vitest'
import { compiled } from './compiled.ts'

/** The error that Node throws where it may make no code of texts. */
class NoFunction {
  constructor() {
    throw new EvalError('Code generation from strings disallowed for this context')
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an expression is compiled with what it may use', () => {
  expect(compiled('value', 'twice(value) + 1', { twice: (value: number) => value * 2 }, (_value: number) => 0)(3)).toBe(7)
})

test('a broken expression is an error, not the slower way', () => {
  expect(() => compiled('value', 'value +', {}, () => 0)).toThrow(SyntaxError)
})

test('the slower way is taken where code may not be made of texts', () => {
  vi.stubGlobal('Function', NoFunction)
  expect(compiled('value', 'value + 1', {}, () => 0)()).toBe(0)
})

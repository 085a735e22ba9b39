import { describe, expect, it } from 'vitest'
import { HttpError } from '../shared/http-error.ts'
import { refuse } from './read-fields.ts'
import { Translation } from './translation.ts'

describe('what could not be translated', () => {
  it('keeps the first refusal, and lets everything else be read', () => {
    const translation = new Translation()
    expect(translation.attempt(() => refuse('a', 'a is wrong.'), 'fallback')).toBe('fallback')
    expect(translation.attempt(() => refuse('b', 'b is wrong.'), undefined)).toBeUndefined()
    expect(translation.attempt(() => 1, 2)).toBe(1)
    expect(translation.refused).toBeInstanceOf(HttpError)
    expect(translation.refused).toMatchObject({ status: 400, message: 'a is wrong.', details: { param: 'a' } })
  })

  it('does not hide a fault of the program', () => {
    expect(() =>
      new Translation().attempt(() => {
        throw new TypeError('x')
      }, 1),
    ).toThrow(TypeError)
  })

  it('lists fields that have a value, once each', () => {
    const translation = new Translation()
    translation.dropGiven({ a: 1, b: null, c: undefined }, ['a', 'b', 'c'], 'x.')
    translation.drop('x.a')
    expect(translation.dropped).toEqual(['x.a'])
  })
})

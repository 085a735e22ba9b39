import { describe, expect, it } from 'vitest'
import { HttpError } from '../../front/replies/http-error.ts'
import { refuse } from './read-fields.ts'
import { droppedHeader, Translation } from './translation.ts'

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

  it.each([
    [[], {}],
    [['a', 'b[0].c'], { 'x-stickler-dropped': 'a, b[0].c' }],
    [['a\r\nset-cookie: x', 'é, b'], { 'x-stickler-dropped': 'a__set-cookie__x, ___b' }],
  ])('writes the header for %j', (names, header) => {
    expect(droppedHeader(names)).toEqual(header)
  })

  it('bounds the header', () => {
    const translation = new Translation()
    for (let index = 0; index < 5000; index++) translation.drop(`field_${index}_${'x'.repeat(200)}`)
    const header = droppedHeader(translation.dropped)['x-stickler-dropped'] ?? ''
    expect(header.length).toBeLessThan(1024)
    expect(header).toMatch(/^field_0_x+, field_1_x+,.*, \.\.\.$/)
    const short = new Translation()
    for (let index = 0; index < 100; index++) short.drop(`f${index}`)
    expect(droppedHeader(short.dropped)['x-stickler-dropped']).toBe(`${Array.from({ length: 32 }, (_, at) => `f${at}`).join(', ')}, ...`)
  })
})

import { droppedHeader } from '@stickler/core/internal/relay'
import { describe, expect, it } from 'vitest'

describe('what could not be translated', () => {
  it.each([
    [[], {}],
    [['a', 'b[0].c'], { 'x-stickler-dropped': 'a, b[0].c' }],
    [['a\r\nset-cookie: x', 'é, b'], { 'x-stickler-dropped': 'a__set-cookie__x, ___b' }],
  ])('writes the header for %j', (names, header) => {
    expect(droppedHeader(names)).toEqual(header)
  })

  it('bounds the header', () => {
    const long = Array.from({ length: 5000 }, (_, index) => `field_${index}_${'x'.repeat(200)}`)
    const header = droppedHeader(long)['x-stickler-dropped'] ?? ''
    expect(header.length).toBeLessThan(1024)
    expect(header).toMatch(/^field_0_x+, field_1_x+,.*, \.\.\.$/)
    const short = Array.from({ length: 100 }, (_, index) => `f${index}`)
    expect(droppedHeader(short)['x-stickler-dropped']).toBe(`${Array.from({ length: 32 }, (_, at) => `f${at}`).join(', ')}, ...`)
  })
})

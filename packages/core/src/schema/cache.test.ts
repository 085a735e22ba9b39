import { describe, expect, it } from 'vitest'
import { createSchemaCache } from './cache.ts'

describe('createSchemaCache', () => {
  it('knows schemas by content and draft', () => {
    const cache = createSchemaCache()
    const compiled = cache.compile({ type: 'string' })
    expect(cache.compile({ type: 'string' })).toBe(compiled)
    expect(cache.compile({ type: 'string' }, { draft: '7' })).not.toBe(compiled)
    expect(cache.size).toBe(2)
  })
  it('is not fooled by a schema that changes later', () => {
    const cache = createSchemaCache()
    const schema = { type: 'string' }
    const { validate } = cache.compile(schema)
    schema.type = 'number'
    expect(validate('x')).toEqual([])
    expect(cache.compile(schema).validate('x')).toHaveLength(1)
  })
  it('stays within its bound over 10 000 schemas, and keeps what is used', () => {
    const cache = createSchemaCache(50)
    const used = cache.compile({ title: 'used' })
    for (let number = 0; number < 10_000; number++) {
      cache.compile({ maxLength: number })
      if (number % 10 === 0) cache.compile({ title: 'used' })
    }
    expect(cache.size).toBe(50)
    expect(cache.compile({ title: 'used' })).toBe(used)
  })
  it('quotes in one way', () => {
    const cache = createSchemaCache(1, (text) => `<${text}>`)
    expect(cache.compile({ type: 'null' }).validate('x')[0]?.message).toContain('<x>')
  })
  it('keeps nothing of a schema that was refused', () => {
    const cache = createSchemaCache()
    expect(() => cache.compile({ type: 1 })).toThrow()
    expect(cache.size).toBe(0)
  })
})

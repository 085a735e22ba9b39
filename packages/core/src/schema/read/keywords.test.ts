import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('./metaschemas.ts')
  vi.resetModules()
})

test('the keywords are gathered once, and not on import', async () => {
  const asked = vi.fn()
  vi.resetModules()
  vi.doMock('./metaschemas.ts', async (original) => {
    const real = await original<typeof import('./metaschemas.ts')>()
    return { ...real, keywordsOf: asked.mockImplementation(real.keywordsOf) }
  })
  const { json } = await import('../../validators/json/index.ts')
  const { contract } = await import('../../catalogue.ts')
  expect(asked).not.toHaveBeenCalled()
  expect(() => contract({ checks: [json({ schema: { propertes: {} } })] })).toThrow('did you mean "properties"?')
  const first = asked.mock.calls.length
  expect(first).toBeGreaterThan(0)
  const { schemaKeywords } = await import('./keywords.ts')
  expect(schemaKeywords().has('properties')).toBe(true)
  expect(asked).toHaveBeenCalledTimes(first)
})

import { check, contract } from '@stickler/core'
import { catalogue } from '@stickler/presets'
import { describe, expect, it, test } from 'vitest'
import { configJsonSchema } from './config-json-schema.ts'

const rules = contract({ checks: [{ json: { schema: configJsonSchema(), allow: [] } }], repair: 'never' })
const faults = async (config: unknown): Promise<string[]> =>
  (await check(rules, JSON.stringify(config))).issues.map(({ message }) => message)

describe('the JSON Schema of the file', () => {
  it('is draft 7, and plain data', () => {
    const schema = configJsonSchema()
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  })
  it('has defaults and descriptions', () => {
    expect(configJsonSchema()).toMatchObject({
      properties: { server: { properties: { port: { default: 8787, description: '0 picks a free port.' } } } },
    })
  })
  it('knows every validator and preset', () => {
    const text = JSON.stringify(configJsonSchema())
    for (const { definition } of catalogue.validators) expect(text).toContain(`"required":["${definition.name}"]`)
    for (const preset of Object.keys(catalogue.presets)) expect(text).toContain(`"${preset}"`)
  })

  const good: readonly (readonly [what: string, config: unknown])[] = [
    ['nothing', {}],
    ['a variable for a number', { server: { port: `\${PORT}` } }],
    ['an upstream', { upstreams: [{ name: 'a', kind: 'openai', baseUrl: 'http://x' }] }],
    [
      'checks in every form',
      { contracts: { a: { checks: ['step_marker', { step_marker: null }, { max_words: { limit: 1 } }], mode: 'shadow' } } },
    ],
    [
      'short forms',
      { contracts: { a: { checks: [{ max_words: 5 }, { language: 'de' }, { one_of: ['a', 'b'] }, { links: ['acme.com'] }] } } },
    ],
    ['a folder of a command', { upstreams: [{ name: 'a', kind: 'claude-cli', cwd: './work' }] }],
    ['a schema file', { contracts: { a: { checks: [{ json: { schemaFile: 'x.json' } }] } } }],
  ]
  test.each(good)('takes %s', async (_, config) => {
    expect(await faults(config)).toEqual([])
  })

  const bad: readonly (readonly [what: string, config: unknown])[] = [
    ['an unknown key', { sever: {} }],
    ['a text for a number', { server: { port: 'x' } }],
    ['an unknown kind', { upstreams: [{ name: 'a', kind: 'opnai' }] }],
    ['an empty folder', { upstreams: [{ name: 'a', kind: 'claude-cli', cwd: '' }] }],
    ['a folder of what is not a command', { upstreams: [{ name: 'a', kind: 'openai', baseUrl: 'http://x', cwd: '.' }] }],
    ['an unknown check', { contracts: { a: { checks: ['step_markr'] } } }],
    ['an unknown option', { contracts: { a: { checks: [{ max_words: { limits: 1 } }] } } }],
    ['a short form of another type', { contracts: { a: { checks: [{ max_words: ['five'] }] } } }],
    ['a short form of what has none', { contracts: { a: { checks: [{ length: 5 }] } } }],
    ['an unknown policy', { contracts: { a: { retires: 1 } } }],
    ['a schema file for what takes none', { contracts: { a: { checks: [{ max_words: { limit: 1, schemaFile: 'x' } }] } } }],
  ]
  test.each(bad)('refuses %s', async (_, config) => {
    expect(await faults(config)).not.toEqual([])
  })
})

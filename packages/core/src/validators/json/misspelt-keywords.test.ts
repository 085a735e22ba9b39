import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Answer } from '../../answer/answer.ts'
import { readToolCalls } from '../../answer/tool-calls.ts'
import { contract } from '../../catalogue.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../contract/configuration-error.ts'
import { check } from '../../engine/check/check.ts'
import { toolCalls } from '../tool-calls/index.ts'
import { json } from './index.ts'

function problemsOf(schema: unknown): readonly ConfigurationProblem[] {
  try {
    contract({ checks: [json({ schema })] })
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}

/** Every keyword of draft 7, 2019-09 and 2020-12 with a value it may have, written down from the specifications. */
const keywords: Readonly<Record<string, unknown>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/a',
  $anchor: 'a',
  $dynamicAnchor: 'b',
  $ref: '#/$defs/a',
  $dynamicRef: '#b',
  $vocabulary: {},
  $comment: 'c',
  $defs: { a: {} },
  definitions: { a: {} },
  dependencies: { a: ['b'] },
  type: 'object',
  enum: [1],
  const: 1,
  multipleOf: 2,
  maximum: 3,
  exclusiveMaximum: 3,
  minimum: 1,
  exclusiveMinimum: 1,
  maxLength: 3,
  minLength: 1,
  pattern: 'a',
  items: {},
  additionalItems: {},
  prefixItems: [{}],
  maxItems: 3,
  minItems: 1,
  uniqueItems: true,
  contains: {},
  maxContains: 3,
  minContains: 1,
  maxProperties: 3,
  minProperties: 1,
  required: ['a'],
  dependentRequired: { a: ['b'] },
  dependentSchemas: { a: {} },
  properties: { a: {} },
  patternProperties: { a: {} },
  additionalProperties: false,
  propertyNames: {},
  unevaluatedItems: false,
  unevaluatedProperties: false,
  if: {},
  // biome-ignore lint/suspicious/noThenProperty: a keyword.
  then: {},
  else: {},
  allOf: [{}],
  anyOf: [{}],
  oneOf: [{}],
  not: {},
  title: 't',
  description: 'd',
  default: 1,
  deprecated: true,
  readOnly: true,
  writeOnly: true,
  examples: [1],
  format: 'date',
  contentEncoding: 'base64',
  contentMediaType: 'text/plain',
  contentSchema: {},
}

const annotations = new Set(
  'title description deprecated readOnly writeOnly examples contentEncoding contentMediaType contentSchema'.split(' '),
)

describe('misspelt keywords', () => {
  it.each([
    ['readonly', true],
    ['writeonly', true],
    ['read_only', true],
    ['WriteOnly', false],
    ['Description', 'x'],
    ['contentencoding', 'base64'],
  ])('accepts %s: %j, an annotation in another spelling', (key, value) => {
    expect(problemsOf({ properties: { a: { type: 'string', [key]: value } } })).toEqual([])
  })

  it.each([
    ['propertes', { a: {} }, 'properties'],
    ['requierd', ['a'], 'required'],
    ['requierd', true, 'required'],
    ['required_', ['a'], 'required'],
    ['maxlength', 80, 'maxLength'],
    ['maxlength', '80', 'maxLength'],
    ['MaxLength', 80, 'maxLength'],
    ['max_length', 80, 'maxLength'],
    ['minLenght', 1, 'minLength'],
    ['additionalproperties', false, 'additionalProperties'],
    ['additonalProperties', false, 'additionalProperties'],
    ['additionalProperty', false, 'additionalProperties'],
    ['patternProperteis', { a: {} }, 'patternProperties'],
    ['tpye', 'object', 'type'],
    ['typ', 'object', 'type'],
    ['Type', 'object', 'type'],
    ['types', ['object'], 'type'],
    ['enums', [1, 2], 'enum'],
    ['item', {}, 'items'],
    ['oneof', [{}], 'oneOf'],
    ['anyOff', [{}], 'anyOf'],
    ['ref', '#/$defs/a', '$ref'],
    ['defs', { a: {} }, '$defs'],
    ['maxiumum', 3, 'maximum'],
    ['descripton', 'x', 'description'],
    ['unqiueItems', true, 'uniqueItems'],
  ])('reports %s: %j', (key, value, meant) => {
    expect(problemsOf({ [key]: value, $defs: { a: {} } })).toEqual([
      { message: `unknown keyword "${key}"; did you mean "${meant}"?`, path: ['checks', 0, 'json', 'schema', key] },
    ])
  })

  it.each([
    ['a shape of Zod', { city: z.string(), days: z.int() }],
    ['the wrapper of a request', { name: 'plan', schema: { type: 'object' } }],
    ['names with their types', { city: 'string', days: 'number' }],
  ])('reports %s, in which nothing is a keyword', (_name, schema) => {
    expect(problemsOf(schema)).toEqual([
      {
        message: 'no word in it is a keyword of JSON Schema; a shape of Zod goes into `z.object(…)`',
        path: ['checks', 0, 'json', 'schema'],
      },
    ])
  })

  it.each([{}, { 'x-any': true }, { description: 'Anything.' }, { id: 'urn:a' }])(
    'accepts %j, which checks nothing on purpose',
    (schema) => {
      expect(problemsOf(schema)).toEqual([])
    },
  )

  it('reports each at its place, also below one that is misspelt', () => {
    const schema = {
      type: 'object',
      propertes: { a: { minlength: 1 } },
      properties: { requierd: { type: 'string' }, maxlength: { items: [{ tpye: 'string' }] } },
      allOf: [{ if: { requierd: ['a'] } }],
    }
    expect(problemsOf({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }).map(({ path }) => path.slice(4))).toEqual([
      ['propertes'],
      ['propertes', 'a', 'minlength'],
      ['properties', 'maxlength', 'items', 0, 'tpye'],
      ['allOf', 0, 'if', 'requierd'],
    ])
  })

  it.each([
    ['names of properties', { properties: { propertes: { type: 'string' }, requierd: true } }],
    ['names of patterns and definitions', { patternProperties: { tpye: {} }, $defs: { minlength: {} }, definitions: { requierd: {} } }],
    ['names that depend', { dependentRequired: { propertes: ['a'] }, dependentSchemas: { requierd: {} } }],
    ['values', { enum: [{ propertes: 1 }], default: { requierd: [] }, examples: [{ tpye: 'a' }] }],
    ['a constant', { const: { propertes: {} } }],
    ['what another vocabulary holds', { 'x-form': { propertes: {} }, options: { requierd: ['a'] } }],
  ])('does not take %s for keywords', (_what, schema) => {
    expect(problemsOf(schema)).toEqual([])
  })

  // From the documentation of the tools that define them.
  it.each([
    [
      'drafts 2 to 6',
      { id: 'a', divisibleBy: 2, disallow: 'string', extends: {}, requires: 'a', optional: true, maxDecimal: 2, links: [], media: {} },
    ],
    ['hyper-schema', { base: '/', fragmentResolution: 'x', pathStart: '/', targetSchema: {}, submissionSchema: {}, binaryEncoding: 'x' }],
    ['OpenAPI', { nullable: true, discriminator: { propertyName: 'a' }, xml: {}, externalDocs: {}, example: 1, 'x-order': 1 }],
    ['Gemini', { propertyOrdering: ['a'], nullable: true }],
    ['JSON Type Definition', { optionalProperties: {}, elements: {}, values: {}, mapping: {}, metadata: {} }],
    [
      'ajv',
      {
        $async: true,
        $data: '1/a',
        formatMinimum: 'a',
        formatMaximum: 'a',
        formatExclusiveMinimum: 'a',
        formatExclusiveMaximum: 'b',
        errorMessage: 'a',
      },
    ],
    [
      'ajv-keywords',
      {
        typeof: 'function',
        instanceof: 'Date',
        range: [1, 2],
        exclusiveRange: true,
        regexp: '/a/i',
        transform: ['trim'],
        uniqueItemProperties: ['id'],
        allRequired: true,
        anyRequired: ['a'],
        oneRequired: ['a'],
        patternRequired: ['a'],
        prohibited: ['a'],
        deepProperties: {},
        deepRequired: ['/a'],
        dynamicDefaults: {},
        select: {},
        selectCases: {},
        selectDefault: {},
      },
    ],
    [
      'Visual Studio Code',
      {
        markdownDescription: 'a',
        enumDescriptions: ['a'],
        markdownEnumDescriptions: ['a'],
        enumItemLabels: ['a'],
        deprecationMessage: 'a',
        markdownDeprecationMessage: 'a',
        defaultSnippets: [],
        doNotSuggest: true,
        suggestSortText: 'a',
        patternErrorMessage: 'a',
        allowComments: true,
        allowTrailingCommas: true,
        completionDetail: 'a',
        scope: 'resource',
        order: 1,
        tags: ['a'],
      },
    ],
    [
      'forms',
      {
        enumNames: ['a'],
        'ui:order': ['a'],
        propertyOrder: 1,
        headerTemplate: 'a',
        template: 'a',
        enumSource: 'a',
        watch: {},
        infoText: 'a',
        widget: 'a',
      },
    ],
    [
      'code generators',
      {
        tsType: 'Date',
        tsEnumNames: ['a'],
        javaType: 'a',
        existingJavaType: 'a',
        javaEnumNames: ['a'],
        javaName: 'a',
        goType: 'a',
        title_en: 'a',
      },
    ],
    ['MongoDB', { bsonType: 'date', encrypt: {}, encryptMetadata: {} }],
    [
      'Airbyte and Singer',
      {
        airbyte_secret: true,
        airbyte_type: 'a',
        always_show: true,
        pattern_descriptor: 'a',
        display_type: 'a',
        inclusion: 'a',
        selected: true,
      },
    ],
    [
      'Angular and Nx',
      { $default: { $source: 'argv' }, 'x-prompt': 'a', visible: true, alias: 'a', aliases: ['a'], cli: 'nx', presets: [] },
    ],
    ['fakers', { faker: 'a', chance: 'a', autoIncrement: true, thunk: true }],
    [
      'notes',
      {
        note: 'a',
        notes: ['a'],
        comment: 'a',
        comments: 'a',
        label: 'a',
        unit: 'kg',
        group: 'a',
        form: 'a',
        formatter: 'a',
        formats: ['a'],
        patterns: ['a'],
      },
    ],
    [
      'languages',
      { descriptionDe: 'a', description_de: 'a', 'description-fr': 'a', titles: { en: 'a' }, descriptions: { en: 'a' }, titleEn: 'a' },
    ],
    [
      'others',
      {
        defaults: {},
        defaultValue: 1,
        self: {},
        ref: 'User',
        schema: {},
        index: true,
        unique: true,
        primaryKey: true,
        hidden: true,
        name: 'a',
        key: 'a',
        tile: 1,
        iff: 1,
      },
    ],
    ['marked', { 'x-format': 'a', x_type: 'a', '@type': 'a', 'bt:type': 'a', '~kind': 'a', 'sh.title': 'a' }],
  ])('allows the words of %s', (_vendor, words) => {
    expect(problemsOf({ type: 'object', ...words })).toEqual([])
    expect(problemsOf({ properties: { a: words } })).toEqual([])
  })

  it.each(Object.entries(keywords))('knows %s', (keyword, value) => {
    expect(problemsOf({ $defs: { a: {} }, properties: { b: { $dynamicAnchor: 'b' } }, [keyword]: value })).toEqual([])
  })

  it('finds every slip in a keyword of six letters and more', () => {
    const long = Object.keys(keywords).filter((keyword) => keyword.length >= 6 && !keyword.startsWith('$'))
    const slip = fc.record({
      keyword: fc.constantFrom(...long),
      at: fc.nat(),
      letter: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
      kind: fc.constantFrom('drop', 'double', 'change', 'swap', 'case'),
    })
    fc.assert(
      fc.property(slip, ({ keyword, at, letter, kind }) => {
        const i = at % (keyword.length - 1)
        const [head, one, next, tail] = [keyword.slice(0, i), keyword[i] ?? '', keyword[i + 1] ?? '', keyword.slice(i + 2)]
        const other = one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()
        const slips = {
          drop: head + next + tail,
          double: head + one + one + next + tail,
          change: head + letter + next + tail,
          swap: head + next + one + tail,
          case: head + other + next + tail,
        }
        const wrong = slips[kind]
        fc.pre(!(wrong in keywords) && wrong !== 'example')
        // An annotation in other letters is no slip that matters.
        fc.pre(!(annotations.has(keyword) && wrong.toLowerCase() === keyword.toLowerCase()))
        expect(problemsOf({ [wrong]: keywords[keyword] })).toHaveLength(1)
      }),
    )
  })

  it('finds none in words of other vocabularies that resemble no keyword', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,8}(?:[A-Z][a-z]{3,8})?$/), fc.jsonValue(), (word, value) => {
        const letters = (one: string): string => [...one.toLowerCase()].sort().join('')
        // No keyword shares half of its letters with the word, in whatever order.
        const shares = Object.keys(keywords).some((keyword) => {
          const rest = [...letters(word)]
          const shared = [...letters(keyword)].filter((letter) => rest.includes(letter) && rest.splice(rest.indexOf(letter), 1)).length
          return shared * 4 >= 3 * Math.max(word.length, keyword.length)
        })
        fc.pre(!shares)
        expect(problemsOf({ type: 'object', [word]: value })).toEqual([])
      }),
    )
  })

  it('does not refuse the schemas of tools', async () => {
    const parameters = {
      type: 'object',
      propertes: { a: {} },
      properties: { a: { type: 'string', maxlength: 1, enumNames: ['x'] } },
      requierd: ['a'],
    }
    const context = { tools: [{ type: 'function', function: { name: 'find', parameters } }] }
    const calls = [{ id: '1', type: 'function', function: { name: 'find', arguments: '{"a": "b"}' } }]
    const report = await check(contract({ checks: [toolCalls({})] }), new Answer('', { toolCalls: readToolCalls(calls) }), { context })
    expect(report).toMatchObject({ issues: [], unchecked: [] })
  })
})

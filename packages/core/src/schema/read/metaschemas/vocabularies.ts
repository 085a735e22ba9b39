import type { JsonObject } from '../../../json/json-value.ts'

/** The keywords of a vocabulary, and what they share. */
type Vocabulary = { readonly properties: JsonObject; readonly $defs?: JsonObject }

/** How the schemas of a draft find each other: what each is found by, and what refers to all of them together. */
interface Recursion {
  readonly anchor: JsonObject
  readonly self: JsonObject
}

/** The schemas of a draft and its vocabularies. */
function schemasOf(
  draft: string,
  { anchor, self }: Recursion,
  vocabularies: Readonly<Record<string, Vocabulary>>,
  earlier: JsonObject = {},
): readonly JsonObject[] {
  const base = `https://json-schema.org/draft/${draft}`
  const type = ['object', 'boolean']
  const names = Object.keys(vocabularies)
  // Only the formats of 2019-09 need not be known to use the draft.
  const known = Object.fromEntries(names.map((name) => [`${base}/vocab/${name}`, name !== 'format']))
  const dependencies = { type: 'object', additionalProperties: { anyOf: [self, { $ref: 'meta/validation#/$defs/stringArray' }] } }
  return [
    {
      $schema: `${base}/schema`,
      $id: `${base}/schema`,
      $vocabulary: known,
      ...anchor,
      allOf: names.map((name) => ({ $ref: `meta/${name}` })),
      type,
      properties: { definitions: byName(self), dependencies, ...earlier },
    },
    ...Object.entries(vocabularies).map(([name, vocabulary]) => ({
      $schema: `${base}/schema`,
      $id: `${base}/meta/${name}`,
      $vocabulary: { [`${base}/vocab/${name}`]: true },
      ...anchor,
      type,
      ...vocabulary,
    })),
  ]
}

function byName(self: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: self }
}

const schemaArray = { $ref: '#/$defs/schemaArray' }

function applicator(self: JsonObject, items: JsonObject): Vocabulary {
  return {
    properties: {
      ...items,
      contains: self,
      additionalProperties: self,
      properties: byName(self),
      patternProperties: { ...byName(self), propertyNames: { format: 'regex' } },
      dependentSchemas: byName(self),
      propertyNames: self,
      if: self,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: self,
      else: self,
      allOf: schemaArray,
      anyOf: schemaArray,
      oneOf: schemaArray,
      not: self,
    },
    $defs: { schemaArray: { type: 'array', minItems: 1, items: self } },
  }
}

function content(self: JsonObject): Vocabulary {
  return { properties: { contentMediaType: { type: 'string' }, contentEncoding: { type: 'string' }, contentSchema: self } }
}

const format: Vocabulary = { properties: { format: { type: 'string' } } }

const metaData: Vocabulary = {
  properties: {
    title: { type: 'string' },
    description: { type: 'string' },
    default: true,
    deprecated: { type: 'boolean' },
    readOnly: { type: 'boolean' },
    writeOnly: { type: 'boolean' },
    examples: { type: 'array', items: true },
  },
}

const validation: Vocabulary = {
  properties: {
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: { type: 'number' },
    exclusiveMaximum: { type: 'number' },
    minimum: { type: 'number' },
    exclusiveMinimum: { type: 'number' },
    maxLength: { $ref: '#/$defs/nonNegativeInteger' },
    minLength: { $ref: '#/$defs/nonNegativeIntegerDefault0' },
    pattern: { type: 'string', format: 'regex' },
    maxItems: { $ref: '#/$defs/nonNegativeInteger' },
    minItems: { $ref: '#/$defs/nonNegativeIntegerDefault0' },
    uniqueItems: { type: 'boolean' },
    maxContains: { $ref: '#/$defs/nonNegativeInteger' },
    minContains: { $ref: '#/$defs/nonNegativeInteger' },
    maxProperties: { $ref: '#/$defs/nonNegativeInteger' },
    minProperties: { $ref: '#/$defs/nonNegativeIntegerDefault0' },
    required: { $ref: '#/$defs/stringArray' },
    dependentRequired: { type: 'object', additionalProperties: { $ref: '#/$defs/stringArray' } },
    const: true,
    enum: { type: 'array', items: true },
    type: {
      anyOf: [{ $ref: '#/$defs/simpleTypes' }, { type: 'array', items: { $ref: '#/$defs/simpleTypes' }, minItems: 1, uniqueItems: true }],
    },
  },
  $defs: {
    nonNegativeInteger: { type: 'integer', minimum: 0 },
    nonNegativeIntegerDefault0: { $ref: '#/$defs/nonNegativeInteger' },
    simpleTypes: { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] },
    stringArray: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
}

const recursive: Recursion = { anchor: { $recursiveAnchor: true }, self: { $recursiveRef: '#' } }

/** The schemas of draft 2019-09 and its vocabularies, as published but for titles, comments, defaults and what is deprecated. */
export const draft201909 = schemasOf('2019-09', recursive, {
  core: {
    properties: {
      $id: { type: 'string', format: 'uri-reference', pattern: '^[^#]*#?$' },
      $schema: { type: 'string', format: 'uri' },
      $anchor: { type: 'string', pattern: '^[A-Za-z][-A-Za-z0-9.:_]*$' },
      $ref: { type: 'string', format: 'uri-reference' },
      $recursiveRef: { type: 'string', format: 'uri-reference' },
      $recursiveAnchor: { type: 'boolean' },
      $vocabulary: { type: 'object', propertyNames: { type: 'string', format: 'uri' }, additionalProperties: { type: 'boolean' } },
      $comment: { type: 'string' },
      $defs: byName(recursive.self),
    },
  },
  applicator: applicator(recursive.self, {
    additionalItems: recursive.self,
    unevaluatedItems: recursive.self,
    unevaluatedProperties: recursive.self,
    items: { anyOf: [recursive.self, schemaArray] },
  }),
  validation,
  'meta-data': metaData,
  format,
  content: content(recursive.self),
})

const dynamic: Recursion = { anchor: { $dynamicAnchor: 'meta' }, self: { $dynamicRef: '#meta' } }

/** The schemas of draft 2020-12 and its vocabularies, as published but for titles, comments, defaults and what is deprecated. */
export const draft202012 = schemasOf(
  '2020-12',
  dynamic,
  {
    core: {
      properties: {
        $id: { $ref: '#/$defs/uriReferenceString', pattern: '^[^#]*#?$' },
        $schema: { $ref: '#/$defs/uriString' },
        $ref: { $ref: '#/$defs/uriReferenceString' },
        $anchor: { $ref: '#/$defs/anchorString' },
        $dynamicRef: { $ref: '#/$defs/uriReferenceString' },
        $dynamicAnchor: { $ref: '#/$defs/anchorString' },
        $vocabulary: { type: 'object', propertyNames: { $ref: '#/$defs/uriString' }, additionalProperties: { type: 'boolean' } },
        $comment: { type: 'string' },
        $defs: byName(dynamic.self),
      },
      $defs: {
        anchorString: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' },
        uriString: { type: 'string', format: 'uri' },
        uriReferenceString: { type: 'string', format: 'uri-reference' },
      },
    },
    applicator: applicator(dynamic.self, { prefixItems: schemaArray, items: dynamic.self }),
    unevaluated: { properties: { unevaluatedItems: dynamic.self, unevaluatedProperties: dynamic.self } },
    validation,
    'meta-data': metaData,
    'format-annotation': format,
    content: content(dynamic.self),
  },
  { $recursiveAnchor: { $ref: 'meta/core#/$defs/anchorString' }, $recursiveRef: { $ref: 'meta/core#/$defs/uriReferenceString' } },
)

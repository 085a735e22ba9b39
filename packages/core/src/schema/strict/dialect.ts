import type { JsonValue } from '../../json/json-value.ts'

/** What a provider accepts of JSON Schema where it guarantees that answers match. */
export interface StrictDialect {
  /** Whether an object may have properties that are not required. */
  readonly optional: boolean
  /** Whether a definition may refer to itself. */
  readonly recursive: boolean
  /** Values of `format` that it knows. */
  readonly formats: ReadonlySet<JsonValue>
  /** Constraints, beside `format`, that it enforces; others only reach the model as words. */
  enforces(keyword: string, value: JsonValue): boolean
  /** How much a schema may have of something, in all its parts together. */
  readonly most: Readonly<Record<'depth' | 'properties' | 'values' | 'optional' | 'unions', number>>
}

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
const enforcedByOpenAi = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'])

/** The strict mode of OpenAI's chat completions and responses. */
export const openAiStrict: StrictDialect = {
  optional: false,
  recursive: true,
  formats: new Set(formats),
  enforces: (keyword) => enforcedByOpenAi.has(keyword),
  most: { depth: 10, properties: 5000, values: 1000, optional: 0, unions: Number.POSITIVE_INFINITY },
}

/** The structured output of Anthropic's Messages, which has no other mode. */
export const anthropicStrict: StrictDialect = {
  optional: true,
  recursive: false,
  formats: new Set([...formats, 'uri']),
  enforces: (keyword, value) => keyword === 'minItems' && (value === 0 || value === 1),
  most: { depth: 10, properties: 5000, values: 1000, optional: 24, unions: 16 },
}

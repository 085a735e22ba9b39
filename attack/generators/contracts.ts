import type { ContractOptions } from '@stickler/core'
import fc from 'fast-check'

const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(arbitrary, { nil: undefined })
const pruned = (options: object): object => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
const classes = ['lossless', 'lossy', 'guess'] as const

const jsonSchemas = [
  { type: 'object' },
  { type: 'object', required: ['a'] },
  { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
  { type: ['object', 'array'] },
  true,
]

/** Every validator of the catalogue, with random options. */
const validators: Readonly<Record<string, fc.Arbitrary<object>>> = {
  adr_structure: fc.record({
    profile: fc.constantFrom('helix', 'madr', 'nygard'),
    language: fc.constantFrom('de', 'en'),
    required: fc.boolean(),
    fields: optional(fc.constantFrom(['key'], ['key', 'files'])),
    sections: optional(fc.constantFrom(['a'], ['a', 'Kontext'])),
    minCriteria: fc.constantFrom(0, 1),
  }),
  citations: fc.oneof(
    fc.record({
      styles: fc.subarray(['caret', 'bracket', 'lenticular'], { minLength: 1 }),
      requireCitations: fc.constantFrom(false, true, 'paragraph'),
      dropUnsupported: fc.boolean(),
      sources: optional(fc.constantFrom(0, 1, 2)),
    }),
    fc.record({ profile: fc.constant('reddb'), sources: optional(fc.constantFrom(0, 1)) }),
  ),
  code_syntax: fc.constantFrom(
    {},
    { language: 'json' },
    { languages: ['json', 'py'] },
    { language: 'json', whole: true },
    { language: 'json', profile: 'avap' },
  ),
  file_existence: fc.record({ maxEntries: optional(fc.constantFrom(1, 5)) }),
  json: fc.record({
    schema: optional(fc.constantFrom(...jsonSchemas)),
    partial: optional(fc.boolean()),
    duplicateKeys: optional(fc.constantFrom('warn', 'error')),
    allow: optional(fc.subarray([...classes])),
  }),
  max_words: fc.record({ limit: fc.integer({ min: 1, max: 8 }) }),
  phantom_tools: fc.record({ suffixes: optional(fc.constantFrom(['_status'], [])) }),
  step_marker: fc.record({ requireAtEnd: fc.boolean(), default: fc.constantFrom('what', 'done') }),
  tool_calls: fc.record({
    strict: fc.boolean(),
    textCalls: optional(fc.constantFrom('convert', 'report')),
    aliases: optional(fc.constantFrom({}, { weather: 'get_weather' })),
  }),
  tool_sequence: fc.record({
    never: optional(fc.constantFrom(['x'], ['get_weather'])),
    order: fc.constant(['get_weather', 'ping_host']),
    at_most: optional(fc.constant({ get_weather: 1 })),
    strict: fc.boolean(),
  }),
}

/** The names of the validators that contracts are made of. */
export const validatorNames: readonly string[] = Object.keys(validators)

const check = (name: string): fc.Arbitrary<object> =>
  (validators[name] as fc.Arbitrary<object>).map((options) => ({ [name]: pruned(options) }))
const checks = fc.subarray([...validatorNames], { minLength: 1, maxLength: 4 }).chain((chosen) => fc.tuple(...chosen.map(check)))
const policies: fc.Arbitrary<ContractOptions> = fc.record({
  mode: fc.constantFrom('strict' as const, 'strict' as const, 'lenient' as const, 'shadow' as const),
  repair: fc.constantFrom('first' as const, 'last' as const, 'never' as const),
  allow: fc.subarray([...classes]),
  locale: fc.constantFrom('de' as const, 'en' as const),
  unchecked: fc.constantFrom('deliver' as const, 'withhold' as const),
  unresolved: fc.constantFrom('withhold' as const, 'withhold' as const, 'deliver' as const),
})

/** Contracts from the whole catalogue. */
export const contracts: fc.Arbitrary<ContractOptions> = fc.tuple(policies, checks, fc.boolean()).map(([policy, list, hasAllow]) => {
  const { allow, ...rest } = policy
  return { ...rest, ...(hasAllow && allow ? { allow } : {}), checks: list as ContractOptions['checks'] } as ContractOptions
})

/** The names of the validators of a contract. */
export function validatorsOf({ checks: list = [] }: { readonly checks?: readonly (string | object)[] }): string[] {
  return list.flatMap((one) => (typeof one === 'string' ? [one] : Object.keys(one)))
}

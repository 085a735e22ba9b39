import { expectTypeOf, test } from 'vitest'
import { type ContractOptions, contract, type NamedCheck, type ValidatorName } from './catalogue.ts'
import type { Contract, Preset } from './contract/contract.ts'
import { citations } from './validators/citations/index.ts'
import { command } from './validators/command/index.ts'
import { contains } from './validators/contains/index.ts'
import type { validators } from './validators/index.ts'
import { json } from './validators/json/index.ts'
import { language } from './validators/language/index.ts'
import { pattern } from './validators/pattern/index.ts'
import * as v from './validators.ts'

test('every validator that ships may be named, with its options', () => {
  expectTypeOf<ValidatorName>().toEqualTypeOf<(typeof validators)[number]['definition']['name']>()
  expectTypeOf<keyof NamedCheck>().toEqualTypeOf<ValidatorName | 'name' | 'severity' | 'when' | 'definition'>()
  expectTypeOf<'json' | 'max_words' | 'tool_calls'>().toExtend<ValidatorName>()
  // A name that is only known as a text would let every name through.
  expectTypeOf<string>().not.toExtend<ValidatorName>()
})

declare const house: Preset<'greeting'>

test('names and options are closed', () => {
  contract({ checks: ['max_words', { max_words: { limit: 3 } }, { complete: {} }, { json: { schema: { type: 'object' } } }] })
  contract({ preset: house, checks: ['greeting', { greeting: { name: 'Ann' } }, 'tool_calls', { tool_sequence: { order: null } }] })
  const held: ContractOptions = { checks: ['json'], preset: house, retries: 0 }
  contract(held)
  // @ts-expect-error: there is no such validator
  contract({ checks: ['max_wordz'] })
  // @ts-expect-error: there is no such validator
  contract({ checks: [{ max_wordz: { limit: 3 } }] })
  // @ts-expect-error: there is no such option
  contract({ checks: [{ max_words: { limt: 3 } }] })
  // @ts-expect-error: the limit is a number
  contract({ checks: [{ max_words: { limit: '3' } }] })
  // @ts-expect-error: null takes away only what may be absent
  contract({ checks: [{ max_words: { limit: null } }] })
  // @ts-expect-error: a preset is imported
  contract({ preset: 'house' })
  // @ts-expect-error: neither the library nor the preset has such a validator
  contract({ preset: house, checks: ['greating'] })
  // @ts-expect-error: there is no such key
  contract({ retires: 2 })
  // @ts-expect-error: a validator has to be called with its options
  contract({ checks: [contract] })
  // @ts-expect-error: names from elsewhere are for buildContract
  contract({ checks: ['json' as string] })
})

test('profiles of citations are closed', () => {
  contract({ checks: [citations({ profile: 'strict-plus' }), { citations: { profile: 'strict-plus' } }] })
  // @ts-expect-error: there is no such profile
  citations({ profile: 'other' })
  // @ts-expect-error: there is no such profile
  contract({ checks: [{ citations: { profile: 'other' } }] })
})

test('options may be constants, however deep', () => {
  const counts = [{ text: 'a', max: 1 }] as const
  const options = { deny: [{ regex: 'a' }], require: [{ regex: 'b', min: 2 }] } as const
  contract({ checks: [{ contains: { counts, all: ['b'] as const } }, contains({ counts }), { pattern: options }, pattern(options)] })
  contract({ checks: [command({ name: 'own', run: ['node', 'rule.js'] as const }), language({ is: ['en', 'de'] as const })] })
  // @ts-expect-error: languages have codes
  language({ is: ['german'] })
  // @ts-expect-error: languages have codes
  contract({ checks: [{ language: { is: 'german' } }] })
  // @ts-expect-error: a text is counted
  contains({ counts: [{ text: 1, max: 1 }] as const })
})

test('a check takes terms beside its options, and one with terms reads no value', () => {
  contract({
    checks: [{ max_words: { limit: 3 }, severity: 'warning', when: { api: 'chat', model: ['a', 'b*'], tag: 'x' }, name: 'soft' }],
  })
  expectTypeOf(contract({ checks: [json({ schema: {} }, { severity: 'warning' })] })).toEqualTypeOf<Contract>()
  // @ts-expect-error: there is no such severity
  contract({ checks: [{ max_words: { limit: 3 }, severity: 'error' }] })
  // @ts-expect-error: there is no such API
  contract({ checks: [{ max_words: { limit: 3 }, when: { api: 'chats' } }] })
})

test('validators whose options may all be absent are called without any', () => {
  const checks = [
    v.affixes(),
    v.boilerplate(),
    v.citations(),
    v.codeSyntax(),
    v.complete(),
    v.contains(),
    v.contextRelevance(),
    v.json(),
    v.leaks(),
    v.length(),
    v.links(),
    v.markdown(),
    v.pattern(),
    v.placeholders(),
    v.repetition(),
    v.sensitive(),
    v.toolCalls(),
    v.toolSequence(),
  ]
  expectTypeOf(checks).not.toBeAny()
  // @ts-expect-error: the limit is required
  v.maxWords()
  // @ts-expect-error: the language is required
  v.language()
  // @ts-expect-error: the values are required
  v.oneOf()
})

test('short forms are the value of one option', () => {
  contract({
    checks: [
      { max_words: 5 },
      { language: 'de' },
      { language: ['de', 'en'] },
      { one_of: ['a', 'b'] },
      { links: ['acme.com'] },
      { casing: 'lower' },
      { contains: ['a'] },
      { sensitive: ['email'] },
      { complete: ['sentence'] },
      { placeholders: ['todo'] },
    ],
  })
  contract({ checks: [v.maxWords(5), v.language('de'), v.links(['acme.com'] as const)] })
  expectTypeOf(contract({ checks: [v.oneOf(['a', ' b '])] })).toEqualTypeOf<Contract<'a' | 'b'>>()
  // @ts-expect-error: the limit is a number
  contract({ checks: [{ max_words: 'five' }] })
  // @ts-expect-error: languages have codes
  contract({ checks: [{ language: 'german' }] })
  // @ts-expect-error: it has no short form
  contract({ checks: [{ length: 5 }] })
  // @ts-expect-error: it has no short form
  v.length(5)
})

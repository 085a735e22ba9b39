import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import * as zMini from 'zod/mini'
import { contract } from '../../catalogue.ts'
import type { Contract, Preset } from '../../contract/contract.ts'
import { defineContract } from '../../contract/define-contract.ts'
import type { Check } from '../../contract/validator.ts'
import { scripted } from '../../testing/index.ts'
import { json } from '../../validators/json/index.ts'
import { maxWords } from '../../validators/max-words.ts'
import { oneOf } from '../../validators/one-of/index.ts'
import { check } from '../check/check.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { AnsweredOutcome, Outcome } from '../outcome.ts'
import { settle } from '../repair/settle.ts'
import type { FailureKind } from '../runner-failure.ts'

interface Person {
  readonly name: string
}
const schema = z.object({ name: z.string() })
const rules = contract({ checks: ['complete', { max_words: { limit: 3 } }, json({ schema }), maxWords({ limit: 3 })], retries: 1 })
declare const house: Preset
const asked = { runner: scripted([]), prompt: 'p' }

test('a schema types the value of its contract', () => {
  expectTypeOf(rules).toEqualTypeOf<Contract<{ name: string }>>()
  expectTypeOf(contract({ checks: [json({ schema })] })).toEqualTypeOf<Contract<{ name: string }>>()
  expectTypeOf(defineContract({ checks: [maxWords({ limit: 3 }), json({ schema })] })).toEqualTypeOf<Contract<{ name: string }>>()
  expectTypeOf(contract({ checks: [maxWords({ limit: 3 })] })).toEqualTypeOf<Contract>()
  expectTypeOf(contract({ checks: ['json', { json: { schema } }] })).toEqualTypeOf<Contract>()
  expectTypeOf(contract({ preset: house })).toEqualTypeOf<Contract>()
  expectTypeOf(defineContract({ checks: [] })).toEqualTypeOf<Contract>()
  // @ts-expect-error: one contract reads one value
  contract({ checks: [json({ schema }), json({ schema: z.string() })] })
})

test('any library types the value, by the output of its schema', () => {
  expectTypeOf(json({ schema: z.object({ at: z.string().transform((at) => new Date(at)) }) })).toEqualTypeOf<Check<{ at: Date }>>()
  expectTypeOf(json({ schema: zMini.object({ n: zMini.number() }) })).toEqualTypeOf<Check<{ n: number }>>()
  const length = v.pipe(
    v.string(),
    v.transform((text) => text.length),
  )
  expectTypeOf(json({ schema: v.object({ length }) })).toEqualTypeOf<Check<{ length: number }>>()
  expectTypeOf(json({ schema: toStandardJsonSchema(v.object({ length })) })).toEqualTypeOf<Check<{ length: number }>>()
  expectTypeOf(json({ schema: type({ n: 'number', 'tags?': 'string[]' }) })).toEqualTypeOf<Check<{ n: number; tags?: string[] }>>()
})

test('JSON lines have an array of what the schema is of', () => {
  expectTypeOf(json({ lines: true, schema })).toEqualTypeOf<Check<{ name: string }[]>>()
  expectTypeOf(contract({ checks: [json({ lines: true, schema })] })).toEqualTypeOf<Contract<{ name: string }[]>>()
  expectTypeOf(json<Person>({ lines: true, schema: {} })).toEqualTypeOf<Check<Person[]>>()
  expectTypeOf(json({ lines: true })).toEqualTypeOf<Check<unknown[]>>()
  expectTypeOf(json({ lines: false, schema })).toEqualTypeOf<Check<{ name: string }>>()
  expectTypeOf(json({ lines: true as boolean, schema })).toEqualTypeOf<Check>()
  expectTypeOf(json({ lines: true, schema: type({ n: 'number' }) })).toEqualTypeOf<Check<{ n: number }[]>>()
})

test('a plain JSON Schema has the type that it is given', () => {
  const plain = { type: 'object', properties: { name: { type: 'string' } } }
  expectTypeOf(json<Person>({ schema: plain })).toEqualTypeOf<Check<Person>>()
  expectTypeOf(json<Person>({ schema: { type: 'object', required: ['name'] } as const })).toEqualTypeOf<Check<Person>>()
  expectTypeOf(json<Person>({ schema: true, allow: ['lossless'] })).toEqualTypeOf<Check<Person>>()
  expectTypeOf(json({ schema: plain })).toEqualTypeOf<Check>()
  expectTypeOf(json({})).toEqualTypeOf<Check>()
  expectTypeOf(contract({ checks: [json<Person>({ schema: plain })] })).toEqualTypeOf<Contract<Person>>()
  // @ts-expect-error: there is no such class
  json<Person>({ schema: plain, allow: ['everything'] })
  // @ts-expect-error: there is no such option
  json({ schema: plain, shema: plain })
})

test('the status tells what an outcome has', async () => {
  const outcome = await enforce({ contract: rules, ...asked })
  expectTypeOf(outcome).toEqualTypeOf<Outcome<{ name: string }>>()
  expectTypeOf(outcome.status).toEqualTypeOf<'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed'>()
  expectTypeOf(outcome.value).toEqualTypeOf<{ name: string } | undefined>()
  // @ts-expect-error: there may be no value
  void outcome.value.name
  // @ts-expect-error: only a failed run certainly has one
  void outcome.failure.kind
  if (outcome.status === 'valid' || outcome.status === 'repaired') {
    expectTypeOf(outcome.value.name).toEqualTypeOf<string>()
    expectTypeOf(outcome.text).toEqualTypeOf<string>()
    expectTypeOf(outcome.delivered).toEqualTypeOf<true>()
    expectTypeOf(outcome).toEqualTypeOf<AnsweredOutcome<{ name: string }>>()
    // @ts-expect-error: the schema has no such key
    void outcome.value.nam
  } else if (outcome.status === 'failed') {
    expectTypeOf(outcome.value).toEqualTypeOf<undefined>()
    expectTypeOf(outcome.delivered).toEqualTypeOf<false>()
    expectTypeOf(outcome.failure.kind).toEqualTypeOf<FailureKind>()
  } else {
    expectTypeOf(outcome.value).toEqualTypeOf<{ name: string } | undefined>()
    expectTypeOf(outcome.delivered).toEqualTypeOf<boolean>()
  }
  switch (outcome.status) {
    case 'valid':
    case 'repaired':
      expectTypeOf(outcome.value).toEqualTypeOf<{ name: string }>()
      break
    case 'unresolved':
    case 'unchecked':
    case 'failed':
      break
    default:
      expectTypeOf(outcome).toBeNever()
  }
  const streamed = await enforceStream({ contract: rules, ...asked }).outcome
  if (streamed.status === 'valid') expectTypeOf(streamed.value).toEqualTypeOf<{ name: string }>()
  expectTypeOf((await enforce({ contract: contract({ checks: ['json'] }), ...asked })).value).toEqualTypeOf<unknown>()
})

test('a run that may call tools, or leaves checks out, may have no value', async () => {
  const offers = [
    await enforce({ contract: rules, ...asked, context: { tools: [] } }),
    await enforce({ contract: rules, ...asked, context: { question: 'q', functions: [] } }),
    await enforce({ contract: rules, ...asked, context: {} as Record<string, unknown> }),
    await enforce({ contract: rules, ...asked, only: ['max_words'] }),
    await enforceStream({ contract: rules, ...asked, context: { toolChoice: 'auto' } }).outcome,
  ]
  for (const outcome of offers) {
    if (outcome.status !== 'valid') continue
    // @ts-expect-error: the turn may only call tools
    void outcome.value.name
    if (outcome.value === undefined) continue
    expectTypeOf(outcome.value).toEqualTypeOf<{ name: string }>()
    // The outcome itself is known to have it, so it may be handed on.
    expectTypeOf(outcome).toExtend<{ readonly status: 'valid' | 'repaired'; readonly value: { name: string } }>()
  }
  const sure = await enforce({ contract: rules, ...asked, context: { question: 'q', sources: 3 } })
  if (sure.status === 'valid') expectTypeOf(sure.value).toEqualTypeOf<{ name: string }>()
  // @ts-expect-error: there is no such option
  await enforce({ contract: rules, ...asked, contxt: {} })
})

test('a given answer has the typed value too', async () => {
  const settled = await settle(rules, '{}')
  expectTypeOf(settled.status).toEqualTypeOf<'valid' | 'repaired' | 'unresolved' | 'unchecked'>()
  // @ts-expect-error: there may be no value
  void settled.value.name
  if (settled.status === 'repaired') expectTypeOf(settled.value).toEqualTypeOf<{ name: string }>()
  const offered = await settle(rules, '{}', { context: { tools: [] } })
  // @ts-expect-error: the turn may only call tools
  if (offered.status === 'valid') void offered.value.name
  expectTypeOf((await check(rules, '{}')).value).toEqualTypeOf<{ name: string } | undefined>()
  // A typed contract goes wherever any contract does.
  expectTypeOf(rules).toExtend<Contract>()
  expectTypeOf<Outcome<{ name: string }>>().toExtend<Outcome>()
})

test('`ok` narrows, and `unwrap` has the type of the value', async () => {
  const outcome = await enforce({ contract: rules, ...asked })
  expectTypeOf(outcome.unwrap()).toEqualTypeOf<{ name: string }>()
  if (outcome.ok) {
    expectTypeOf(outcome.value.name).toEqualTypeOf<string>()
    expectTypeOf(outcome.status).toEqualTypeOf<'valid' | 'repaired'>()
  } else expectTypeOf(outcome.unwrap()).toBeNever()
  expectTypeOf((await enforce({ contract: rules, ...asked, context: { tools: [] } })).unwrap()).toEqualTypeOf<{ name: string } | string>()
  expectTypeOf((await enforce({ contract: contract({ checks: ['json'] }), ...asked })).unwrap()).toEqualTypeOf<unknown>()
  for (const result of [await settle(rules, '{}'), await check(rules, '{}')]) {
    expectTypeOf(result.unwrap()).toEqualTypeOf<{ name: string }>()
    if (result.ok) expectTypeOf(result.value.name).toEqualTypeOf<string>()
    expectTypeOf(result.text).toEqualTypeOf<string>()
  }
  expectTypeOf((await check(rules, '{}', { only: ['json'] })).unwrap()).toEqualTypeOf<{ name: string } | string>()
})

test('a copy of a result is data, in its type too', async () => {
  for (const result of [await enforce({ contract: rules, ...asked }), await settle(rules, '{}'), await check(rules, '{}')]) {
    const copy = { ...result, text: '' }
    expectTypeOf(copy.text).toEqualTypeOf<string>()
    expectTypeOf(copy).not.toHaveProperty('ok')
    expectTypeOf(copy).not.toHaveProperty('unwrap')
  }
})

test('`one_of` types its value', async () => {
  const chosen = contract({ checks: [maxWords({ limit: 3 }), oneOf({ values: ['yes', ' no '], caseSensitive: false })] })
  expectTypeOf(chosen).toEqualTypeOf<Contract<'yes' | 'no'>>()
  expectTypeOf((await enforce({ contract: chosen, ...asked })).unwrap()).toEqualTypeOf<'yes' | 'no'>()
  const known: string[] = []
  expectTypeOf(oneOf({ values: known })).toEqualTypeOf<Check<string>>()
  // @ts-expect-error: there is no such option
  oneOf({ values: ['yes'], value: 'yes' })
  // @ts-expect-error: one contract reads one value
  contract({ checks: [json({ schema }), oneOf({ values: ['yes'] })] })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { buildContract } from '../../contract/contract.ts'
import { Answer, defineValidator, issue } from '../../index.ts'
import { describeDefinition } from './definition-data.ts'
import { findDefinition, findDefinitions } from './find-definitions.ts'
import { guardCertificate, guardFinding, guardOutside, ownError } from './guard-outside.ts'
import { plainLine } from './plain-line.ts'
import { describePrepared, type PreparedData } from './prepared-data.ts'
import { standIn } from './remote-validator.ts'

const codes = { LOUD: { severity: 'error', when: 'It is loud.', fix: 'Speak softly.' } } as const
const base = {
  name: 'quiet',
  summary: 'Nothing is loud.',
  codes,
  options: z.strictObject({ most: z.int().min(0).default(0).describe('Most of them.') }),
  instruct: ({ most }: { readonly most: number }, locale: string) => `${locale} ${most}`,
  prepare: () => ({
    *check() {
      yield issue('LOUD', 'Speak softly.')
    },
  }),
}
const quiet = defineValidator(base)

describe('the validators of a module', () => {
  test('are its named exports of the right shape, whoever made them', () => {
    const other = { ...base, name: 'other' }
    const found = findDefinitions({ quiet, again: quiet, other, helper: () => 1, nothing: null, default: { ...base, name: 'unnamed' } })
    expect(found.problems).toEqual([])
    expect(found.definitions.map(({ name }) => name)).toEqual(['quiet', 'other'])
    expect(findDefinition({ other }, 'other')).toBe(other)
    expect(findDefinition({ other }, 'quiet')).toBeUndefined()
  })

  test.each([
    ['nothing', {}, 'it exports no validator made with defineValidator; its exports are: none'],
    ['others', { a: 1, b: () => 2 }, 'its exports are: a, b'],
    ['a default alone', { default: quiet }, 'its validator is the default export; export it by a name'],
    ['two of one name', { quiet, twin: { ...base } }, 'two of its exports have the name quiet'],
    ['a name in another case', { a: { ...base, name: 'Quiet' } }, 'name must be in snake case'],
    ['no options', { a: { ...base, options: {} } }, 'options must be a schema'],
    ['no codes', { a: { ...base, codes: {} } }, 'codes must be a table'],
    ['a code without a sentence', { a: { ...base, codes: { LOUD: { severity: 'error' } } } }, 'the code LOUD needs severity'],
    ['a code in small letters', { a: { ...base, codes: { loud: codes.LOUD } } }, 'must be in capitals'],
    ['no instruction', { a: { ...base, instruct: 'x' } }, 'instruct must be a function'],
    [
      'a getter that throws',
      {
        a: {
          ...base,
          get name() {
            throw new Error('no\nluck')
          },
        },
      },
      'no luck',
    ],
  ])('%s is told', (_what, exported, message) => {
    const { definitions, problems } = findDefinitions(exported)
    expect(problems.join()).toContain(message)
    expect(definitions.length).toBe('quiet' in exported ? 1 : 0)
  })
})

/** Binds options in "another thread" and builds a contract with the stand-in. */
function remotely(definition: Parameters<typeof describePrepared>[0], options: unknown) {
  const data = structuredClone(describeDefinition(definition))
  const prepared = structuredClone(describePrepared(definition, options))
  const find = (): PreparedData => prepared
  return () =>
    buildContract(
      { checks: [options === undefined ? data.name : { [data.name]: options }], locale: 'de' },
      { validators: [{ definition: standIn(data, 'file:///a.mjs', find) }], presets: {} },
    )
}

test('codes that the options give, and those of others, are those of the stand-in too', () => {
  const own = defineValidator({ ...base, openCodes: true, prepare: () => ({ ...base.prepare(), codes: ['SHOUTED'] }) })
  const { prepared, definition } = remotely(own.definition, undefined)().validators[0] ?? {}
  expect([prepared?.codes, definition?.openCodes]).toEqual([['SHOUTED'], true])
})

describe('a stand-in', () => {
  test.each([
    ['no options', undefined],
    ['good options', { most: 2 }],
    ['an unknown key', { mots: 2 }],
    ['a wrong type', { most: 'x' }],
    ['something else', 5],
  ])('takes and refuses %s as the validator itself does', (_what, options) => {
    const build = remotely(quiet.definition, options)
    const itself = () =>
      buildContract({ checks: [options === undefined ? 'quiet' : { quiet: options }], locale: 'de' }, { validators: [quiet], presets: {} })
    let expected: ReturnType<typeof itself> | undefined
    try {
      expected = itself()
    } catch (error) {
      expect(build).toThrow((error as Error).message)
    }
    if (expected === undefined) return
    expect(build().validators[0]?.instruction).toBe(expected.validators[0]?.instruction)
  })

  test('knows the options of schemas of other libraries and of other copies of Zod', () => {
    const options = mini.strictObject({ most: mini._default(mini.int(), 0) })
    const copy = { ...quiet.definition, options } as unknown as Parameters<typeof describePrepared>[0]
    expect(describeDefinition(copy).options).toMatchObject({ properties: { most: { type: 'integer' } } })
    expect(remotely(copy, { mots: 1 })).toThrow('checks.0.quiet.mots: unknown key "mots"; did you mean "most"?')
  })

  test.each([
    [
      'a schema that throws',
      {
        options: {
          '~standard': {
            version: 1,
            vendor: 'x',
            validate: () => {
              throw new Error('a\nb')
            },
          },
        },
      },
      'a b',
    ],
    [
      'a schema that waits',
      { options: { '~standard': { version: 1, vendor: 'x', validate: async () => ({ value: 1 }) } } },
      'asynchronous',
    ],
    [
      'prepare that throws',
      {
        prepare: () => {
          throw new Error('nothing to do')
        },
      },
      'nothing to do',
    ],
    ['prepare that returns nothing usable', { prepare: () => ({}) }, 'a function check'],
    [
      'an instruction that throws',
      {
        instruct: () => {
          throw new Error('no words')
        },
      },
      'no words',
    ],
  ])('%s is a problem of the options', (_what, change, message) => {
    const definition = { ...quiet.definition, ...change } as unknown as Parameters<typeof describePrepared>[0]
    expect(describePrepared(definition, {}).problems?.[0]?.message).toContain(message)
  })
})

describe('what a validator from outside yields', () => {
  test('is a finding within bounds, or an error', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withTypedArray: true }), fc.anything(), (inner, outer) => {
        const items = [outer, { kind: 'issue', code: 'A', message: 'x', span: inner }, { kind: 'fact', name: 'x', value: inner }]
        for (const item of [...items, { kind: 'issue', code: 'A', message: 'x'.repeat(5000), path: inner, hint: outer }]) {
          try {
            const finding = guardFinding(item, 10)
            expect(['issue', 'fact']).toContain(finding.kind)
            expect(JSON.stringify(structuredClone(finding)).length).toBeLessThan(1_100_000)
            if (finding.kind === 'issue' && finding.span) expect(finding.span.end).toBeLessThanOrEqual(10)
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
          }
          expect(() => guardCertificate(item)).toThrow()
        }
      }),
      { numRuns: 200 },
    )
  })

  test('an error of another copy of the library means the same', () => {
    const complex = Object.assign(new Error('x'), { name: 'TooComplex', reason: { en: 'too long', de: 'zu lang' } })
    expect(ownError(complex)).toMatchObject({ reason: { en: 'too long', de: 'zu lang' } })
    expect(ownError(Object.assign(new Error('gone'), { name: 'ValidatorUnavailable' }))).toMatchObject({ name: 'ValidatorUnavailable' })
    expect(ownError(Object.create(null))).toMatchObject({ message: 'something that cannot be shown' })
    expect(plainLine(`a\u001b[31m\nb${'x'.repeat(9000)}`)).toMatch(/^a \[31m bx{100,}…$/)
  })

  test('a list and a generator are read alike, and what is returned by mistake is passed on', () => {
    const contract = buildContract({ checks: [quiet({})] }, { validators: [], presets: {} })
    const [active] = contract.validators
    if (active === undefined) throw new Error('there is none')
    const read = (check: () => unknown) => {
      const guarded = guardOutside({ ...active, prepared: { check: check as never } })
      return guarded.prepared.check(new Answer('text'), {} as never) as Generator
    }
    const found = [issue('LOUD', 'Speak softly.')]
    expect([...read(() => found)]).toEqual(found)
    const returning = { [Symbol.iterator]: () => ({ next: () => ({ done: true, value: found }) }) }
    expect(read(() => returning).next()).toEqual({ done: true, value: found })
  })
})

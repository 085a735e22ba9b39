import { Answer, type CheckContext, type Finding } from '@stickler/core'
import { assertStreamable } from '@stickler/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { citationPieces, feed } from '../../../../core/src/testing/streamed-citations.ts'
import { type ContractByName, contract } from '../../testing/contract.ts'
import { citations } from './index.ts'

const runs = 300

const piece = fc.constantFrom(...citationPieces)
const texts = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
const options = fc.record({ profile: fc.constant('reddb'), sources: fc.constantFrom(0, 1, 2) }, { requiredKeys: ['profile'] })
const policies = fc.constantFrom<ContractByName>({}, { mode: 'lenient' }, { repair: 'never' }, { repair: 'last' })
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

test('any chunking gives the same verdict, issues and text, and agrees with the whole check', async () => {
  await fc.assert(
    fc.asyncProperty(texts, options, policies, sizes, (text, chosen, policy, lengths) =>
      assertStreamable(contract({ ...policy, checks: [{ citations: chosen }] }), text, [lengths, 1]),
    ),
    { numRuns: runs },
  )
})

const context: CheckContext = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal }
const { options: schema, prepare } = citations.definition
const prepared = (sources: number | undefined) => prepare(schema.parse({ profile: 'reddb', sources }))

const machineOf = (sources: number | undefined = 2) => prepared(sources).incremental?.(context)

test('what is safe holds nothing wrong, and what fails is wrong', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(0, 1, 2), (text, sources) => {
      const found = [...(prepared(sources).check(new Answer(text), context) as Iterable<Finding>)]
      const issues = found.filter((finding) => finding.kind === 'issue')
      const start = Math.min(...issues.map(({ span }) => span?.start ?? text.length), text.length)
      const steps = feed(machineOf(sources), text.split(''))
      for (const { safe } of steps) expect(safe).toBeLessThanOrEqual(start)
      const failure = steps.at(-1)?.failure
      const { further = [], ...first } = feed(machineOf(sources), [text]).at(-1)?.failure ?? {}
      const { further: _further, ...told } = failure ?? {}
      if (failure) expect(first).toEqual(told)
      for (const draft of [...(failure?.issues ?? []), ...further]) expect(issues).toContainEqual(draft)
    }),
    { numRuns: runs },
  )
})

describe('a stream', () => {
  /** Text, where it fails when it is fed character by character, and after how many characters that is told. */
  test.each<[string, string, [at: number, told: number] | undefined]>([
    ['at the closing bracket, code or not', '`[^9]`', [5, 5]],
    ['not in a fence', '``` [^9]\n[^9]', undefined],
    ['not unclosed', '[^9\n[^aaaaaaaaaaaaaaaaaaaaaa]', undefined],
  ])('fails %s', (_name, text, expected) => {
    const steps = feed(machineOf(), text.split(''))
    const failure = steps.at(-1)?.failure
    expect(failure && [failure.at, steps.length]).toEqual(expected)
  })

  test.each([
    ['an open marker', 'One [^a', 4],
    ['no longer than a body may be', 'One [^aaaaaaaaaaaaaaaaa', 23],
  ])('holds %s', (_name, text, safe) => {
    expect(feed(machineOf(), text.split('')).at(-1)?.safe).toBe(safe)
  })
})

describe('a long stream stays linear', { timeout: 30_000 }, () => {
  test.each(['[^', '[^1', '[^a', '1', '`', '\\', '[^1] ', 'x', '\n'])('of %j', (unit) => {
    const text = `Text[^1] ${unit.repeat(Math.floor(300_000 / unit.length))}`
    expect(feed(machineOf(), text.match(/[\s\S]{1,7}/g) ?? []).length).toBeGreaterThan(0)
  })
})

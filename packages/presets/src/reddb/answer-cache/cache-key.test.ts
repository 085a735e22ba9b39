import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerCacheKey, type CacheInputs, type CacheScope } from './cache-key.ts'

const scope: CacheScope = { tenant: 't', user: 'u' }
const inputs: CacheInputs = { question: 'q', provider: 'p', model: 'm', temperature: 0, seed: 1n, fingerprint: 'f' }

describe('answerCacheKey', () => {
  // python3 -c "import hashlib; k = lambda *f: print(hashlib.sha256('\x1f'.join(f).encode()).hexdigest()); k(*'tuqpm01f');
  //   k(*'tuqpm', 'none', 'none', 'f'); k(*'tu', 'Grüße 😀', *'pm', '0.0000001', '18446744073709551615', 'f'); k('', '', '', '', '', '0', '0', '')"
  test.each<[string, CacheScope, CacheInputs, string]>([
    ['plain', scope, inputs, 'ca47974209a1e07b9890aa73b5bdbcc2fda1bae0ba1d77f186c9dc168b54f903'],
    ['minus zero', scope, { ...inputs, temperature: -0 }, 'ca47974209a1e07b9890aa73b5bdbcc2fda1bae0ba1d77f186c9dc168b54f903'],
    [
      'no knobs',
      scope,
      { ...inputs, temperature: undefined, seed: undefined },
      'a62099197f5102956d373e47bb97edcacdf98509d4ae6efec38eb1023a049ce8',
    ],
    [
      'unusual values',
      scope,
      { ...inputs, question: 'Grüße 😀', temperature: 1e-7, seed: 2n ** 64n - 1n },
      '81bef9faf47e39e4f04a740235b560cb7eb5e3227369fca62ddfd53314367a9f',
    ],
    [
      'empty fields',
      { tenant: '', user: '' },
      { question: '', provider: '', model: '', temperature: 0, seed: 0n, fingerprint: '' },
      'e170a1635242955531f484983d264009e38aefb7fc6e353a814ba989be8a7491',
    ],
  ])('%s', async (_, who, what, expected) => {
    expect(await answerCacheKey(who, what)).toBe(expected)
  })

  // python3 -c "import hashlib, struct; k = lambda *f: print(hashlib.sha256(b'\xffanswer-key' + b''.join(struct.pack('>I', len(u) // 2) + u
  //   for u in (x.encode('utf-16-be', 'surrogatepass') for x in f))).hexdigest()); k('t\x1fu', *'uqpm01f'); k(*'tu', '\ud800', *'pm01f')"
  test.each<[string, CacheScope, CacheInputs, string]>([
    ['a separator in a field', { ...scope, tenant: 't\x1fu' }, inputs, '7a27bec1e7fe3f000e4fab4f99055dec474b2cbdb6a3a00928fa263ad67efca7'],
    [
      'a lone surrogate in a field',
      scope,
      { ...inputs, question: '\ud800' },
      'c12208b110e88430b55f351503c7de19f3d48d9849ac83b86200de69e2797659',
    ],
  ])('%s takes the length-prefixed form', async (_, who, what, expected) => {
    expect(await answerCacheKey(who, what)).toBe(expected)
  })

  test('different fields have different keys, whatever they contain', async () => {
    const field = fc.string({
      unit: fc.constantFrom('a', '\x1f', '\x1e', '\0', 'none', '0', '\ud800', '\ufffd', '😀', '\xff', 'answer-key'),
      maxLength: 3,
    })
    const fields = fc.record({
      scope: fc.record({ tenant: field, user: field }),
      inputs: fc.record({
        question: field,
        provider: field,
        model: field,
        temperature: fc.constantFrom(undefined, 0, 1),
        seed: fc.constantFrom(undefined, 0n, 1n),
        fingerprint: field,
      }),
    })
    const parts = (one: { scope: CacheScope; inputs: CacheInputs }) =>
      JSON.stringify([one, String(one.inputs.seed)], (_, value) => (typeof value === 'bigint' ? null : value))
    const keys = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(fields, async (one) => {
        const key = await answerCacheKey(one.scope, one.inputs)
        expect(key).toMatch(/^[0-9a-f]{64}$/)
        expect(keys.get(key) ?? parts(one)).toBe(parts(one))
        keys.set(key, parts(one))
      }),
      { numRuns: 1000 },
    )
  })

  test('a separator never moves a border between neighbours', async () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '\x1f'), maxLength: 3 }), { minLength: 2, maxLength: 2 })
    const key = ([tenant = '', user = '']: string[]) => answerCacheKey({ tenant, user }, inputs)
    await fc.assert(
      fc.asyncProperty(texts, texts, async (a, b) => {
        expect((await key(a)) === (await key(b))).toBe(a[0] === b[0] && a[1] === b[1])
      }),
      { numRuns: 500 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentVersion, sourcesFingerprint } from './sources-fingerprint.ts'

const source = (urn: string, version: bigint) => ({ urn, version })

describe('sourcesFingerprint', () => {
  // python3 -c "import hashlib, struct; fp = lambda l: print(hashlib.sha256(b''.join(u.encode() + b'\x1f' + struct.pack('>Q', v) + b'\x1e'
  //   for u, v in sorted(set(l), key=lambda s: (s[0].encode(), s[1])))).hexdigest()); fp([]); fp([('urn:a', 1)]);
  //   fp([('urn:b', 2), ('urn:a', 1), ('urn:a', 10), ('urn:a', 1)]); fp([('\uffee', 1), ('😀', 1), ('é', 2**64 - 1), ('z', 0)])"
  test.each([
    ['no source', [], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['one', [source('urn:a', 1n)], 'da2a1ae471ed4f4ab6da14e072a8e1f5a02f09f3b8952b70163a6aa896bd98d5'],
    [
      'sorted by urn, then by version as a number, without repetitions',
      [source('urn:b', 2n), source('urn:a', 1n), source('urn:a', 10n), source('urn:a', 1n)],
      '3d80d7e55d65424a9fb35511b2bb74af4f091907e3d26dcfcfa5203ff64bfd15',
    ],
    [
      // In UTF-16 units 😀 comes before U+FFEE, in a locale é before z.
      'sorted by bytes',
      [source('\uffee', 1n), source('😀', 1n), source('é', 2n ** 64n - 1n), source('z', 0n)],
      '95b7ba3c9bc8bce669ac3369a266c433b395d4279a517b4e09e96ea92414f1cf',
    ],
  ])('%s', async (_, sources, expected) => {
    expect(await sourcesFingerprint(sources)).toBe(expected)
    expect(await sourcesFingerprint([...sources].reverse())).toBe(expected)
  })

  test('order and repetitions do not matter, everything else does', async () => {
    const sources = fc.array(
      fc.record({
        urn: fc.string({ unit: fc.constantFrom('a', 'é', '\uffee', '😀'), maxLength: 3 }),
        version: fc.bigInt({ min: 0n, max: 3n }),
      }),
      { maxLength: 5 },
    )
    const named = (list: readonly { urn: string; version: bigint }[]) =>
      [...new Set(list.map(({ urn, version }) => `${version} ${urn}`))].sort()
    await fc.assert(
      fc.asyncProperty(sources, sources, async (a, b) => {
        const same = JSON.stringify(named(a)) === JSON.stringify(named(b))
        expect((await sourcesFingerprint(a)) === (await sourcesFingerprint(b))).toBe(same)
        expect(await sourcesFingerprint([...a, ...a].reverse())).toBe(await sourcesFingerprint(a))
      }),
    )
  })

  test('the given list stays as it is', async () => {
    const sources = Object.freeze([source('b', 1n), source('a', 1n)])
    await sourcesFingerprint(sources)
    expect(sources.map(({ urn }) => urn)).toEqual(['b', 'a'])
  })

  test.each([-1n, 2n ** 64n])('version %s is refused', async (version) => {
    await expect(sourcesFingerprint([source('urn:a', version)])).rejects.toThrow(RangeError)
  })
})

describe('contentVersion', () => {
  // python3 -c "import hashlib; [print(int.from_bytes(hashlib.sha256(t.encode()).digest()[:8], 'big')) for t in ('', 'hello')]"
  test.each([
    ['', 16406829232824261652n],
    ['hello', 3238736544897475342n],
  ])('%j', async (payload, expected) => {
    expect(await contentVersion(payload)).toBe(expected)
  })
})

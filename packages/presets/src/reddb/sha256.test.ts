import { describe, expect, test } from 'vitest'
import { sha256, sha256Hex } from './sha256.ts'

describe('sha256Hex', () => {
  // python3 -c "import hashlib; [print(hashlib.sha256(t.encode()).hexdigest()) for t in ('', 'abc', 'grüße😀', '\ufffd', 'a' * 1000000)]"
  test.each<[string, string, string]>([
    ['nothing', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['ASCII', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['UTF-8', 'grüße😀', '6cc8693b257ce67e4c86a482a5e335c546954ea48f02e6ff207d4bdf1e98b3f9'],
    ['a lone surrogate as U+FFFD', '\ud800', '83d544ccc223c057d2bf80d3f2a32982c32c3c0db8e2674820da5064783fb097'],
    ['a million characters', 'a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('%s', async (_, text, expected) => {
    expect(await sha256Hex(text)).toBe(expected)
    expect(await sha256Hex(new TextEncoder().encode(text))).toBe(expected)
  })

  test('a part of a buffer, and shared memory', async () => {
    const bytes = new TextEncoder().encode('xxabcxx')
    const shared = new Uint8Array(new SharedArrayBuffer(3))
    shared.set([0x61, 0x62, 0x63])
    expect(await sha256Hex(bytes.subarray(2, 5))).toBe(await sha256Hex('abc'))
    expect(await sha256Hex(shared)).toBe(await sha256Hex('abc'))
  })
})

test('sha256 gives 32 bytes', async () => {
  const bytes = await sha256('abc')
  expect([bytes.length, bytes[0], bytes[31]]).toEqual([32, 0xba, 0xad])
})

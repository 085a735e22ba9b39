import { expect, test } from 'vitest'
import { deriveSeed } from './sources-fingerprint.ts'

// python3 -c "import hashlib; s = lambda q, f: print(int.from_bytes(hashlib.sha256(q.encode() + b'\x1f' + f.encode()).digest()[:8], 'little'));
//   s('', ''); s('why?', 'abc'); s('Grüße 😀', hashlib.sha256(b'').hexdigest())"
test.each([
  ['', '', 13156453238544393983n],
  ['why?', 'abc', 5024074045892357211n],
  ['Grüße 😀', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 17997055417077367074n],
])('the seed of %j over %j', async (question, fingerprint, expected) => {
  expect(await deriveSeed(question, fingerprint)).toBe(expected)
})

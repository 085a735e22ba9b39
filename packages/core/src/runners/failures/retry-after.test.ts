import { describe, expect, it } from 'vitest'
import { readRetryAfter } from './failure-of.ts'

const today = Date.UTC(2026, 0, 1)

describe('readRetryAfter', () => {
  it.each([
    [{ 'retry-after': '1' }, 1000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 2 ' }, 2000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '86400' }, 86_400_000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after': 'Thu, 99 Jan 2026 00:00:30 GMT' }, undefined],
    [{ 'retry-after': 'garbage 5' }, undefined],
    [{ 'retry-after': '9'.repeat(400) }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '1e9' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '0x10' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('%j → %s', (headers: Record<string, string>, expected) => {
    expect(readRetryAfter(new Headers(headers), () => today)).toBe(expected)
  })
})

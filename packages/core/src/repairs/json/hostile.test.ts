import { describe, expect, test } from 'vitest'
import { JsonStream } from './json-stream.ts'
import { repairJson } from './repair-json.ts'

/** Texts that are hard on scanners, of about a given size. */
const hostile: Record<string, (size: number) => string> = {
  'keys without end': (size) => '{"k: "v" '.repeat(size / 9),
  brackets: (size) => '['.repeat(size),
  objects: (size) => '{"a":'.repeat(size / 5),
  'wrong closers': (size) => '['.repeat(size / 2) + '}'.repeat(size / 2),
  'wrong closers in both kinds': (size) => '{"a":['.repeat(size / 12) + '}'.repeat(size / 2),
  'an open string': (size) => `["${'a'.repeat(size)}`,
  'swallowed closers': (size) => `${'['.repeat(size / 2)}"a${']'.repeat(size / 2)}`,
  'swallowed members': (size) => `{"a": "${', b: c'.repeat(size / 6)}}`,
  'stray quotes': (size) => `{"a": "${'x" y '.repeat(size / 5)}`,
  'stray quotes and commas': (size) => `{"a": "${'x", '.repeat(size / 4)}`,
  'stray quotes and colons': (size) => `{"a": "${'b":"'.repeat(size / 4)}`,
  'stray quotes and white space': (size) => `{"a": "${`"${' '.repeat(250)}`.repeat(size / 251)}`,
  'quotes on lines': (size) => `{"a": "${'\n"'.repeat(size / 2)}`,
  apostrophes: (size) => `{'a': '${"it's ".repeat(size / 5)}`,
  'nothing but quotes': (size) => `[${'"'.repeat(size)}`,
  'names in strings': (size) => `{"a": "${', b: "x '.repeat(size / 8)}`,
  commas: (size) => `[${','.repeat(size)}`,
  comments: (size) => `[1,${'/*c*/'.repeat(size / 5)}]`,
  stars: (size) => `[/*${'*'.repeat(size)}`,
  ellipses: (size) => `[${'...,'.repeat(size / 4)}`,
  'back-slashes': (size) => `["${'\\'.repeat(size)}`,
  'text without quotes': (size) => `{a: ${'foo, bar '.repeat(size / 9)}`,
  'words without quotes': (size) => `[${'foo '.repeat(size / 4)}`,
  'numbers without commas': (size) => `[${'1 '.repeat(size / 2)}`,
  'a long number': (size) => `[${'1'.repeat(size)}`,
  calls: (size) => `[${'f("'.repeat(size / 3)}`,
  'white space': (size) => `{"a": "x"${' '.repeat(size)}`,
  'odd white space': (size) => `[${'\u00a0'.repeat(size)}`,
}

function streamed(text: string): { readonly ok: boolean; readonly started: boolean } {
  const stream = new JsonStream()
  let seen: unknown
  for (let at = 0; at < text.length; at += 20) {
    stream.push(text.slice(at, at + 20))
    seen = stream.value
  }
  return { ok: stream.finish().ok, started: seen !== undefined }
}

describe('a hostile text', () => {
  // A quadratic scanner needs minutes for these, and runs into the limit; how time grows is left to the benchmark.
  test.each(Object.entries(hostile))('%s', { timeout: 30_000 }, (_kind, make) => {
    const text = make(250_000)
    expect(streamed(text)).toEqual({ ok: repairJson(text).ok, started: true })
  })
})

test('100 000 brackets are read to their depth', { timeout: 30_000 }, () => {
  const depth = 100_000
  for (const result of [repairJson('['.repeat(depth) + ']'.repeat(depth)), repairJson('['.repeat(depth), { partial: true })]) {
    let value = result.ok ? result.value : undefined
    let found = 0
    for (; Array.isArray(value); value = value[0]) found++
    expect(found).toBe(depth)
  }
})

test('five megabytes are mended', { timeout: 60_000 }, () => {
  const text = `[${"{'id': 1, 'text': 'it's fine, and left', 'ok': True,},\n".repeat(100_000)}]`
  const result = repairJson(text)
  expect(result.ok && (result.value as unknown[]).length).toBe(100_000)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonStream } from './json-stream.ts'
import { repairJson } from './repair-json.ts'

/** The value, and the rules with their classes where they are not lossless. */
function read(text: string, partial = false): unknown {
  const result = repairJson(text, { partial })
  if (!result.ok) return result.reason
  return [result.value, [...new Set(result.edits.map((edit) => (edit.class === 'lossless' ? edit.rule : `${edit.rule}: ${edit.class}`)))]]
}

describe('what is written otherwise than JSON writes it', () => {
  test.each([
    ["{'name': 'Ann', 'age': 3}", { name: 'Ann', age: 3 }, ['quotes']],
    ['{“name”: “Ann”, ‘age’: 3}', { name: 'Ann', age: 3 }, ['quotes']],
    ['{name: "Ann", $id: 3, 5: 1}', { name: 'Ann', $id: 3, 5: 1 }, ['quote-key']],
    ['{name": "Ann"}', { name: 'Ann' }, ['quote-key']],
    ['{"name": Ann Lee, "city": Bern}', { name: 'Ann Lee', city: 'Bern' }, ['quote-text']],
    [
      '{"on": 2024-10-18T18:35:22Z, "v": 1.2.3, "at": https://a.b/c}',
      { on: '2024-10-18T18:35:22Z', v: '1.2.3', at: 'https://a.b/c' },
      ['quote-text: guess', 'quote-text'],
    ],
    ['{"weight": 5 kg, "n": 3}', { weight: '5 kg', n: 3 }, ['quote-text']],
    ['[one", two"]', ['one', 'two'], ['missing-quote']],
    ['[True, False, None, TRUE]', [true, false, null, true], ['python-literal', 'literal-case']],
    ['[.5, 2., +1, -.5]', [0.5, 2, 1, -0.5], ['number-form']],
    ['[1, 2, /* three */ 3] // end', [1, 2, 3], ['comment']],
    ['{"a": 1, # one\n "b": 2 // two\n}', { a: 1, b: 2 }, ['comment']],
    ['{"a":\u00a01,\u3000"b": 2}', { a: 1, b: 2 }, ['white-space']],
    ['{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }, ['control-character']],
    ['{"pattern": "\\d+\\.", "path": "C:\\dir"}', { pattern: '\\d+\\.', path: 'C:\\dir' }, ['stray-escape']],
    ["{'a': 'it\\'s', 'b': '\\x41'}", { a: "it's", b: 'A' }, ['quotes', 'stray-escape']],
    ['{\\"a\\": \\"say \\\\\\"hi\\\\\\"\\",\\n \\"b\\": 1}', { a: 'say "hi"', b: 1 }, ['escaped-quotes']],
    ['{"a": """one\n"two" three""", "b": 1}', { a: 'one\n"two" three', b: 1 }, ['quotes', 'control-character', 'inner-quote']],
    ["{u'a': b'c'}", { a: 'c' }, ['string-prefix', 'quotes']],
    ['{"re": r"\\d+\\t", "p": R"C:\\new\\table"}', { re: '\\d+\\t', p: 'C:\\new\\table' }, ['string-prefix']],
    ['{r"\\n": rb"\\u0041\\\\", "b": r"a\\"b"}', { '\\n': '\\u0041\\\\', b: 'a\\"b' }, ['string-prefix']],
    ['{"a": r"\\n", "b": "\\n", "c": u"\\n"}', { a: '\\n', b: '\n', c: '\n' }, ['string-prefix']],
    ["{'a': r'''\\n''', 'b': [Br'\\t']}", { a: '\\n', b: ['\\t'] }, ['quotes', 'string-prefix']],
    ['{"a": f"Hello", "b": u"{x}"}', { a: 'Hello', b: '{x}' }, ['string-prefix']],
    ['{"a": f"Hello {name}"}', { a: 'Hello {name}' }, ['string-prefix: guess']],
    ['{f"k{i}": 1, "b": [rF"\\d{n}"]}', { 'k{i}': 1, b: ['\\d{n}'] }, ['string-prefix: guess', 'string-prefix']],
    ['{"a": "one" +\n "two"}', { a: 'onetwo' }, ['concatenation']],
  ])('%j', (text, value, rules) => {
    expect(read(text)).toEqual([value, rules])
  })
})

describe('text without quotes', () => {
  test.each([
    ['[New York, it’s fine, well-known, St. Gallen, x_1]', ['New York', 'it’s fine', 'well-known', 'St. Gallen', 'x_1'], 'lossless'],
    ['{"a": 5 apples, "b": Main Street 5}', { a: '5 apples', b: 'Main Street 5' }, 'lossless'],
    [
      '{"op": or, "level": none, "version": 1.2.3, "on": 2024-10-18}',
      { op: 'or', level: 'none', version: '1.2.3', on: '2024-10-18' },
      'lossless',
    ],
    ['{"a": 3 4}', { a: '3 4' }, 'guess'],
    ['{"a": true false}', { a: 'true false' }, 'guess'],
    ['{"a": null or 0}', { a: 'null or 0' }, 'guess'],
    ['{"a": 1 000}', { a: '1 000' }, 'guess'],
    ['{"a": 1_000}', { a: '1_000' }, 'guess'],
    ['{"a": 1_000.5}', { a: '1_000.5' }, 'guess'],
    ['{"a": 0x1F, "b": 0b11, "c": 0o17}', { a: '0x1F', b: '0b11', c: '0o17' }, 'guess'],
    ['{"a": 1.000.000}', { a: '1.000.000' }, 'guess'],
    ['{"a": 007}', { a: '007' }, 'guess'],
    ['[f(a=1, b=2)]', ['f(a=1, b=2)'], 'guess'],
    ['[f(a=1, b=2), g(c)]', ['f(a=1, b=2)', 'g(c)'], 'guess'],
    ["[f(a='x, y', b=g(h, i))]", ["f(a='x, y', b=g(h, i))"], 'guess'],
    ['{"d": f(a, b)}', { d: 'f(a, b)' }, 'guess'],
    ['{"d": 4.22 + 6.1}', { d: '4.22 + 6.1' }, 'guess'],
    ['{"d": 5 - 3}', { d: '5 - 3' }, 'guess'],
    ['{"d": a = b}', { d: 'a = b' }, 'guess'],
    ['[a; b]', ['a; b'], 'guess'],
    ['[x > 1]', ['x > 1'], 'guess'],
  ])('%j', (text, value, kind) => {
    const result = repairJson(text)
    expect(result).toMatchObject({ ok: true, value })
    expect([...new Set(result.ok ? result.edits.map((edit) => `${edit.rule}: ${edit.class}`) : [])]).toEqual([`quote-text: ${kind}`])
  })
})

describe('what is missing or too much', () => {
  test.each([
    ['[1, 2,]', [1, 2], ['trailing-comma']],
    ['{"a": 1, /* no more */ }', { a: 1 }, ['trailing-comma', 'comment']],
    ['[,1,,2]', [1, 2], ['extra-comma']],
    ['[1 2 "a" {} []]', [1, 2, 'a', {}, []], ['missing-comma']],
    ['{"a": 1 "b": "x"\n c: true}', { a: 1, b: 'x', c: true }, ['missing-comma', 'quote-key']],
    ['{"a" 1, "b" "x", "c" [2]}', { a: 1, b: 'x', c: [2] }, ['missing-colon']],
    ['{"a" = 1, "b" => 2}', { a: 1, b: 2 }, ['colon']],
    ['{"a" = "x"\n "b" = ""}', { a: 'x', b: '' }, ['colon', 'missing-comma']],
    ['{"a": "x", b = "", c => "y"}', { a: 'x', b: '', c: 'y' }, ['quote-key', 'colon']],
    ['{"a": "print("x", end="")"}', { a: 'print("x", end="")' }, ['inner-quote']],
    ['{"a": 1; "b": "x"; "c": 2}', { a: 1, b: 'x', c: 2 }, ['semicolon', 'missing-comma']],
    ['{"a": [1, {"b": 2}', { a: [1, { b: 2 }] }, ['missing-closer: guess']],
    ['{"a": [1, 2}', { a: [1, 2] }, ['missing-closer']],
    ['[{"a": 1, {"b": 2}]', [{ a: 1 }, { b: 2 }], ['missing-closer']],
    ['{"a": [1, 2, "b": 3}', { a: [1, 2], b: 3 }, ['missing-closer']],
    ['{"a": 1]', { a: 1 }, ['wrong-closer']],
    ['{"a": [1, 2}, "b": 3}', { a: [1, 2], b: 3 }, ['wrong-closer']],
    ['{"a": 1], "b": 2}', { a: 1, b: 2 }, ['stray-closer: lossy']],
    ['[1, 2, ...]', [1, 2], ['trailing-comma', 'ellipsis: lossy']],
    ['[1, …, 9]', [1, 9], ['ellipsis: lossy', 'extra-comma']],
    ['{"a": undefined, "b": NaN}', { a: null, b: null }, ['undefined: lossy', 'not-a-number: lossy']],
    ['{"_id": ObjectId("5f"), "n": NumberLong(5)}', { _id: '5f', n: 5 }, ['function-call: lossy']],
    ['callback({"a": 1});', { a: 1 }, ['function-call: lossy']],
    ['{"a": , "b": 1}', { a: null, b: 1 }, ['missing-value: guess']],
    ['{"a"}', { a: null }, ['missing-value: guess']],
  ])('%j', (text, value, rules) => {
    expect(read(text)).toEqual([value, rules])
  })
})

describe('quotes in strings', () => {
  test.each([
    ['{"a": "He said "yes", and left", "b": 1}', { a: 'He said "yes", and left', b: 1 }, ['inner-quote']],
    ['{"a": "either "x", "y", or "z"", "b": 1}', { a: 'either "x", "y", or "z"', b: 1 }, ['inner-quote']],
    ['["He said "yes", and left", "b"]', ['He said "yes", and left', 'b'], ['inner-quote']],
    ['{"a": "<a href="x.html">y</a>"}', { a: '<a href="x.html">y</a>' }, ['inner-quote']],
    ['{"a": "the set {"x"} is small", "b": 1}', { a: 'the set {"x"} is small', b: 1 }, ['inner-quote']],
    ['{"a": "x = {"k": "v", "l": 2}", "b": 1}', { a: 'x = {"k": "v", "l": 2}', b: 1 }, ['inner-quote']],
    [
      '{"a": "print("x")\nreturn f("y", "z")", "b": 1}',
      { a: 'print("x")\nreturn f("y", "z")', b: 1 },
      ['inner-quote', 'control-character'],
    ],
    ['{"a": "press "Ctrl" + "C" now"}', { a: 'press "Ctrl" + "C" now' }, ['inner-quote']],
    ["{'a': 'it's the dogs' bone', 'b': 1}", { a: "it's the dogs' bone", b: 1 }, ['quotes']],
    ["{'a': 'say \"hi\"'}", { a: 'say "hi"' }, ['quotes', 'inner-quote']],
    ['{"a": "5" tall", "b": 1}', { a: '5" tall', b: 1 }, ['inner-quote: guess']],
    ['{"k": "He said "hi" loudly"}', { k: 'He said "hi" loudly' }, ['inner-quote']],
    ['{"k": "a 5" board and a 7" one"}', { k: 'a 5" board and a 7" one' }, ['inner-quote']],
    ['{"k": "a" or "b"}', { k: 'a" or "b' }, ['inner-quote', 'inner-quote: guess']],
    ['{"k": "" or "b"}', { k: '" or "b' }, ['inner-quote', 'inner-quote: guess']],
    ['{"k": "a" | "b"}', { k: 'a" | "b' }, ['inner-quote', 'inner-quote: guess']],
    ['{"a": "x" - "y"}', { a: 'x" - "y' }, ['inner-quote', 'inner-quote: guess']],
    ['{"a": "x"|"y"}', { a: 'x"|"y' }, ['inner-quote', 'inner-quote: guess']],
    ['{"a": "foo": "bar"}', { a: 'foo": "bar' }, ['inner-quote', 'inner-quote: guess']],
    ['["it" is "ok"]', ['it" is "ok'], ['inner-quote', 'inner-quote: guess']],
    ['{"a": "Yes", he said, "I will"}', { a: 'Yes", he said, "I will' }, ['inner-quote', 'inner-quote: guess']],
    ["{'k': 'a' or 'b'}", { k: "a' or 'b" }, ['quotes', 'quotes: guess']],
    ['{"a "b" c": 1}', { 'a "b" c': 1 }, ['inner-quote']],
    ['{"a": "one, "b": 2}', { a: 'one', b: 2 }, ['missing-quote: guess']],
    ['{"a": "one\n "b": 2}', { a: 'one', b: 2 }, ['missing-quote: guess', 'missing-comma']],
    ['{"a": "one, b: "two"}', { a: 'one', b: 'two' }, ['missing-quote: guess', 'quote-key']],
    ['{"a: "one", "b": 2}', { a: 'one', b: 2 }, ['missing-quote: guess']],
    ['["one, "two", "three"]', ['one', 'two', 'three'], ['missing-quote: guess']],
    ['{"a": ["one", "two], "b": 1}', { a: ['one', 'two'], b: 1 }, ['missing-quote: guess']],
    ['{"a": "one”, "b": 2}', { a: 'one', b: 2 }, ['quotes: guess']],
  ])('%j', (text, value, rules) => {
    expect(read(text)).toEqual([value, rules])
  })

  test('two strings with something between them are never one for certain, however they are chunked', () => {
    const word = fc.constantFrom('a', 'foo', 'x y', '7', '東京', '')
    const between = fc.constantFrom('or', 'and', '|', '||', '-', '/', ':', '=', '==', '?', '&', 'is', '->', ';', '.', '<')
    const space = fc.constantFrom('', ' ', '  ', '\t')
    const place = fc.constantFrom<(text: string) => string>(
      (text) => `[${text}]`,
      (text) => `{"k": ${text}}`,
      (text) => `{"k": ${text}, "l": 1}`,
      (text) => `[1, ${text}, 2]`,
    )
    let joined = 0
    fc.assert(
      fc.property(
        word,
        between,
        word,
        space,
        place,
        fc.constantFrom('"', "'"),
        fc.integer({ min: 1, max: 9 }),
        (a, sign, b, gap, put, q, size) => {
          // Without white space a word would be part of what it is beside.
          const middle = /\w/.test(sign) ? ` ${sign} ` : `${gap}${sign}${gap}`
          const text = put(`${q}${a}${q}${middle}${q}${b}${q}`)
          const result = repairJson(text)
          const stream = new JsonStream()
          for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size))
          expect(stream.finish()).toEqual(result)
          if (!result.ok || !JSON.stringify(result.value).includes(JSON.stringify(`${a}${q}${middle}${q}${b}`).slice(1, -1))) return
          joined++
          expect(result.edits.map((edit) => edit.class)).toContain('guess')
        },
      ),
      { numRuns: 2000 },
    )
    expect(joined).toBeGreaterThan(100)
  })

  test('a right string stays as it is, whatever it holds', () => {
    const value = { a: 'x", "b": 1}, // c /* d */ True, None, \'e\': ... [1,] “f” {g: h}\n\\d', 'k "l": ': ['", "', "it's", '}]'] }
    expect(repairJson(`${JSON.stringify(value).slice(0, -1)},}`)).toMatchObject({ value, edits: [{ rule: 'trailing-comma' }] })
  })
})

describe('a text that is cut', () => {
  test.each([
    ['{"a": [1, "b"', { a: [1, 'b'] }, 'closers'],
    ['{"a": 12 // and', { a: 12 }, 'closers'],
    ['{"a": 1}', { a: 1 }, 'none'],
    ['{"a": 1\n```\nThat is all.', { a: 1 }, 'closers'],
    ['[1, 2,\n```\nThat is all.', [1, 2], 'closers'],
    ['12', 12, 'none'],
  ])('%j', (text, value, cut) => {
    expect(repairJson(text)).toMatchObject({ ok: true, value, cut })
  })

  test.each([
    ['{"a": true', { a: true }],
    ['{"a": 12 ', { a: 12 }],
    ['{"a": 12', { a: 12 }],
    ['{"a": "b', { a: 'b' }],
    ['{"a": 1,', { a: 1 }],
    ['{"a": 1, "b', { a: 1, b: null }],
    ['{"a": 1, "b"', { a: 1, b: null }],
    ['{"a": 1, "b":', { a: 1, b: null }],
    ['{"a": fal', { a: false }],
    ['[', []],
    ['{"a": "use {x}', { a: 'use {x}' }],
    ['{"a": "one, b: false}', { a: 'one, b: false}' }],
    ['{"list": ["one]}', { list: ['one]}'] }],
    ['{"a": he said "', { a: 'he said' }],
    ['{"a": "b}', { a: 'b}' }],
    ['[1, -', [1, 0]],
    ['[2.5E-', [2.5]],
    ['["\\u00', ['']],
    ['["a\\', ['a']],
    ['nul', null],
    ['-', 0],
    ['"ab', 'ab'],
    ['{"a": {"b": [{"c', { a: { b: [{ c: null }] } }],
  ])('%j: only in a preview', (text, value) => {
    const preview = repairJson(text, { partial: true })
    expect(preview).toMatchObject({ ok: true, value, cut: 'inside' })
    expect(repairJson(text)).toMatchObject({ ok: false, cut: 'inside' })
    expect(preview.ok && preview.edits.filter(({ rule }) => rule === 'complete' || rule === 'missing-closer')).toSatisfy(
      (edits: readonly { readonly class: string }[]) => edits.every((edit) => edit.class === 'guess'),
    )
  })
})

describe('what is refused', () => {
  test.each([
    ['', 'no JSON value', 0],
    [' \n', 'no JSON value', 2],
    ['Sure, here it is', 'no JSON value', 0],
    ['}', 'a closing bracket without an opening one', 0],
    ['{:}', 'a key was expected', 1],
    ['{this is prose}', 'a key was expected', 1],
    ['{"n": 1,000}', 'a key was expected', 8],
    ['{"d": date(2020, 1)}', 'a call with several arguments', 15],
    ['"a\u0000"', 'a NUL character in a string', 2],
    ['["a": 1]', 'a colon in an array', 4],
    ['{"a" b}', 'a colon was expected', 5],
    ['{"a": x{y}}', 'unquoted text that contains a delimiter', 7],
    ['[f(a=[1, 2])]', 'unquoted text that contains a delimiter', 5],
    ['[f(a="x", b=2)]', 'unquoted text that contains a delimiter', 5],
    ['[a="x", b]', 'unquoted text that contains a delimiter', 3],
    ['[f(a=1,\n b=2)]', 'unquoted text that contains a delimiter', 7],
    ['```\n{}\n```', 'a fence where a value was expected', 0],
  ])('%j', (text, reason, at) => {
    expect(repairJson(text)).toEqual({ ok: false, reason, at })
  })
})

test('the region and the offsets count in the given text', () => {
  expect(repairJson('Here: /* c */ {a: 1} done', { start: 6 })).toEqual({
    ok: true,
    value: { a: 1 },
    edits: [{ rule: 'quote-key', class: 'lossless', start: 15, before: 'a', after: '"a"' }],
    start: 14,
    end: 20,
    cut: 'none',
  })
  expect(repairJson('x [1] \n', { start: 1 })).toMatchObject({ start: 2, end: 5, edits: [] })
})

test('keys of the prototype are keys like others, and the last of two counts', () => {
  const result = repairJson('{"__proto__": {"x": 1}, "constructor": 2, "a": 1, "a": 3,}')
  const value = result.ok ? (result.value as Record<string, unknown>) : {}
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.entries(value)).toEqual([
    ['__proto__', { x: 1 }],
    ['constructor', 2],
    ['a', 3],
  ])
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

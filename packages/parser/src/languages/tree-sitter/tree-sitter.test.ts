import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { treeSitterLanguages } from './languages.ts'

const parsers = new Map(await Promise.all(treeSitterLanguages.map(async ({ name, load }) => [name, await load()] as const)))
const parse = (language: string, source: string) => parsers.get(language)?.(source)

const valid: readonly (readonly [string, string])[] = [
  ['csharp', 'using System;\nnamespace A;\npublic record Person(string Name, int Age);'],
  ['csharp', 'public required string Name { get; set; }'],
  ['csharp', 'int[] a = [1, 2, .. b];\nConsole.WriteLine(a[^1]);'],
  ['csharp', '#region A\nint x;\n#endregion'],
  ['java', 'package a;\npublic class B<T extends C> { private final int x = 1; }'],
  ['java', '@Override\npublic String toString() { return switch (x) { case 1 -> "a"; default -> "b"; }; }'],
  ['java', 'var list = List.of(1, 2);\nSystem.out.println(list);'],
  ['php', 'echo "a"; $f = fn($x) => $x?->y ?? 3;'],
  ['php', 'public function __construct(private readonly int $x) {}'],
  ['php', '<b><?= $x ?></b>'],
  ['ruby', 'class A < B\n  def sq(x) = x * x\nend'],
  ['ruby', 'x = <<~SQL\n  SELECT #{a}\nSQL\n'],
  ['rust', 'let Some(x) = y else { return };\nprintln!("{x}");'],
  ['rust', "fn f<'a>(x: &'a str) -> impl Iterator<Item = u8> + 'a { x.bytes() }"],
]

test.each(valid)('%s is right: %j', (language, source) => {
  expect(parse(language, source)).toEqual([])
  expect(parse(language, source.replaceAll('\n', '\r\n'))).toEqual([])
})

describe('the first fault', () => {
  test.each([
    ['java', 'class A {\n  int x = 1\n  int y;\n}', '2:12 Insert the missing `;`.'],
    ['java', 'class A {\n  void f() {\n    g();\n}\n', '4:2 Insert the missing `}`.'],
    ['csharp', 'var x = 1;\nvar y = (2;\n', '2:11 Insert the missing `)`.'],
    ['php', 'echo "😀" . $x\n$y = 1;', '1:14 Correct the PHP code at `x`: it does not parse.'],
    ['rust', 'fn main() {\n    let x = ;\n}', '2:11 Correct the Rust code at `=`: it does not parse.'],
    ['ruby', 'def a\n  b(\nend', '2:4 Close this `(` with `)`, or correct what is in it.'],
  ])('%s: %j', (language, source, expected) => {
    const [fault] = parse(language, source) ?? []
    expect(`${fault?.line}:${fault?.column} ${fault?.message}`).toBe(expected)
  })
})

test('deep nesting ends, and the parser works afterwards', () => {
  for (const [language, parser] of parsers) {
    expect(parser('('.repeat(20_000)).length, language).toBeGreaterThan(0)
    expect(valid.filter(([name]) => name === language).flatMap(([, source]) => parser(source))).toEqual([])
  }
})

test('no text crashes a parser, and faults lie inside it', () => {
  const pieces = fc.constantFrom(
    'class ',
    'def ',
    'fn ',
    '{',
    '}',
    '(',
    ')',
    '"',
    "'",
    '\\',
    '\n',
    '\r\n',
    '\0',
    '\ud800',
    '😀',
    '\ufeff',
    '<?php',
    'x',
    ';',
    '=',
  )
  fc.assert(
    fc.property(fc.constantFrom(...parsers.keys()), fc.array(pieces, { maxLength: 20 }), (language, parts) => {
      const source = parts.join('')
      const lines = source.split(/\r\n|[\r\n]/)
      for (const { line, column } of parse(language, source) ?? []) expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1)
    }),
    { numRuns: 200 },
  )
})

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
  ['php', '<!-- resources/views/home.php -->\n<form method="post">\n  <input name="day">\n</form>'],
  ['ruby', 'class A < B\n  def sq(x) = x * x\nend'],
  ['ruby', 'x = <<~SQL\n  SELECT #{a}\nSQL\n'],
  [
    'ruby',
    'def end = 1\ndef f(class:, if: 2, **) = obj.class.then { |x| x&.end }\nalias if end\nrange.begin..range.end\nh = { class: 1, end: 2, if: }',
  ],
  ['ruby', 'case x\nin { class:, name: String => if_name } if y then :end\nelse retry\nend\nBEGIN { a }\nputs %i[if end] unless z'],
  [
    'rust',
    "macro_rules! m { ($fn:ident) => { fn if let struct }; }\n#[cfg(type)]\nfn r#fn(r#type: &'static str, (a, b): (u8, u8), _: T) {}",
  ],
  ['rust', 'trait A { fn f(&self, x: u8) -> Self; }\nextern "C" { fn g(x: u8, ...); }\ntype F = fn(u8, T) -> T;'],
  ['java', "class A { A() { this(1); } A(int x) { super(); new B(); i++; } record P(int x) { P { } } char c = '\\u0041'; }"],
  ['java', 'public Other(int x) { this.x = x; }\nClass<?> c = int.class, d = A.class;'],
  ['csharp', 'class A { A(int @class) : base(1) {} static A() {} ~A() {} object this[int i] => i; }'],
  ['csharp', '#pragma warning disable\n#if DEBUG\npublic Other() { }\n#endif'],
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
    ['ruby', 'class A\n  def f\n    1\n  end\nend\nend\n', '6:1 Correct or remove `end`: it is a reserved word, and not expected here.'],
    ['ruby', 'else\nputs 1', '1:1 Correct or remove `else`: it is a reserved word, and not expected here.'],
    ['rust', 'fn add(a, b) -> i32 { a + b }', '1:8 Write the type of the parameter `a` after a colon.'],
    ['rust', 'let fn = 1;', '1:5 Correct or remove `fn`: it is a reserved word, and not expected here.'],
    ['java', 'int class = 1;', '1:5 Correct or remove `class`: it is a reserved word, and not expected here.'],
    ['java', 'class A { void f() {\n  x + 1; } }', '2:3 Use the value of this expression: it is not a statement.'],
    ['java', 'class A { f() {} }', '1:11 Write the type of the result before `f`, or name the constructor `A`.'],
    ['java', "char c = 'ab';", '1:10 Put text of several characters in double quotes.'],
    ['csharp', 'class A { int class = 1; }', '1:15 Correct or remove `class`: it is a reserved word, and not expected here.'],
    ['csharp', 'class A { F() {} }', '1:11 Write the type of the result before `F`, or name the constructor `A`.'],
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

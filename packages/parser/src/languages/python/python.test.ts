import { spawnSync } from 'node:child_process'
import type { SourceParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { python } from './index.ts'
import { openBracket } from './to-faults.ts'

let parse: SourceParser

beforeAll(async () => {
  parse = await python.load()
})

const told = (source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('Python', () => {
  test.each([
    ['newer syntax', 'type A = int\ndef f[T](a: T): ...\nt"{a}"\nprint(f"{a["b"]}")'],
    ['match statements', 'match a:\n    case [1, *b] if b: pass\n    case _: ...'],
    ['several line breaks', '\ufeffa = 1\r\nb = 2\rc = 3\n'],
    ['what linters reject', 'import os, sys\nl = lambda: 0\nif a == None: pass\nx=1;y=2'],
    ['nothing', ''],
  ])('%s parses', (_, source) => {
    expect(parse(source)).toEqual([])
  })

  test.each([
    ['def f(x)\n    return x', ['1:9 End this line with `:`.']],
    ['def f(x):\nreturn x', ['2:1 Indent this line, or add a body: the function definition above has none.']],
    ['def f(x):\n    # todo\n\nx = 1', ['4:1 Indent this line, or add a body: the function definition above has none.']],
    ['if x = 1:\n    pass', ['1:6 Write `==` to compare, or `:=` to assign.']],
    ['print "hi"', ['1:7 Call print with parentheses: print(…).']],
    ['try:\n    a\nexcept ValueError, e:\n    b', ['3:8 Write `except Error as name:`, or put several exceptions in parentheses.']],
    ['x = [1, 2\ny = 3', ['1:5 Close this `[` with `]`: it is never closed.', '2:1 Write `,` before `y`.']],
    ['a = 1\n  b = 2', ['2:1 Remove the extra indentation of this line.']],
    ['if a:\n    b\n  c', ['3:1 Indent this line like one of the blocks above it.']],
    ['x = “hi”', ['1:5 Use the straight quote `"` instead of this curly one.']],
    ['Here is the code you need:\nx = 1', ['1:13 Remove this sentence from the code, or make it a comment (`#`).']],
    ['!pip install x\nimport x', ['1:1 Remove this notebook command: it is not Python.']],
    ['>>> x = 1', ['1:1 Remove the prompt (`>>>` or `...`) and the output: write only the code.']],
    ['if a && b:\n    pass', ['1:7 Write `and` instead of `&&`.']],
    ['日本 = "é" ; x = (', ['1:16 Close this `(` with `)`: it is never closed.']],
    ['return 1', ['1:1 Put this `return` inside a function.']],
    ['def f():\n    await g()', ['2:5 Make the enclosing function `async def`, or remove this `await`.']],
    ['nonlocal a', ['1:1 Remove this `nonlocal`: it belongs in a nested function.']],
    ['def f(a, a): pass', ['1:10 Rename or remove the second parameter `a`.']],
    ['a = 1\r\nb = = 2\r\n', ['2:5 Remove or correct `=`: it is not expected here.']],
  ])('%j', (source, expected) => {
    expect(told(source)).toEqual(expected)
  })

  test('code that is nested too deeply has no verdict, and the next code has one', () => {
    for (const source of ['['.repeat(5000) + ']'.repeat(5000), '-'.repeat(200_000), '1+'.repeat(50_000)]) {
      try {
        parse(source)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
      expect(parse('x = 1\n')).toEqual([])
      expect(parse('x = (\n')).toHaveLength(1)
    }
  })
})

test('open brackets in strings and comments do not count', () => {
  expect(openBracket("a = \"(\" # [\nb = ('''\n[''' + \"\\\"{\")")).toBeUndefined()
  expect(openBracket('a = (")"')).toEqual({ at: 4, closing: ')' })
})

const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 11))'], { encoding: 'utf8' })

test.skipIf(version.stdout?.trim() !== 'True')('agrees with the compiler of Python', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      'b',
      '1',
      '"s"',
      '+',
      '-',
      '=',
      '==',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ':',
      ',',
      '.',
      'if ',
      'else ',
      'for ',
      'in ',
      'def f():',
      'return ',
      'lambda:',
      'not ',
      'await ',
      'yield ',
      '\n',
      '\n  ',
      '*',
      '**',
      'global a',
      'pass',
      'f"{a}"',
      '...',
      ':=',
      'del ',
      'import ',
      'class A:',
      '#',
      '\\',
    ],
  )
  const sources = fc.sample(fc.array(pieces, { minLength: 1, maxLength: 9 }), 1500).map((parts) => parts.join(' '))
  const program = `
import sys, json, warnings
warnings.simplefilter('ignore')
def check(source):
    try:
        compile(source, 'x', 'exec', dont_inherit=True)
        return True
    except SyntaxError:
        return False
print(json.dumps([check(source) for source in json.load(sys.stdin)]))`
  const run = spawnSync('python3', ['-c', program], { input: JSON.stringify(sources), encoding: 'utf8' })
  const expected = JSON.parse(run.stdout) as boolean[]
  const wrong = sources.filter((source, at) => (parse(source).length === 0) !== expected[at])
  // A starred expression as a statement is rejected only by the last step of the compiler.
  expect(wrong.filter((source) => !/(?:^|\n| )\s*\*/.test(source))).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../../tools/tests/processor-ms.ts'
import { certainLanguage, mayBeCertain } from './certain-language.ts'
import { CodeStart } from './code-start.ts'
import { isOtherDialect } from './sql-dialect.ts'

describe('the language of code is certain', () => {
  test.each<[language: string, source: string]>([
    ['python', 'import os\n\ndef area(r):\n    return 3.14 * r ** 2\n'],
    ['python', '# A comment.\nfrom math import pi\nfor r in range(3):\n    print(pi * r)\n'],
    ['python', 'class A:\n    def f(self):\n        self.x = (1, 2\n'],
    ['python', 'def f(x):\n    if x > 1:\n        print(“two words”)\n'],
    ['javascript', 'const a = [1, 2]\nconsole.log(a.map((x) => x + 1)\n'],
    ['javascript', 'import React from "react"\nexport default function App() {\n  return <p>Hi</p>;\n}\n'],
    ['java', 'public class A {\n  public static void main(String[] args) {\n    System.out.println("x");\n  }\n'],
    ['csharp', 'using System;\nclass A {\n  static void Main() { Console.WriteLine("x"); }\n}\n'],
    ['go', 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("x"\n}\n'],
    ['rust', 'fn main() {\n    let mut x = 1;\n    println!("{}", x);\n'],
    ['php', '<?php\necho "x"\n'],
    ['sql', 'SELECT name\nFROM users\nWHERE (id = 1;\n'],
    ['json', '{\n  "a": 1\n  "b": [true, null]\n}\n'],
    ['json', '{"a": {"b": "c"}\n]\n'],
    ['bash', 'npm install left-pad\n'],
    ['bash', '# First:\ncd app && \\\n  make install\npython3 app.py --port 80 "x\n'],
    ['bash', '#!/bin/sh\nif true; then\n  foo (\n'],
  ])('%s: %j', (language, source) => {
    expect(certainLanguage(source)).toBe(language)
    expect(certainLanguage(source.replaceAll('\n', '\r\n'))).toBe(language)
  })
})

describe('what is not judged', () => {
  test.each<[what: string, source: string]>([
    ['nothing', '\n'],
    ['prose', 'The function def f(x): takes one argument.\nIt returns nothing.\n'],
    ['a poem that begins with commands', 'make a wish and find the sea\nkill no bird\n'],
    ['a letter', 'Dear Ms Smith,\n\nimport duties apply.\n'],
    ['a listing of files', 'src\n├── main.py\n└── app\n    └── index.js\n'],
    ['a listing without lines', 'project/\n  main.py\n  README.md\n'],
    ['output', 'Epoch 1: loss 0.25\nEpoch 2: loss 0.125\n'],
    ['a log', '2024-01-01 12:00:00 ERROR app.py: import failed (\n'],
    ['a traceback', 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    import x (\nImportError: x\n'],
    ['a dictionary that was printed', "{\n 'MSE': 1.5,\n 'MASE': 2\n}\n"],
    ['a dictionary with numbers as keys', '{"a": 1, 2: 3}\n'],
    ['an object with a trailing comma, as other languages have it', '{\n  "a": 1,\n}\n'],
    ['lines of JSON', '{"a": 1}\n{"a": 2}\n'],
    ['a part of JSON', '"scripts": {\n  "a": "b"\n}\n'],
    ['a list', '[1, 2, 3\n'],
    ['pseudo-code with braces', 'function f(x) {\n  for each vertex v in G do\n    mark v\n}\n'],
    ['pseudo-code like Python', 'function f(G, V):\n    n = len(V)\n    for u in range(n):\n        print(u)\n'],
    ['pseudo-code with words', 'def f(G):\n    for each vertex v in G:\n        dist[v] = infinity\n'],
    ['pseudo-code with signs', 'def f(x):\n    if x ≤ 1:\n        y ← x\n'],
    ['an equation', "G' = (V', E')\nV' = {A, B}\n"],
    ['a recurrence', 'dp[i][j] = min(dp[i][k] + w(k, v), dp[k][j])\n'],
    ['a session', '>>> import os\n>>> print(os.name)\nposix\n'],
    ['a session of a shell', '$ npm install\nadded 3 packages\n'],
    ['commands with their output', 'npm install\nadded 3 packages in 2s\n'],
    ['a command with a remark', 'pip install torch (needs a GPU)\n'],
    ['something to be filled in', 'git clone <repo-url>\n'],
    ['code that is left out', 'import os\n\ndef f(x):\n    ...\n'],
    ['a part of a file', 'class A:\n\n    def... (truncated)\n'],
    ['C', '#include <stdio.h>\nint main() {\n  printf("x");\n}\n'],
    ['C without a header', 'b = *d + *e;\n*d = *e;\n'],
    ['Swift', 'import Foundation\nlet x = 5\nfor i in 0..<x {\n  print(i)\n}\n'],
    ['Kotlin', 'import java.util.Date\nfun main() {\n  val d = Date()\n  println(d)\n}\n'],
    ['Dart', "import 'dart:io';\nvoid main() {\n  var x = [1].map((a) => a);\n}\n"],
    ['Lua', 'local x = 1\nfunction f(a)\n  print(a)\nend\n'],
    ['settings', 'dxvk.maxFrameRate = 60\nd3d9.x = True\n'],
    ['a server block', 'server {\n    listen 80;\n    location / {\n    }\n}\n'],
    ['SPARQL', 'SELECT ?x\nWHERE { ?x a ?y }\nORDER BY ?x\n'],
    ['a diff', '- import os\n+ import sys\n  def f():\n'],
    ['a line of cron', '0 0 * * * cd /app && php artisan schedule:run\n'],
  ])('%s', (_what, source) => {
    expect(certainLanguage(source)).toBeUndefined()
    expect(certainLanguage(source.replaceAll('\n', '\r'))).toBeUndefined()
  })
})

test.each([
  ['CREATE TABLE `a` (id int)', true],
  ['SELECT TOP 5 * FROM a', true],
  ["INSERT OR REPLACE INTO a VALUES ('x')", true],
  ['SELECT * FROM a LIMIT 5, 10', true],
  ["SELECT '`' FROM a -- AUTO_INCREMENT", false],
  ["CREATE TYPE mood AS ENUM ('sad'", false],
  ['SELECT a[1], ARRAY[x] FROM t WHERE (', false],
])('%s: in another dialect: %s', (source, expected) => {
  expect(isOtherDialect(source)).toBe(expected)
})

test('a first line that excludes code excludes the block, in pieces too', () => {
  const pieces = fc.constantFrom(
    'import os\n',
    'npm install\n',
    'def f(x):\n',
    'The end.\n',
    '{"a":',
    ' 1}',
    '\r\n',
    '# no\n',
    '$ ls\n',
    '├──\n',
    'y'.repeat(150),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      const start = new CodeStart(mayBeCertain)
      for (const part of parts) start.push(part)
      start.push('\n')
      if (start.verdict === 'prose') expect(certainLanguage(parts.join(''))).toBeUndefined()
    }),
  )
})

test('takes linear time', async () => {
  const hostile = ['"\\', "'\\", '/*', '“', '`\\', '{"a":', '[', 'SELECT ', 'import a', '<a-', '...', ' ', '\n', '(', '@@']
  const timeOf = (text: string) => processorMs(() => [certainLanguage(text), isOtherDialect(text)])
  for (const piece of hostile)
    for (const line of [piece, `${piece}\n`]) expect(await timeOf(`def f():\n${line.repeat(40_000 / line.length)}`)).toBeLessThan(1500)
})

import { check, contract } from '@stickler/core'
import { afterAll, describe, expect, test } from 'vitest'
import { localParser } from '../local/local-parser.ts'

const parser = localParser()

afterAll(() => parser.close())

async function judge(options: Readonly<Record<string, unknown>>, text: string) {
  const { status, issues } = await check(contract({ checks: [{ code_syntax: options }] }), text, { ports: { parser } })
  return [status, ...issues.map(({ message }) => message)]
}

const block = (tag: string, code: string): string => `\`\`\`${tag}\n${code}\n\`\`\`\n`

describe('blocks without a tag', () => {
  test.each<[code: string, judged: string[]]>([
    [
      'import os\n\ndef f(x):\n    return os.path.join(x',
      ['unresolved', 'Correct line 4 of code block 1 (python): close this "(" with ")": it is never closed.'],
    ],
    ['{\n  "a": 1\n  "b": 2\n}', ['unresolved', 'Correct line 3 of code block 1 (json): write "," before this.']],
    [
      'const a = f(1\nconsole.log(a)',
      [
        'unresolved',
        'Correct line 2 of code block 1 (javascript): write "," or ")" before "console": the "(" opened on line 1 is still open.',
      ],
    ],
    ['npm install "left-pad', ['unresolved', 'Correct line 1 of code block 1 (bash): close the double quote that opens here.']],
    ['const a: string = "x"\nconsole.log(a)', ['valid']],
    ['for each v in G:\n  relax(v', ['valid']],
    ['Traceback (most recent call last):\n  File "a.py", line 1', ['valid']],
  ])('%j', async (code, judged) => {
    expect(await judge({}, block('', code))).toEqual(judged)
  })
})

test.each([
  ['csharp', 'dotnet add package Serilog', 'shell commands: change the tag to bash.'],
  ['python', 'pip install gensim', 'shell commands: change the tag to bash.'],
  ['javascript', 'interface A { b: string }', 'TypeScript: change the tag to typescript.'],
  ['bash', 'import os\ndef f(x):\n    print(x)', 'Python: change the tag to python.'],
  ['python', '{"a": true,\n "b": null}\n[1', undefined],
  ['json', 'SELECT a\nFROM b;', 'SQL: change the tag to sql.'],
  ['json', '<!DOCTYPE html>\n<html><body><p>x</body></html>', 'HTML: change the tag to html.'],
  ['python', '<!-- A page. -->\n<html lang="en">\n</html>', 'HTML: change the tag to html.'],
  ['json', '<?xml version="1.0"?>\n<a><b/></a>', 'XML: change the tag to xml.'],
  ['json', '<?xml version="1.0"?>\n<a><b></a>', undefined],
  ['json', '<htmlx></htmlx>', undefined],
  ['sql', '{\n"a": [1]}', 'JSON: change the tag to json.'],
  ['json', 'name: CI\non:\n  - push\njobs:\n  test:\n    run: |\n      npm ci, then;\n', 'YAML: change the tag to yaml.'],
  ['json', '# Ports.\nservices:\n- name: web # one\n  ports: [80]\n', 'YAML: change the tag to yaml.'],
  ['toml', 'a:\r\n  b: 1\r\n', 'YAML: change the tag to yaml.'],
  ['json', '.a > b {\n  color: red;\n}\n\n@media (max-width: 600px) {\n  body { margin: 0 }\n}', 'CSS: change the tag to css.'],
  ['javascript', '/* A note. */\na:hover { --x: "}"; color: var(--x) }', 'CSS: change the tag to css.'],
  ['css', '<div class="a">\n  <p>x</p>\n</div>', 'HTML: change the tag to html.'],
  ['json', '<ul><li>x</li></ul>', 'HTML: change the tag to html.'],
  // Not certain: a list of facts, an outline in prose, a broken object, and what only resembles a style sheet.
  ['json', 'name: Ann\nage: 3', undefined],
  ['json', 'First steps:\n  - mix: it\n  - bake: it', undefined],
  ['json', 'a:\n  b: 1,\n  c: 2', undefined],
  ['json', '"a":\n  "b": 1\n"c": 2', undefined],
  ['json', '{\n  color: red;\n}', undefined],
  ['java', 'interface A { color: string; }', undefined],
  ['python', 'server { width: 1; }', undefined],
  ['python', 'try:\n  x: int\nelse', undefined],
  ['javascript', '<div>\n  {a b}\n</div>', undefined],
  ['css', '<div>x', undefined],
  // Broken in both.
  ['json', 'a:\n  b: [1\nc: 2', undefined],
])('a block that is tagged %s and holds %j', async (tag, code, expected) => {
  const [, message] = await judge({}, block(tag, code))
  if (expected === undefined) expect(message).toMatch(/^Correct line /)
  else expect(message).toBe(`Code block 1 is tagged ${tag} but holds ${expected}`)
})

/** Code that does not parse, and what lets it pass. */
const allowed: readonly (readonly [tag: string, code: string, option: 'placeholders' | 'fragments'])[] = [
  ['bash', 'git clone <repo-url>\ncd <repo name>', 'placeholders'],
  ['python', 'client = Client(<your-api-key>)', 'placeholders'],
  ['json', '{"url": <repo-url>, "a": {{name}}}', 'placeholders'],
  ['json', '{"name": "<your-name>", "age": <age>}', 'placeholders'],
  ['json', '{"id": {{id}}, "name": "{{name}}"}', 'placeholders'],
  ['json', '{"url":"https://<host>/x","a\\"<b>":"\\\\","id":{{id}}}', 'placeholders'],
  ['toml', 'port = <port>\nhost = "<host>"\n[a]\nb = [<c>, {{d}}] # <e> "', 'placeholders'],
  ['sql', 'SELECT <column> FROM <table>', 'placeholders'],
  ['javascript', 'const key = <YOUR_KEY>;', 'placeholders'],
  ['json', '"scripts": {\n  "build": "tsc"\n},', 'fragments'],
  ['json', '{"a": 1},\n{"a": 2}', 'fragments'],
  ['json', '{\n  "a": [1, 2, ...],\n  ...\n  "b": ...\n}', 'fragments'],
  ['javascript', '{\n  "_id": ObjectId("6"),\n  "a": 1\n}', 'fragments'],
  ['javascript', 'return <A />', 'fragments'],
  ['javascript', '<A />\n<B>text</B>', 'fragments'],
  ['javascript', 'methods: {\n  a() {},\n  ...\n}', 'fragments'],
  ['typescript', '@Module({\n  imports: [A],\n  ...\n})\nexport class B {}', 'fragments'],
  ['typescript', 'private a(b: string): void {}', 'fragments'],
  ['python', '    return x\n', 'fragments'],
  ['python', 'elif x:\n    pass', 'fragments'],
  ['python', "'a': 1,\n'b': 2,", 'fragments'],
  ['python', 'def f(x):\n    ... (as before)\n    return x', 'fragments'],
  ['yaml', 'a:\n  - b\n  ...\n', 'fragments'],
  ['rust', 'let x = 1;\nx + 1', 'fragments'],
  ['java', 'int x = 1;\nreturn x;', 'fragments'],
  ['sql', 'WHERE a = 1', 'fragments'],
]

describe.each(['placeholders', 'fragments'] as const)('%s', (option) => {
  test.each(allowed.filter(([, , allows]) => allows === option))(`%s %j`, async (tag, code) => {
    const other = option === 'fragments' ? 'placeholders' : 'fragments'
    expect(await judge({ [option]: 'allow' }, block(tag, code))).toEqual(['valid'])
    expect((await judge({}, block(tag, code)))[0]).toBe(tag === 'java' ? 'valid' : 'unresolved')
    if (tag !== 'java') expect((await judge({ [other]: 'allow' }, block(tag, code)))[0]).toBe('unresolved')
  })
})

test.each([
  ['bash', 'git clone <repo-url> "x', 'Correct line 1 of code block 1 (bash): close the double quote that opens here.'],
  ['json', '"a": {"b": <c-d>', 'Correct line 1 of code block 1 (json): '],
  ['json', '{"a": "<b>", "c": <d> <e>}', 'Correct line 1 of code block 1 (json): write "," before this.'],
  ['json', '{"a": <b-c> 1, d}', 'Correct line 1 of code block 1 (json): write "," before this.'],
  ['toml', 'a = <b>\nc = d', 'Correct line 2 of code block 1 (toml): write the value "d" as a string in quotes'],
  ['toml', '<key> = <value> x', 'Correct line 1 of code block 1 (toml): '],
  ['python', 'def f(x):\n    ...\n    return (x', 'Correct line 3 of code block 1 (python): '],
  ['javascript', 'f(a, ...) {', 'Correct line 1 of code block 1 (javascript): '],
])('with everything allowed, %s that is wrong nevertheless: %j', async (tag, code, expected) => {
  const [status, message] = await judge({ placeholders: 'allow', fragments: 'allow' }, block(tag, code))
  expect(status).toBe('unresolved')
  expect(message?.slice(0, expected.length)).toBe(expected)
  // What stands in for a placeholder is in no message.
  expect(message).not.toContain('xx')
})

test.each([
  [
    'JSX in a block of JavaScript',
    'javascript',
    'export const A = () => (\n  <ul>{items.map((item) => <li key={item.id}>{item.name}</li>)}</ul>\n)',
  ],
  ['nested quotes in an f-string', 'python', 'print(f"{d["a"]}: {", ".join(f"{x!r:>{w["x"]}}" for x in y)}")'],
  ['lines and comments in an f-string', 'python', "f\"{\n    x  # why\n}\"\nf'{'\\n'.join(a)}'"],
  ['a type alias and type parameters', 'python', 'type A[T] = list[T]\ndef f[T](x: T) -> T: return x'],
])('%s is right', async (_what, tag, code) => {
  expect(await judge({}, block(tag, code))).toEqual(['valid'])
})

test.each(['', ' \r\n\t'])('nothing (%j) is no JSON, and right in other languages', async (source) => {
  expect(await parser.parse('json', source)).toMatchObject({ verdict: 'invalid', trace: [{ message: 'Write a JSON value.' }] })
  for (const language of ['python', 'yaml', 'sql', 'jsonc']) expect(await parser.parse(language, source)).toEqual({ verdict: 'valid' })
  const [status, message] = await judge({ language: 'json', whole: true }, source)
  expect(status).toBe('unresolved')
  expect(message).toMatch(/^Correct line [12] of the json code: write a JSON value\.$/)
})

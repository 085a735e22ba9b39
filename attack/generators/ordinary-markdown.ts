import fc from 'fast-check'

const fence = '```'
const word = fc.constantFrom('the', 'value', 'of', 'interval', 'name', 'list', 'JSON', 'object', 'Größe', '値', 'true', 'null')
const words = fc.array(word, { minLength: 2, maxLength: 6 }).map((some) => some.join(' '))
const name = fc.constantFrom(
  'Your Name',
  'Company',
  'Insert date here',
  'Verse 1',
  'Chorus',
  'x',
  'TODO',
  'Email Address',
  'Guitar solo, fading',
)
const digit = fc.integer({ min: 0, max: 99 })

/** What is in brackets within a sentence and is not JSON: marks, placeholders, references, links, indexes, intervals, sets, templates, CSS. */
const marks = fc.oneof(
  name.map((one) => `[${one}]`),
  name.map((one) => `{${one}}`),
  name.map((one) => `{{${one}}}`),
  digit.map((one) => `[${one}]`),
  digit.map((one) => `[^${one}]`),
  fc.tuple(digit, digit).map(([one, two]) => `[${one}, ${two}]`),
  fc.tuple(digit, digit).map(([one, two]) => `[${one}, ${two})`),
  fc.tuple(digit, digit).map(([one, two]) => `(${one}, ${two}]`),
  digit.map((one) => `dp[${one}]`),
  digit.map((one) => `x[${one}][${one}] = [${one}]`),
  fc.constantFrom(
    'plan["city"]',
    "plan['city']",
    '$["city"]',
    'items[]',
    '[]',
    '{}',
    '[ ]',
    '[[wiki]]',
    '["x" y](z)',
    '[here](https://x.test/?a[]=1)',
  ),
  fc.constantFrom(
    '`{"a": 1}`',
    '`["a"]`',
    '$\\{1, 2\\}$',
    '\\[ x^2 \\]',
    '{1, 2, 3}',
    '{name: string}',
    '$' + '{name}',
    '{% if x %}',
    ':[',
    '}',
    ']',
    '{',
  ),
  fc.constantFrom('.chat { height: 400px; }', 'a:hover { color: red }', 'f({"a": 1})', 'f(["a"])', '(x) => { return [x] }'),
)

const sentence = fc.tuple(words, marks, words).map(([one, mark, two]) => `${one} ${mark} ${two}.`)

const code = fc.constantFrom(
  `${fence}python\nrows = [1, 2, 3]\nprint({"a": rows})\n${fence}`,
  `${fence}python\n["a", "b"]\n${fence}`,
  `${fence}js\n{"a": 1}\n${fence}`,
  `${fence}ts\nconst x = {\n  "a": 1\n}\n${fence}`,
  `${fence}css\n.chat { height: 400px; }\n${fence}`,
  `${fence}yaml\n{"a": 1}\n${fence}`,
  `${fence}jsonl\n{"a": 1}\n{"a": 2}\n${fence}`,
  `${fence}text\n{"a": 1}\n${fence}`,
  `~~~sh\n[ -f x ] && echo '{"a": 1}'\n~~~`,
  `${fence}\n[ -f x ] && echo y\n${fence}`,
  `${fence}\nINFO [main] {x}\n${fence}`,
  `${fence}\n[Verse 1]\nla la la\n${fence}`,
  `- in a list\n  ${fence}python\n  {"a": 1}\n  ${fence}`,
)

const block = fc.oneof(
  sentence,
  sentence,
  // A bracket alone would open or close what is around it.
  marks.filter((mark) => !/^:?[[\]{}]$/.test(mark)),
  code,
  fc
    .array(
      fc.tuple(fc.constantFrom('- [ ] ', '- [x] ', '* [X] ', '1. [ ] ', '[ ] '), words).map(([box, text]) => `${box}${text}`),
      { minLength: 1, maxLength: 4 },
    )
    .map((lines) => lines.join('\n')),
  fc.tuple(name, words).map(([mark, text]) => `[${mark}]\n${text}`),
  fc.tuple(digit, words).map(([number, text]) => `[^${number}]: ${text}`),
  fc.tuple(digit, words).map(([number, text]) => `[${number}] ${text}`),
  fc.constantFrom(
    '.chat\n{\n  height: 400px;\n}',
    '.chat {\n  height: 400px;\n}',
    'x = [\n  1,\n  2\n]',
    '| a | b |\n|---|---|\n| [1] | {x} |',
  ),
  sentence.map((text) => `> ${text}`),
  sentence.map((text) => `## ${text}`),
)

/** Ordinary Markdown that begins with a word and holds brackets of every kind, but no JSON. */
export const ordinaryBlocks = fc.tuple(words, fc.array(block, { maxLength: 6 })).map(([lead, blocks]) => [`${lead}.`, ...blocks])

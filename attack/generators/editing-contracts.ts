import { Answer, type ContractOptions, check, errorsOf, settle } from '@stickler/core'
import { assertStreamable } from '@stickler/core/testing'
import fc from 'fast-check'
import { contract } from '../../packages/presets/src/testing/contract.ts'

/** Checks that change the text, on the way or at its end, and checks that only hold or reject it, each with options that texts of `editableTexts` meet. */
const checks: Readonly<Record<string, readonly object[]>> = {
  leaks: [{}, { code: true }],
  links: [{ hosts: ['good.com'] }, { denied: ['bad.com'] }],
  contains: [
    { none: [{ text: 'the', replace: 'a' }] },
    { none: [{ text: 'good', replace: '' }, 'forbidden'], wholeWords: true },
    { none: [{ text: '[', replace: '(' }] },
    { none: ['the', '[EMAIL]'] },
  ],
  pattern: [{ deny: [{ regex: '\\d+', replace: 'N' }] }, { deny: [{ regex: '[A-Z]{3,}', replace: 'x' }, { regex: 'https' }] }],
  placeholders: [{}, { code: true }],
  boilerplate: [{ remove: true }, {}],
  repetition: [{}],
  casing: [{ is: 'lower' }, { is: 'upper' }],
  sensitive: [{ redact: true }, { redact: true, placeholders: 'reject' }, {}],
  citations: [{ sources: 2 }, { sources: 1, styles: ['caret', 'bracket'], dropUnsupported: true }, { sources: 1, requireCitations: true }],
  complete: [{}],
  markdown: [{ html: 'none' }, { html: 'inert', headings: { levels: [2, 3] } }, { bullets: { max: 2 } }],
  language: [{ is: ['en'] }],
  affixes: [{ starts: 'The' }, { ends: 'end.' }, { wrappedIn: '"' }],
  step_marker: [{}, { requireAtEnd: false }],
  length: [{ words: { max: 12 } }, { characters: { max: 60 } }],
  one_of: [{ values: ['the', 'good'] }],
  json: [{}],
}

const pieces = [
  ...['the ', 'The', 'a', 'good', ' forbidden ', 'TODO', 'NASA ', 'Text. ', 'Text', ' end.', 'is in', '. ', ', ', ': ', '!', '"', '\\'],
  ...[
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '    ',
    '- ',
    '# ',
    '## Head\n',
    '> ',
    '1. ',
    '`',
    '```',
    '```\n',
    '```js\n',
    '~~~\n',
    '|',
    '\n|-|\n',
  ],
  ...['[INST]', '[/INST]', '<|im_end|>', '<|im_start|>user\n', '<end_of_turn>', '\nUser: ', 'Assistant: ', '<s>', '</s>'],
  ...[
    'https://',
    's://',
    'good.com',
    'bad.com',
    'http://bad.com/the',
    '[x](',
    '](',
    ')',
    '[',
    ']',
    '(',
    '<',
    '>',
    '![',
    '[a]: ',
    '<a href="',
  ],
  ...['{TBD }', '{topic}', '[Your Name]', '<insert date>', '[EMAIL]', 'lorem ipsum ', '{', '}', '{"a": 1}', '[1, 2'],
  ...['Sure, here is the text:\n\n', 'Sure! ', 'Let me know if you need the rest.', 'As an AI, ', "I'm sorry, but I can't help with that."],
  ...[
    'jane@acme.org',
    'jane@',
    'acme.org',
    '+1 (123) 456-7890',
    '4111 1111 1111 1111',
    '12',
    '2017',
    '192.168.0.1',
    'DE89370400440532013000',
  ],
  ...['[^1]', '[^9]', '[^1^]', '[9]', '[^', '<!-- STEP: done -->', '<!-- STEP: nope -->', '<!--', '-->'],
  ...['<script>', '<b>', '</b>', '<img src=x onerror=a>', '<think>', '</think>', '<div>\n', '👍', '\ud83d', '\u200b', '\ufeff', 'ß', 'é'],
  ...['The same line again.\nThe same line again.\nThe same line again.\n', 'Das ist ein deutscher Satz, der nicht passt. '],
]

/** Texts that several of the checks find something in, at the same place or right beside it. */
export const editableTexts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  .map((list) => list.join(''))

const checkOf = (name: string): fc.Arbitrary<object> =>
  fc.constantFrom(...(checks[name] as readonly object[])).map((options) => ({ [name]: options }))

/** Two or three of the checks in any order, and what may be changed. */
export const editingContracts: fc.Arbitrary<ContractOptions> = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(checks), { minLength: 2, maxLength: 3 }).chain((names) => fc.tuple(...names.map(checkOf))),
    fc.constantFrom<Omit<ContractOptions, 'checks'>>(
      { allow: ['lossless', 'lossy'] },
      { allow: ['lossless', 'lossy', 'guess'] },
      { allow: ['lossless', 'lossy'], repair: 'last' },
      { allow: ['lossless'] },
      { allow: ['lossless', 'lossy'], mode: 'lenient' },
    ),
  )
  .map(([list, policy]) => ({ ...policy, checks: list as ContractOptions['checks'] }) as ContractOptions)

/** Throws unless a contract judges a text in streams as it does whole, what it repairs is valid, and nothing quotes what is sensitive. */
export async function expectAgreement(options: ContractOptions, text: string): Promise<void> {
  if (text.trim() === '') return
  const rules = contract(options)
  await assertStreamable(rules, text, [1, [3, 1, 7]])
  const settled = await settle(rules, text)
  if (settled.status === 'repaired') {
    const again = await check(rules, new Answer(settled.text, { toolCalls: settled.toolCalls }))
    if (errorsOf(again).length > 0) throw new Error(`what was repaired is not valid: ${JSON.stringify([settled.text, again.issues])}`)
  }
  const told = JSON.stringify([settled.issues, settled.fixed, settled.repairs])
  for (const { code, span } of settled.found.issues) {
    const found = code === 'SENSITIVE' && span ? text.slice(span.start, span.end) : ''
    if (found.length > 4 && told.includes(JSON.stringify(found).slice(1, -1))) throw new Error(`${found} is shown: ${told}`)
  }
}

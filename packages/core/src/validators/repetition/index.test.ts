import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { repetition } from './index.ts'

const rules = contract({ checks: [repetition({})], retries: 0 })
const found = async (text: string) => (await check(rules, text)).issues[0]

const paragraphs = Array.from(
  { length: 6 },
  (_, at) =>
    `Paragraph ${'abcdef'[at]} speaks of ${['rain', 'wind', 'snow', 'hail', 'fog', 'ice'][at]} and of what it does to the roads of the valley.\n\n`,
).join('')
const counted = (line: (turn: number) => string, turns = 60) => Array.from({ length: turns }, (_, at) => line(at + 1)).join('\n')
const verse = ['The night is long', 'the road is wide', 'I walk alone', 'with you beside']
const chorus = 'Oh river, carry me home tonight\nOh river, carry me home\nOver the hills and into the light\nOh river, carry me home\n'

/** Loops, and how much is read until they are certain. */
const loops: Readonly<Record<string, readonly [text: string, most: number]>> = {
  'one letter': ['a'.repeat(5000), 600],
  'one word': ['Well: '.concat('very '.repeat(1000)), 600],
  'letters without spaces': ['abcdefghi'.repeat(500), 600],
  'an emoji': ['😀'.repeat(2000), 600],
  'a sentence': ['I am sorry, but I cannot do that. '.repeat(100), 650],
  'a sentence in Chinese': ['对不起，我不能回答这个问题。'.repeat(100), 650],
  'a sentence in Thai': ['ขอโทษฉันตอบคำถามนี้ไม่ได้'.repeat(100), 650],
  'a sentence in Korean': ['죄송하지만 그 질문에는 답할 수 없습니다. '.repeat(100), 650],
  'names in a list': ['By A. Smith, '.concat('G. Miller, '.repeat(300)), 700],
  'a counter': [counted((turn) => `Step ${turn}: Open the settings and look for the right entry.`), 700],
  'several paragraphs': [paragraphs.repeat(5), paragraphs.length * 3],
  'lines that end in CRLF': ['Open the file and save it again.\r\n'.repeat(100), 650],
  'case and white space that change': [counted((turn) => `${turn % 2 ? 'Open' : 'OPEN  '} the  file and save it again.`), 700],
  'Markdown around it': ['- **Note:** the value must not be empty here.\n'.repeat(100), 750],
  'line breaks': ['{"a": 1,'.concat('\n'.repeat(5000)), 1010],
  'spaces and line breaks': ['{"a": 1,'.concat(' \n  '.repeat(2000)), 1010],
  'the columns of a table': ['| a |\n|'.concat(' --- |'.repeat(2000)), 4100],
  'tags in code': ['```html\n'.concat('</div>\n'.repeat(2000)), 4100],
  'zeros in code': ['```js\nconst a = ['.concat('0, '.repeat(3000)), 4100],
  reasoning: ['<think>'.concat('Wait, let me think about that again. '.repeat(100), '</think>Yes.'), 700],
  'an answer before it': [`${paragraphs}${'The end is near, my friend. '.repeat(60)}`, paragraphs.length + 650],
}

const right: Readonly<Record<string, string>> = {
  'a song': `${verse.join('\n')}\n\n${chorus}\n${verse.toReversed().join('\n')}\n\n${chorus}\n${chorus}\nNa na na na na na na, hey river\nNa na na na na na na, hey river\n`,
  'a poem with a refrain': counted((turn) => `Verse ${'abcdefghij'[turn % 10]} of ${turn} winters gone\nand the sea goes on and on.\n`, 12),
  rules: counted((turn) => `Part ${turn} is about ${'abcdefghijklmnop'[turn % 16]}${turn * 7}.\n\n---\n`, 40),
  'a table': `| name | value |\n| --- | --- |\n${counted((turn) => `| row ${turn} | yes |`)}`,
  'a wide table': `|${' name |'.repeat(30)}\n|${' --- |'.repeat(30)}\n${`|${' x |'.repeat(30)}\n`.repeat(10)}`,
  'a multiplication table': counted((turn) => `7 x ${turn} = ${7 * turn}`),
  'numbers to five hundred': Array.from({ length: 500 }, (_, at) => at + 1).join(', '),
  'a calculation': counted((turn) => `At the end of year ${turn} the balance of the account is $${1000 + turn * 53}.17.`, 20),
  'a board in code': `\`\`\`html\n${'    <div class="cell"></div>\n'.repeat(100)}\`\`\``,
  'a board without a fence': `<div class="board">\n${'    <div class="cell"></div>\n'.repeat(100)}</div>`,
  'a map of zeros': `\`\`\`js\nconst map = [\n${`  [${'0, '.repeat(20)}0],\n`.repeat(20)}]\n\`\`\``,
  braces: `\`\`\`c\n${'if (a) {\n'.repeat(20)}${'}\n'.repeat(20)}\`\`\``,
  'rows of data': counted((turn) => `{"id": ${turn}, "name": "user", "age": ${20 + turn}},`),
  'a drawing': `\`\`\`\n${`+${'-'.repeat(78)}+\n`}${`|${' '.repeat(78)}|\n`.repeat(20)}+${'-'.repeat(78)}+\n\`\`\``,
  'a list with the same ending': counted((turn) => `- ${'abcdefghijklmnopqrst'[turn % 20]}${turn}x: see the manual of your device.`, 20),
  scenarios: counted(
    (turn) =>
      `Scenario: case ${turn} ${'xyzuvw'[turn % 6]}\n  Given the user is on the login page\n  When "${turn * 3}" is typed as ${'abcdefgh'[turn % 8]}\n  Then an error is shown\n`,
    12,
  ),
  'a wide heading': `${'='.repeat(200)}\nTitle\n${'='.repeat(200)}`,
}

describe('repetition', () => {
  test.each(Object.entries(loops))('a loop: %s', async (_name, [text, most]) => {
    const issue = await found(text)
    expect(issue?.code).toBe('LOOP')
    expect(issue?.span?.end).toBeLessThanOrEqual(most)
    await assertStreamable(rules, text.slice(0, 9000), [1, 7, [3, 100, 2]])
  })

  test.each(Object.entries(right))('right: %s', async (_name, text) => {
    expect(await found(text)).toBeUndefined()
    await assertStreamable(rules, text, [1, 7])
  })

  test('sentences that come again between a few new words', async () => {
    const tail =
      'The centre of the picture shall be a large emblem in front of an old wall. It shall reflect what the music of the city is today.'
    const text = counted((turn) => `Draw a ${'abcdefghij'[turn % 10]}${turn} picture of the street. ${tail}`, 12)
    expect(await found(text)).toMatchObject({
      code: 'REPEATED_SENTENCES',
      message: expect.stringMatching(/^Write each sentence once; those .*The centre|^Write each sentence once; those .*It shall/),
    })
    await assertStreamable(rules, text, [1, 7])
    expect((await check(contract({ checks: [repetition({ times: 13 })] }), text)).issues).toEqual([])
  })

  test('the message has a turn from its start, and the line', async () => {
    expect(await found(`Hello.\n\n${'I cannot do that, Dave. '.repeat(60)}`)).toMatchObject({
      message: 'Write each passage once; "I cannot do that, Dave." is repeated in a row from line 3 on.',
      hint: 'Go on with something new, or end the answer',
    })
    expect(await found(`Hello.\n\n${'I cannot **do** that, my_Dave. '.repeat(200)}`)).toMatchObject({
      message: 'Write each passage once; "I cannot **do** that, my_Dave." is repeated in a row from line 3 on.',
    })
  })

  test('fewer times or characters are found where the options say so', async () => {
    const text = 'Say it twice, then stop here. '.repeat(4)
    const strict = contract({ checks: [repetition({ times: 2, characters: 60 })] })
    expect((await check(strict, text)).issues).toMatchObject([{ code: 'LOOP' }])
    expect(await found(text)).toBeUndefined()
  })

  test('a stream is stopped soon, and most of the loop is never shown', async () => {
    const runner = scripted([{ text: 'Here is why.\n\n'.concat('I am sorry, but I cannot do that. '.repeat(5000)), chunkSize: 5 }])
    const answer = enforceStream({ contract: rules, runner, prompt: '' })
    let shown = ''
    for await (const piece of answer) shown += piece
    expect((await answer.outcome).issues).toMatchObject([{ code: 'LOOP' }])
    expect(runner.calls[0]?.aborted).toBe(true)
    expect(shown.length).toBeLessThan(180)
  })

  test.each([1, 2, 3, 5, 7, 11])('a stream is not stopped inside of a word, in pieces of %i', async (chunkSize) => {
    const text = counted(
      (turn) => `Bild ${turn}. Das Bild zeigt die große alte Stadt am Fluss im letzten Licht des Tages.\nUnd ${turn}`,
      60,
    )
    const answer = enforceStream({ contract: rules, runner: scripted([{ text, chunkSize }]), prompt: '' })
    let shown = ''
    for await (const piece of answer) shown += piece
    expect((await answer.outcome).status).toBe('unresolved')
    expect(shown.length).toBeGreaterThan(100)
    expect(text.slice(shown.length - 1, shown.length + 1)).not.toMatch(/\p{L}{2}/u)
  })

  test.each([{ times: 1 }, { times: 2.5 }, { characters: 49 }, { character: 100 }, { times: '3' }])(
    '%j is a configuration error',
    (options) => {
      expect(() => contract({ checks: [{ repetition: options as never }] })).toThrow(/repetition/)
    },
  )

  test('both languages', async () => {
    const sentences = counted(
      (turn) => `Bild ${turn}. Das Bild zeigt die große alte Stadt am Fluss im letzten Licht des Tages.\nUnd ${turn}`,
      20,
    )
    const faults = await localeFaults('repetition', [
      { text: 'noch einmal '.repeat(100) },
      { text: sentences },
      { text: `a${'\n'.repeat(2000)}` },
    ])
    expect(faults).toEqual([])
  })

  test('random repetitions are the same in streams', async () => {
    const piece = fc.constantFrom(
      'a b c d ',
      'Open the file and save it again. ',
      '\n',
      '```\n',
      '| a | b |\n',
      '对不起。',
      '12 ',
      '}\n',
      ' '.repeat(300),
      'x'.repeat(40),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 40 })), { maxLength: 5 }), async (pieces) => {
        await assertStreamable(rules, pieces.map(([text, times]) => text.repeat(times)).join(''), [1, 13])
      }),
      { numRuns: 60 },
    )
  })
})

const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')

test.skipIf(!existsSync(file))(`streams of recorded answers equal the whole (STICKLER_CORPUS, or ${'../shared/corpus'})`, async () => {
  const texts = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  for (const [at, text] of texts.entries()) await assertStreamable(rules, text, [[1 + (at % 7), 30]])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { complete } from './index.ts'

const rules = contract({ checks: ['complete'] })
const prose = 'The first thing to do is to sort the whole list. The second one is to print it.'

describe('complete', () => {
  test.each([
    `${prose} After that we will look at the`,
    `${prose} After that we will look at other things that mat`,
    `${prose} These are the steps, which are numbered,`,
    `${prose}\n\nIf you want to know more about how this list is sorted`,
    'It depends on several things:',
    'The options are (see the list of the documentation',
    'This is **very import',
    '1. Sort the whole list first.\n2. Print the list to the screen.\n3. Then you can close the file that you',
    '- Sort the list.\n-',
    'It was large.\n14. The',
    '| a | b |\n| - | - |\n| 1 | 2',
    '```js\nconst a = 1',
    'Do this:\n\n- first\n\n  ```sh\n  npm',
    'See <https://www.acme.com/pa',
    `${prose} It goes on... (truncated)`,
    'Die Liste wird sortiert und der',
    'Der Begriff „Hund im Wandel der Zeit',
    '第一步是对整个列表进行排序。第二步是把它打印出来，然后我们会看到其他重要的事情以及它们之间的关系，',
  ])('%j breaks off', async (text) => {
    const { issues } = await check(rules, text)
    expect(issues.map(({ code }) => code)).toEqual(['INCOMPLETE'])
    // What is missing is never made up.
    expect((await settle(contract({ checks: ['complete'], allow: ['lossless', 'lossy', 'guess'] }), text)).text).toBe(text)
    await assertStreamable(rules, text, [1, 7])
  })

  test.each([
    '',
    '42',
    'Yes',
    'Der Begriff „Hund“ im Wandel der Zeit',
    'Der Begriff „Hund" im Wandel der Zeit',
    'The term “dog” and how it changed over time',
    // Titles, taglines, subjects of commits: nothing says that they are sentences.
    'A soft, warm scarf made of merino wool for cold days',
    'How to bake bread at home without a bread maker',
    '# Scarf\n\nA soft, warm scarf made of merino wool for cold days',
    'Sentiment: positive\nReason: the customer praises the fast delivery and the friendly staff',
    'Done!\n\nHow to bake bread at home without a bread maker',
    '在家里不用面包机也能轻松烤出好吃的面包的方法',
    'Paris',
    prose,
    `${prose}\n`,
    'He said: "It is done."',
    '**It is done.**',
    'It is done (see above).',
    'It is done! 🎉',
    `${prose}\n\nSee https://acme.com/docs/list`,
    `${prose}\n\nSee [the guide](https://acme.com)`,
    '# Title\n\nText.\n\n## Next',
    'Title\n=====',
    '| a | b |\n| - | - |\n| 1 | 2 |',
    'Use this:\n\n```js\na()\n```',
    '~~~\na\n~~~\n\n',
    'import os\n\nfor x in range(3):\n    print(x)',
    '{"a": [1, 2]}',
    '<ul>\n<li>One</li>\n</ul>',
    'Dear Ann,\n\nit has shipped.\n\nBest regards,\nBob Miller',
    'Dear Ann,\n\nit has shipped.\n\nBest regards,',
    '- apples\n- oranges and lemons from the south of Spain and Italy\n- pears and all other kinds of fruit that we have',
    '1. Sort it.\n2. Print it.\n3. All of the above',
    'Roses are red and violets are blue in the garden of spring\nSugar is sweet and so are the flowers that I bring',
    '這是完成的句子。',
    'これで終わりです！',
    'यह पूरा हुआ।',
    'It opens at 9 a.m.',
    'Use tools such as hammers, saws, etc.',
    'The value is 5 %',
    '$$x = 1$$',
    'y(x) = 3/5 + 7x',
    'Wait…',
    '**Total days:** 15',
    'Tags: #one #two #three #four #five #six #seven #eight',
    'Contact: ann@acme.com',
    '---\na: 1\n---',
    '<think>and then the</think>Done.',
  ])('%j may be complete', async (text) => {
    expect((await check(rules, text)).issues.filter(({ validator }) => validator === 'complete')).toEqual([])
  })

  test('says where it breaks off', async () => {
    const { issues } = await check(rules, 'We look at the list and the')
    expect(issues).toMatchObject([
      { message: 'Finish the answer; it ends inside a sentence, after "We look at the list and the".', span: { start: 0, end: 27 } },
    ])
  })

  test('a mark of a list is shown with one full stop', async () => {
    const { issues } = await check(rules, '1. Sort it.\n2. Print it.\n3.')
    expect(issues[0]?.message).toBe('Finish the answer; it ends inside an item of a list or a table, after "3.".')
  })

  test('shows whole words of a long line', async () => {
    const { issues } = await check(rules, `${prose} We look at the lists and at the`)
    expect(issues[0]?.message).toBe(
      'Finish the answer; it ends inside a sentence, after "second one is to print it. We look at the lists and at the".',
    )
  })

  test('a kind that is not chosen is not found, and neither is the text before a call', async () => {
    const fence = '```js\nconst a = 1'
    expect((await check(contract({ checks: [complete({ kinds: ['sentence', 'list'] })] }), fence)).issues).toEqual([])
    expect((await check(contract({ checks: [complete({ kinds: ['fence'] })] }), 'We look at the')).issues).toEqual([])
    const toolCalls = [{ id: '1', name: 'look', arguments: '{}' }]
    expect((await check(rules, new Answer('Let me look at the', { toolCalls }))).issues).toEqual([])
  })

  test.each([{ kinds: [] }, { kinds: ['word'] }, { kind: 'list' }])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ complete: options as never }] })).toThrow(/complete/)
  })

  test('an answer in sentences breaks off wherever it is cut inside of one', async () => {
    const words = fc.array(fc.constantFrom('sort', 'the', 'whole', 'list', 'again', 'and', 'print', 'it'), { minLength: 13, maxLength: 20 })
    const sentence = words.map((all) => `We ${all.join(' ')} now.`)
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 8 }), async (all, cut) => {
        const text = all.join(' ')
        expect((await check(rules, text)).issues).toEqual([])
        expect((await check(rules, text.slice(0, -cut))).issues.map(({ code }) => code)).toEqual(['INCOMPLETE'])
      }),
      { numRuns: 50 },
    )
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('complete', [{ text: 'Die Liste wird sortiert und der' }, { text: '- Eins.\n-' }, { text: '```js\na()' }]),
  ).toEqual([])
})

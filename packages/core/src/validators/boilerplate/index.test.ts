import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { boilerplate } from './index.ts'

const rules = contract({ checks: ['boilerplate'] })
const removing = contract({ checks: [boilerplate({ remove: true })] })

/** Answers, what is found in them, and what is left after the repair, where there is one. */
const cases: readonly (readonly [text: string, codes: string, repaired?: string])[] = [
  ['Sure, here is the list:\n\n1. One\n2. Two', 'PREAMBLE', '1. One\n2. Two'],
  ['Sure! Here’s the code:\r\n\r\n    indented()\r\nend', 'PREAMBLE', '    indented()\r\nend'],
  ['Here is the summary:\n\nSales grew.', 'PREAMBLE', 'Sales grew.'],
  ['Hier ist die überarbeitete Fassung:\n\nDer Umsatz stieg.', 'PREAMBLE', 'Der Umsatz stieg.'],
  // A caption that the text may need.
  ['Here are the ingredients:\n\n- flour\n- milk\n\nMix them and bake it.', ''],
  ['Hier sind die Zutaten:\n\n- Mehl\n\nVerrühre sie.', ''],
  ['Sure, here are the ingredients:\n\n- flour', 'PREAMBLE', '- flour'],
  ['Sure, here is a made-up language. It has no verbs.', 'PREAMBLE', 'Here is a made-up language. It has no verbs.'],
  ["Certainly! I'd be happy to help you with that. To sort a list, call sort.", 'PREAMBLE', 'To sort a list, call sort.'],
  ['Of course 😊! Here you go:\nOne', ''],
  ['Of course! 😊 Here you go:\nOne', 'PREAMBLE', 'One'],
  ['I apologize for the confusion. The sum is 4.', 'PREAMBLE', 'The sum is 4.'],
  ['<think>Hm.</think>Sure, here it is:\nOne', 'PREAMBLE', '<think>Hm.</think>One'],
  ['Gerne! Hier ist die Liste:\n\n- Eins', 'PREAMBLE', '- Eins'],
  ['Klar, ich helfe dir gerne dabei. Rufe sort auf.', 'PREAMBLE', 'Rufe sort auf.'],
  // Nothing follows, so nothing is removed.
  ["Sure! I'd be happy to help.", 'PREAMBLE'],
  ['Here is the answer:', 'PREAMBLE'],
  ['Here is the list:', ''],
  // The words are the answer, or carry it.
  ['Sure is a brand of deodorant.', ''],
  ['Absolutely! It is thread-safe.', ''],
  ['Sure.', ''],
  ['Of course, the earth is round.', ''],
  ['Here is the answer: 42', ''],
  ['Here is what to do. First, sit down.', ''],
  [`Here is a list that ${'is long and says a lot about itself, '.repeat(6)}and more:\n- One`, ''],
  ['Here are two options:\n\nHere is the first one:\n\nOne', ''],
  ['```\nSure, here is the list:\n```\n', ''],
  ['> Sure, here is the list:\n\nThat is what he said.', ''],
  ['Natürlich ist das möglich.', ''],
  ['Sort it. Let me know if you have any questions.', 'CLOSING_OFFER', 'Sort it.'],
  ['Sort it.\n\nI hope this helps! Feel free to ask for more.\n', 'CLOSING_OFFER', 'Sort it.'],
  ['Sort it.\n\n---\n\nWould you like me to explain step 2?', 'CLOSING_OFFER', 'Sort it.'],
  ['Title\n---\n\nIs there anything else I can help with?', 'CLOSING_OFFER', 'Title\n---'],
  ['Sort it.\n\n**If you need more examples, just let me know!**', 'CLOSING_OFFER', 'Sort it.'],
  ['```\na()\n```\n\nLet me know if it works!', 'CLOSING_OFFER', '```\na()\n```'],
  ['Sortiere sie.\n\nLass mich wissen, wenn du noch Fragen hast.', 'CLOSING_OFFER', 'Sortiere sie.'],
  ['Sortiere sie. Falls Sie Fragen haben, stehe ich Ihnen gerne zur Verfügung.', 'CLOSING_OFFER', 'Sortiere sie.'],
  ['Sure, here it is:\n\nOne\n\nLet me know if you need more.', 'PREAMBLE CLOSING_OFFER', 'One'],
  // The offer is all there is once the preamble is gone.
  ['Sure, here it is:\n\nLet me know if you need more.', 'PREAMBLE', 'Let me know if you need more.'],
  ['Would you like me to go on?', ''],
  ['Sort it.\n\nShall I write the test for you?', 'CLOSING_OFFER', 'Sort it.'],
  ['Sortiere sie.\n\nSoll ich den Test für dich schreiben?', 'CLOSING_OFFER', 'Sortiere sie.'],
  ['Sortiere sie. Soll ich Ihnen das noch genauer erläutern?', 'CLOSING_OFFER', 'Sortiere sie.'],
  ['Sortiere sie. Kann ich sonst noch etwas für dich tun?', 'CLOSING_OFFER', 'Sortiere sie.'],
  // Questions of the text itself.
  ['Er dachte nach.\n\nSoll ich gehen?', ''],
  ['Er dachte nach.\n\nKann ich noch hoffen?', ''],
  ['He wrote a line.\n\nShall I compare thee to a summer’s day?', ''],
  ['He thought about it.\n\nShould I go?', ''],
  ['She stood at the door.\n\nShall I wait for you?', ''],
  ['Sie sagte: „Komm herein. Lass mich wissen, ob dir kalt ist.“', ''],
  ['Let me know if you have questions. They are answered daily.', ''],
  ['Let me know if my understanding of the task is correct.', ''],
  ['Sort it. Feel free to change the order.', ''],
  ['Dear Ann,\n\nthe order has shipped. Let me know if you have any questions.', ''],
  [
    'Dear Ann,\n\nit has shipped.\n\nBest regards,\nBob\n\nLet me know if you want changes!',
    'CLOSING_OFFER',
    'Dear Ann,\n\nit has shipped.\n\nBest regards,\nBob',
  ],
  ['He said: "Come in. Let me know if you are cold."', ''],
  ['- Sort it.\n- Let me know if it works.', ''],
  ['1. Let me know if it works.', ''],
  ['> Sort it. Let me know if it works.', ''],
  ['```\nprint(1)\nLet me know if it works', ''],
  ['As an AI language model, I have no opinion. Blue is fine.', 'AI_DISCLAIMER'],
  ["It depends. However, as an AI, I can't feel it.", 'AI_DISCLAIMER'],
  ["I'm just an AI assistant, so take it with salt.", 'AI_DISCLAIMER'],
  ['As of my knowledge cutoff in 2023, it was open.', 'AI_DISCLAIMER'],
  ['Als KI-Sprachmodell habe ich keine Meinung.', 'AI_DISCLAIMER'],
  ['Der Begriff „Hund“ ist alt. Als KI-Sprachmodell habe ich keine Meinung.', 'AI_DISCLAIMER'],
  ['Der Begriff „Hund" ist alt. Als KI-Sprachmodell habe ich keine Meinung.', 'AI_DISCLAIMER'],
  ['Er sagte: „Als KI habe ich keine Meinung.“', ''],
  ['The word “dog” is old. As an AI, I have no opinion.', 'AI_DISCLAIMER'],
  ['in short: as an AI language model, I have no opinion.', 'AI_DISCLAIMER'],
  ['In short: as an AI language model, I have no opinion.', 'AI_DISCLAIMER'],
  ['NOTE: as an AI language model, I have no opinion.', 'AI_DISCLAIMER'],
  ['As an AI engineer, I write tests.', ''],
  ['I am an AI researcher at a lab.', ''],
  ['The robot said: "As an AI, I cannot lie."', ''],
  ['HAL: As an AI, I cannot lie.', ''],
  ['`As an AI, I cannot lie.` is a quote.', ''],
  ['```text\nAs an AI, I cannot lie.\n```\n', ''],
  ["I'm sorry, but I can't help with that request.", 'REFUSAL'],
  ['I cannot provide medical advice.', 'REFUSAL'],
  ['As an AI language model, I cannot provide this.', 'REFUSAL AI_DISCLAIMER'],
  ['Es tut mir leid, aber dabei kann ich nicht helfen.', 'REFUSAL'],
  ['Ich kann dir bei dieser Anfrage nicht helfen.', 'REFUSAL'],
  ['Das kann ich leider nicht beantworten.', 'REFUSAL'],
  ['Ich darf dazu keine Auskunft geben.', 'REFUSAL'],
  ['Ich kann Ihnen bei diesem Anliegen leider nicht behilflich sein.', 'REFUSAL'],
  ['I won’t be able to provide instructions for that.', 'REFUSAL'],
  ['I can’t provide medical advice, but I can explain the terms.', 'REFUSAL'],
  ['Leider kann ich keine medizinischen Ratschläge geben.', 'REFUSAL'],
  ["I'm sorry. I can't help with that.", 'REFUSAL'],
  ['Es tut mir leid. Ich kann dabei nicht helfen.', 'REFUSAL'],
  [
    `Leider kann ich ${'dabei und hier '.repeat(5)}nicht ${'mehr als das '.repeat(6)}geben und ${'sonst noch '.repeat(9)}, aber der Rest folgt.`,
    '',
  ],
  // Reviews, feelings, and answers with a limit.
  ['I cannot recommend this book enough: it is brilliant.', ''],
  ["I can't recommend it: the battery dies after an hour.", ''],
  ["I can't help feeling that it is late.", ''],
  ["I can't help it, I love this song.", ''],
  ["I can't provide an exact number, but the median is 5 km.", ''],
  ['I cannot run as fast as I did.', ''],
  ['Leider kann ich den Film nicht empfehlen.', ''],
  ['Ich kann keine genaue Zahl geben, aber der Median liegt bei 5 km.', ''],
  ['I cannot help but notice the art that surrounds us.', ''],
  ['The door was locked. "I cannot help you," she said.', ''],
  ["I can't keep running.", ''],
]

describe('boilerplate', () => {
  test.each(cases.map(([text, codes, repaired]) => ({ text, codes, repaired })))('$text', async ({ text, codes, repaired }) => {
    const { issues } = await check(rules, text)
    expect(issues.map(({ code }) => code).join(' ')).toBe(codes)
    const settled = await settle(removing, text)
    if (repaired === undefined) expect(settled.text).toBe(text)
    else expect([settled.status, settled.text]).toEqual(['repaired', repaired])
    for (const one of settled.repairs) expect(one.class).toBe('lossy')
    await assertStreamable(rules, text)
    await assertStreamable(removing, text)
  })

  test('a kind that is not chosen is not found', async () => {
    const text = 'Sure, here it is:\n\nAs an AI, I sort.\n\nLet me know if you need more.'
    const found = async (kind: 'preamble' | 'offer' | 'ai' | 'refusal') =>
      (await check(contract({ checks: [boilerplate({ kinds: [kind] })] }), text)).issues.map(({ code }) => code)
    expect(await Promise.all([found('preamble'), found('offer'), found('ai'), found('refusal')])).toEqual([
      ['PREAMBLE'],
      ['CLOSING_OFFER'],
      ['AI_DISCLAIMER'],
      [],
    ])
  })

  test('a stream holds only what may be boilerplate, and goes on without it', async () => {
    const middle = 'Sort it first. '.repeat(40)
    const text = `Sure, here it is:\n\n${middle}\n\nLet me know if you need more.`
    const stream = enforceStream({ contract: removing, runner: scripted([{ chunks: [...text] }]), prompt: '' })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect(shown.length).toBeGreaterThan(300)
    expect(shown.join('')).toBe(middle.trimEnd())
    expect(await stream.outcome).toMatchObject({
      status: 'repaired',
      delivered: true,
      repairs: [{ rule: 'drop-preamble' }, { rule: 'drop-offer' }],
    })
  })

  test.each(['Sure, ', "I'd be happy to help. ", ' ', 'Here is ', 'Let me know if you need more ', 'If you have ', 'as an AI '])(
    'a flood of %j is not held for ever',
    async (flood) => {
      const stream = enforceStream({
        contract: removing,
        runner: scripted([{ text: `Sure! ${flood.repeat(2000)}The end is near. No. `, chunkSize: 7 }]),
        prompt: '',
      })
      const shown: string[] = []
      for await (const piece of stream) shown.push(piece)
      expect(shown.length).toBeGreaterThan(1)
      expect((await stream.outcome).delivered).toBe(true)
    },
  )

  test.each([{ kinds: [] }, { kinds: ['offers'] }, { remove: 'yes' }, { removes: true }])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ boilerplate: options as never }] })).toThrow(/boilerplate/)
  })

  test('whatever comes together: the repair keeps the rest, and needs no second one', async () => {
    const start = fc.constantFrom(
      'Sure, ',
      'Certainly! ',
      'here is the list:\n\n',
      "I'd be happy to help. ",
      'Sure is ',
      'Gerne! ',
      'Hier ist er:\n',
      '',
    )
    const word = fc.constantFrom(
      'The',
      ' list',
      '.',
      ' ',
      '\n',
      '\r\n\n',
      '`a`',
      '```\n',
      '- ',
      'as an AI, I',
      ' I cannot help',
      'Let me',
      '"',
      '👍',
      '<think>',
      '</think>',
    )
    const end = fc.constantFrom(
      '\n\nLet me know if you need more.',
      ' I hope this helps!',
      '\n---\n\nWould you like more?',
      ' Let me know',
      '\n\n',
      '',
    )
    const text = fc
      .tuple(fc.array(start, { maxLength: 3 }), fc.array(word, { maxLength: 8 }), fc.array(end, { maxLength: 3 }))
      .map((parts) => parts.flat().join(''))
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        const once = await settle(removing, said)
        expect((await settle(removing, once.text)).text).toBe(once.text)
        // What is kept is a piece of the answer, but for one capital letter.
        const kept = once.text.replace(/^(<think>.*?<\/think>)/s, '')
        if (once.repairs.length > 0) expect(said.toLowerCase()).toContain(kept.toLowerCase())
      }),
      { numRuns: 150 },
    )
  })
})

test('says in German what to do', async () => {
  const german = contract({ locale: 'de', checks: ['boilerplate'] })
  const { issues } = await check(german, 'Sortiere sie.\n\nLass mich wissen, ob es klappt.')
  expect(issues[0]?.message).toBe('Schließe mit der Antwort selbst; lass "Lass mich wissen, ob es klappt." weg.')
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('boilerplate', [
      { text: 'Gerne! Hier ist er:\n\nEins' },
      { text: 'Eins.\n\nSoll ich ein Beispiel für dich schreiben?' },
      { text: 'Als KI, so heißt es, sortiere ich.' },
      { text: 'Leider kann ich dabei nicht helfen.' },
    ]),
  ).toEqual([])
})

import { Answer, check, repair, settle } from '@stickler/core'
import { describe, expect, test } from 'vitest'
import { localeFaults } from '../../../../core/src/testing/locale-faults.ts'
import { catalogue, contract } from '../../testing/contract.ts'
import { lastStepMarker } from './extract.ts'

const rule = contract({ checks: ['step_marker'] })
const codes = async (text: string, options = {}): Promise<string[]> =>
  (await check(contract({ checks: [{ step_marker: options }] }), text)).issues.map(({ code }) => code)

const fence = '```'

describe('step_marker', () => {
  test.each([
    ['a plain marker', 'Text\n\n<!-- STEP: what -->', []],
    ['any case', '<!-- step: WHAT -->', []],
    ['no white space', '<!--STEP:done-->', []],
    ['white space over lines', '<!--\n  STEP:\r\n\twhy\n-->', []],
    ['CRLF', 'Text\r\n\r\n<!-- STEP: generate -->\r\n', []],
    ['no marker', 'Text', ['MISSING_STEP_MARKER']],
    ['empty answer', '', ['MISSING_STEP_MARKER']],
    ['punctuation around a name', '<!-- STEP: what! -->', ['INVALID_STEP']],
    ['a name in quotes', '<!-- STEP: "what" -->', ['INVALID_STEP']],
    ['no name', '<!-- STEP: -->', ['INVALID_STEP']],
    ['more dashes', '<!--- STEP: what --->', []],
    ['an unknown step', '<!-- STEP: discussing -->', ['INVALID_STEP']],
    ['two words', '<!-- STEP: what next -->', ['INVALID_STEP']],
    ['a template', 'Ends with <!-- STEP: what|why --> or <!-- STEP: {step} -->', ['MISSING_STEP_MARKER']],
    ['unclosed', '<!-- STEP: what', ['MISSING_STEP_MARKER']],
    // The seed takes the first match: an example shadows the marker.
    ['an invalid example before the marker', 'Not like <!-- STEP: foo -->.\n\n<!-- STEP: done -->', []],
    ['a valid example before an invalid marker', 'Like <!-- STEP: done -->.\n\n<!-- STEP: foo -->', ['INVALID_STEP']],
    // The seed looks into fences.
    ['only inside a fence', `${fence}\n<!-- STEP: what -->\n${fence}\n`, ['MISSING_STEP_MARKER']],
    ['inside a longer fence with a shorter one in it', `${fence}${fence}\n${fence}\n<!-- STEP: what -->\n`, ['MISSING_STEP_MARKER']],
    ['inside a tilde fence', '~~~\n<!-- STEP: what -->\n~~~', ['MISSING_STEP_MARKER']],
    ['an invalid one in a fence behind the marker', `<!-- STEP: what -->\n\n${fence}\n<!-- STEP: foo -->\n${fence}`, []],
    ['behind an unclosed fence', `${fence}js\ncode\n<!-- STEP: what -->`, ['MISSING_STEP_MARKER']],
    ['in inline code', 'End with `<!-- STEP: done -->`.', ['MISSING_STEP_MARKER']],
    ['in inline code over lines', 'End with `a <!-- STEP: done -->\nb`.', ['MISSING_STEP_MARKER']],
    ['behind inline code', 'Like `code`. <!-- STEP: done --> `x`', []],
    ['in inline code behind the marker', '<!-- STEP: done -->\n\nNot `<!-- STEP: foo -->`.', []],
    ['behind a back-tick that opens nothing', 'A ` b <!-- STEP: done -->', []],
    ['at the start of a line, between back-ticks', 'A `b\n<!-- STEP: done -->\nc`', []],
    ['the template, copied', 'Text\n\n<!-- STEP: what|why|constraints|generate|finalize|done -->', ['MISSING_STEP_MARKER']],
    ['behind a document with a block', `${fence}markdown\n# A\n${fence}js\nx\n${fence}\n${fence}\n\n<!-- STEP: generate -->`, []],
    ['in a document with a block', `${fence}markdown\n${fence}js\nx\n${fence}\n<!-- STEP: generate -->\n${fence}`, ['MISSING_STEP_MARKER']],
    ['in reasoning only', '<think>I end with <!-- STEP: what --></think>\nText', ['MISSING_STEP_MARKER']],
    ['after a fence in a comment', `<!--\n${fence}\n-->\n\n<!-- STEP: what -->`, []],
  ])('%s', async (_name, text, expected) => {
    expect(await codes(text)).toEqual(expected)
  })

  test('with requireAtEnd only white space may follow', async () => {
    expect(await codes('<!-- STEP: what -->\n \r\n', { requireAtEnd: true })).toEqual([])
    expect(await codes('<!-- STEP: what -->\nMore', { requireAtEnd: true })).toEqual(['MISSING_STEP_MARKER'])
    expect(await codes('<!-- STEP: what -->\nMore')).toEqual([])
  })

  test('the session tracker uses the same extractor', async () => {
    const answer = new Answer('Like <!-- STEP: what -->.\n\n<!-- STEP: Why -->')
    expect(lastStepMarker(answer)?.step).toBe('why')
    expect((await check(rule, answer)).facts).toEqual({ step_marker: { step: 'why' } })
  })
})

describe('the repair of step_marker', () => {
  const repaired = async (text: string, options = {}): Promise<string> => {
    const checked = contract({ checks: [{ step_marker: options }] })
    const answer = new Answer(text)
    const result = await repair(checked, answer, await check(checked, answer))
    return result.clean ? result.answer.text : `not repaired: ${text}`
  }

  test.each([
    ['a finalised ADR before a created one', 'ADR-038 wurde erstellt und finalisiert.', 'finalize'],
    ['a finalised ADR in English', 'ADR-038 has been created and finalized.', 'finalize'],
    ['a created ADR', 'ADR-038 wurde erstellt.', 'generate'],
    ['an ADR in a YAML fence', `ADR-038:\n${fence}yaml\nadr_id: 1\n${fence}`, 'generate'],
    // The seed infers `discussing`, which is no step.
    ['a question at the end', 'Was soll gebaut werden?', 'what'],
    ['constraints', 'Die Rahmenbedingungen sind klar.', 'constraints'],
    ['constraints in English', 'These are the constraints.', 'constraints'],
    ['a question far from the end', `Was? ${'x'.repeat(300)}`, 'done'],
    ['nothing to go by', 'Alles klar.', 'done'],
    ['words in code', `ADR-1:\n${fence}py\nif "finalisiert" in x: a ? b : c\n${fence}\nFertig.`, 'done'],
    ['a negation', 'ADR-1 ist noch nicht finalisiert, aber erstellt.', 'generate'],
    ['an address', 'Siehe https://example.org/?q=1 dazu.', 'done'],
    ['an ADR without a number', 'Der ADR ist finalisiert.', 'finalize'],
  ])('infers from %s', async (_name, text, step) => {
    expect(await repaired(text)).toBe(`${text}\n\n<!-- STEP: ${step} -->`)
  })

  test.each([
    ['replaces an invalid marker where it stands', 'A\n<!-- STEP: discussing -->\nB?', 'A\n<!-- STEP: what -->\nB?'],
    ['corrects a misspelt step', 'A <!-- STEP: finalise --> B?', 'A <!-- STEP: finalize --> B?'],
    ['corrects a name in quotes', 'A <!-- STEP: "why" --> B?', 'A <!-- STEP: why --> B?'],
    ['fills in a name', 'A <!-- STEP: --> B?', 'A <!-- STEP: what --> B?'],
    ['keeps CR', 'A\rB', 'A\rB\r\r<!-- STEP: done -->'],
    ['keeps CRLF', 'A\r\nB', 'A\r\nB\r\n\r\n<!-- STEP: done -->'],
    ['needs no second blank line', 'A\n', 'A\n\n<!-- STEP: done -->'],
    ['closes an open fence first', `${fence}js\ncode`, `${fence}js\ncode\n${fence}\n\n<!-- STEP: done -->`],
    ['closes a long open fence', '~~~~~\ncode\n', '~~~~~\ncode\n~~~~~\n\n<!-- STEP: done -->'],
    [
      'closes a document and the block in it',
      `${fence}md\n# A\n${fence}js\ncode`,
      `${fence}md\n# A\n${fence}js\ncode\n${fence}\n${fence}\n\n<!-- STEP: done -->`,
    ],
    [
      'repeats the marker of a document that is the end of the answer',
      `Hier:\n${fence}md\n# A\n${fence}js\nx\n${fence}\n<!-- STEP: why -->\n${fence}\n`,
      `Hier:\n${fence}md\n# A\n${fence}js\nx\n${fence}\n<!-- STEP: why -->\n${fence}\n\n<!-- STEP: why -->`,
    ],
    [
      'repeats no marker of a document that is an example',
      `${fence}md\n<!-- STEP: why -->\n${fence}\nFertig.`,
      `${fence}md\n<!-- STEP: why -->\n${fence}\nFertig.\n\n<!-- STEP: done -->`,
    ],
    [
      'does not take a copied template for a step',
      'A\n\n<!-- STEP: what|why|constraints -->',
      'A\n\n<!-- STEP: what|why|constraints -->\n\n<!-- STEP: done -->',
    ],
    ['leaves a fence in a quote, which ends by itself', `> ${fence}\n> code`, `> ${fence}\n> code\n\n<!-- STEP: done -->`],
  ])('%s', async (_name, text, expected) => {
    expect(await repaired(text)).toBe(expected)
  })

  test.each(['', ' \n', '\u200b', '\0', '<think>x</think>'])('makes no answer of nothing: %j', async (text) => {
    expect(await repaired(text)).toBe(`not repaired: ${text}`)
  })

  test('leaves a turn alone that only calls tools', async () => {
    const answer = new Answer('', { toolCalls: [{ name: 'f', arguments: '{}' }] })
    expect((await check(rule, answer)).issues).toEqual([])
  })

  test('takes the configured step when nothing tells', async () => {
    expect(await repaired('Text', { default: 'why' })).toBe('Text\n\n<!-- STEP: why -->')
  })

  test.each([
    ['STEP: why', 'why'],
    ['[STEP = generieren]', 'generate'],
    ['**STEP: warum**', 'why'],
    ['<!-- step constraints -->', 'constraints'],
    ['STEP: what\n\nSTEP: Rahmenbedingungen', 'constraints'],
    ['The next STEP is unclear.', 'done'],
  ])('infers the name in a malformed marker: %s', async (malformed, step) => {
    expect(await repaired(`Text\n\n${malformed}`)).toBe(`Text\n\n${malformed}\n\n<!-- STEP: ${step} -->`)
  })

  test.each([
    ['warum', 'why'],
    ['Rahmenbedingungen', 'constraints'],
    ['Rahmenbedingung', 'constraints'],
    ['Finalisierung', 'finalize'],
    ['abschließen', 'finalize'],
    ['fertig', 'done'],
  ])('knows the German name %s', async (name, step) => {
    expect(await repaired(`A <!-- STEP: ${name} -->`)).toBe(`A <!-- STEP: ${step} -->`)
  })

  test.each([
    ['Was noch?', 'constraints', 'constraints'],
    ['Text', 'generate', 'generate'],
    ['Was noch?', 'done', 'what'],
    ['Text', 'elsewhere', 'done'],
    ['ADR-1 ist finalisiert.', 'generate', 'finalize'],
  ])('infers from the state of the session: %s in %s', async (text, step, expected) => {
    const { text: after } = await settle(contract({ checks: ['step_marker'] }), text, {
      context: { session_state: { session: 's', step } },
    })
    expect(after).toBe(`${text}\n\n<!-- STEP: ${expected} -->`)
  })

  test('repeats the marker at the end when it must be there', async () => {
    expect(await repaired('<!-- STEP: why -->\nText?', { requireAtEnd: true })).toBe('<!-- STEP: why -->\nText?\n\n<!-- STEP: why -->')
    expect(await repaired('<!-- STEP: wy -->\nText?', { requireAtEnd: true })).toBe('<!-- STEP: why -->\nText?\n\n<!-- STEP: why -->')
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults(
      'step_marker',
      [{ text: 'Hallo.' }, { text: '<!-- STEP: gone -->' }, { options: { requireAtEnd: true }, text: '<!-- STEP: why --> Hallo.' }],
      catalogue,
      ['MISSING_STEP_MARKER', 'INVALID_STEP'],
    ),
  ).toEqual([])
})

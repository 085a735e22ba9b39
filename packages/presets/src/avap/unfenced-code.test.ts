import { Answer, check, contract, enforce } from '@stickler/core'
import { assertStreamable, scripted } from '@stickler/core/testing'
import type { SyntaxParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { avapLanguage } from './language/index.ts'
import { validPrograms } from './language/testing/programs.ts'
import { avap } from './preset.ts'

const parse = await avapLanguage().load()
const parser: SyntaxParser = {
  async parse(_language, source) {
    const [first, ...others] = parse(source)
    return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...others] }
  },
}
const rules = contract({ preset: avap })
const given = { ports: { parser } }

async function codesIn(text: string): Promise<readonly string[]> {
  const { issues, unchecked } = await check(rules, text, given)
  return [...new Set([...issues.map(({ code }) => code), ...unchecked.map(({ cause }) => cause)])]
}

const fence = '```'
const good = 'addParam("password", pw)\nencodeSHA256(pw, hash)\naddResult(hash)'
const bad = 'addParam("password", pw)\nhash = getSHA256(pw)\naddResult(hash)'

const judged: readonly (readonly [name: string, text: string, codes: readonly string[]])[] = [
  ['prose', 'AVAP has loops.\n\n- one (1)\n- two(s)\n\nSee `addResult`, and never use getSHA256(pw).', []],
  ['code', good, []],
  ['code after reasoning', `<think>hash = getSHA256(pw)</think>\n\n${good}`, []],
  ['code with comments and blank lines', `// It hashes.\n\n/* so */\n${good}\n`, []],
  ['wrong code', bad, ['SYNTAX_ERROR']],
  ['a wrong statement alone', 'hash = getSHA256(pw)', ['SYNTAX_ERROR']],
  ['wrong code with blocks', 'if(a, 1, =)\naddResult(a)', ['SYNTAX_ERROR']],
  ['code below prose', `Here is the code:\n${good}`, ['CODE_NOT_FENCED']],
  ['code between paragraphs', `Here it is\n\n${good}\n\nThis hashes the password.`, ['CODE_NOT_FENCED']],
  ['wrong code below prose', `Do this:\nhash = getSHA256 (pw)`, ['CODE_NOT_FENCED']],
  ['code in <pre>', `<pre>\n${good}\n</pre>`, ['CODE_NOT_FENCED']],
  ['code of another language', 'for i in range(3):\n    print(i)', ['CODE_NOT_FENCED']],
  ['a lone comment below prose', 'AVAP has comments:\n\n// so', []],
  ['an untagged block', `So:\n${fence}\n${bad}\n${fence}`, ['SYNTAX_ERROR']],
  ['an untagged block beside a tagged one', `${fence}avap\n${good}\n${fence}\n\n${fence}\nx = getSHA256(pw)\n${fence}\n`, ['SYNTAX_ERROR']],
  ['an untagged block before a tagged one', `${fence}\nx = getSHA256(pw)\n${fence}\n\n${fence}avap\n${good}\n${fence}\n`, ['SYNTAX_ERROR']],
  ['a block of another language beside one', `${fence}json\n{"a": 1}\n${fence}\n\n${fence}avap\n${good}\n${fence}`, []],
  ['a block of another language alone', `${fence}js\nres.json(a)\n${fence}`, ['SYNTAX_ERROR']],
  ['statements beside a block', `${fence}avap\n${good}\n${fence}\n\nHere getSHA256(pw) would be wrong.\nx = getSHA256(pw)`, []],
  ['a block without code, and code', `${fence}avap\n// nothing\n${fence}\n${bad}`, ['CODE_NOT_FENCED']],
  ['reasoning that never ends', `<think>hm\n${fence}avap\n${good}\n${fence}`, ['UNCLOSED_REASONING', 'unavailable']],
  ['nothing', '', []],
]

test.each(judged)('%s', async (_name, text, codes) => {
  expect(await codesIn(text)).toEqual(codes)
  await assertStreamable(rules, text, [1, 3, 7, 500], given)
})

test('some code without a fence is asked for again once, in one block', async () => {
  const text = `Here is it:\n${good}`
  const play = async (second: string) => {
    const runner = scripted([text, second])
    return { outcome: await enforce({ contract: rules, runner, prompt: 'Hash it.', ...given }), asked: runner.calls[1]?.prompt }
  }
  const { outcome, asked } = await play(`${fence}avap\n${good}\n${fence}`)
  expect(outcome).toMatchObject({ status: 'valid', attempts: 2, validationStatus: '' })
  expect(asked).toContain(
    'Write code in a block: line 2 is code, line 1 is not, and the answer has no block. Put the code into one avap block',
  )
  for (const second of [text, bad])
    expect((await play(second)).outcome).toMatchObject({ status: 'unresolved', attempts: 2, validationStatus: 'INVALID_UNRESOLVED' })
})

test('the issue is at the first line of code, and German in a German contract', async () => {
  const { issues } = await check(contract({ preset: avap, locale: 'de' }), `<think>hm</think>So:\r\n\r\n  ${good}`, given)
  expect(issues).toMatchObject([
    {
      code: 'CODE_NOT_FENCED',
      message: 'Schreibe Code in einen Codeblock: Zeile 3 ist Code, Zeile 1 nicht, und die Antwort hat keinen.',
      hint: 'Setze den Code in einen einzigen Codeblock mit der Sprache avap',
      span: { start: 26, end: 50 },
    },
  ])
})

test('prose needs no verdict where it was cut off, and code has none', async () => {
  const unchecked = async (text: string) => (await check(rules, new Answer(text, { finishReason: 'length' }), given)).unchecked.length
  expect([await unchecked('AVAP has loops and'), await unchecked('Here it is:\naddVar(a, 1)\naddRes')]).toEqual([0, 1])
})

test('a program has the verdict that it has in a block, and prose around it makes that a retry', { timeout: 60_000 }, async () => {
  const fault = fc.constantFrom('', '', 'addResult(getSHA256(a))', 'end()', 'go(x)', 'addVar(a)', 'x = getSHA256(a)')
  await fc.assert(
    fc.asyncProperty(validPrograms, fault, fc.nat(), async (valid, wrong, place) => {
      const at = place % (valid.length + 1)
      const lines = wrong === '' ? valid : [...valid.slice(0, at), wrong, ...valid.slice(at)]
      const program = lines.join('\n')
      if (!/[(=]/.test(program)) return
      const fenced = await codesIn(`${fence}avap\n${program}\n${fence}`)
      expect({ program, codes: await codesIn(program) }).toEqual({ program, codes: fenced })
      const [mixed] = await codesIn(`This is it:\n\n${program}`)
      expect({ program, mixed }).toEqual({ program, mixed: 'CODE_NOT_FENCED' })
    }),
    { numRuns: 150 },
  )
})

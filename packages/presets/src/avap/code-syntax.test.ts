import { check } from '@stickler/core'
import type { SyntaxParser } from '@stickler/core/validators'
import { expect, test } from 'vitest'
import { contract } from '../testing/contract.ts'

/** The languages that a file is parsed in. */
async function parsedIn(text: string, file: string): Promise<readonly string[]> {
  const asked: string[] = []
  const parser: SyntaxParser = {
    async parse(language) {
      asked.push(language)
      return { verdict: 'valid' }
    },
  }
  await check(contract({ checks: ['code_syntax'] }), text, { ports: { parser }, context: { file } })
  return asked
}

test.each([
  'hash = getSHA256(pw)\naddResult(hash)',
  'if(a, 1, "==")\n  addVar(x, 1)\nend()',
  'try()\nx = 1\nexception(e)\nend()',
  'function f(a) {\n  addVar(x, a)\n  return(x)\n}',
  '// Sum\naddParam(a, b)\naddResult(b)',
  'addVar(x, 1\naddResult(x)',
])('a file without a fence is recognised as AVAP: %j', async (text) => {
  expect(await parsedIn(text, 'answer.txt')).toEqual(['avap'])
})

test.each(['hash = getSHA256(pw)', 'fetchData(url)', 'x = f(() => {\n})', 'call(me) maybe\nsomeDay(soon)'])(
  'what other languages write so too is not: %j',
  async (text) => {
    expect(await parsedIn(text, 'answer.txt')).toEqual([])
  },
)

test('a file is in AVAP by its name', async () => {
  expect(await parsedIn('whatever it holds', 'main.avap')).toEqual(['avap'])
})

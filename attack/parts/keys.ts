import { Answer, check, contract } from '@stickler/core'
import { type Attack, attackWith, same } from '../attack.ts'
import { differs, readPairs, repeatingJson } from '../oracles/pairs.ts'

const answers = contract({ checks: [{ json: { duplicateKeys: 'error' } }] })
const calls = contract({ checks: ['tool_calls'] })
const tools = [{ name: 'send', parameters: { type: 'object' } }]

/** Keys with two values against a reader that keeps every pair; another check is for tests of the attack. */
export function keysAttack(checked: typeof check<unknown> = check): Attack {
  return {
    name: 'keys',
    compares: 'keys with two values in answers and arguments, with a reader that keeps every pair',
    start: async () => attackWith(repeatingJson, (text) => compare(text, checked)),
  }
}

async function compare(text: string, checked: typeof check<unknown>): Promise<void> {
  const isWrong = differs(readPairs(text))
  const reported = ({ issues }: Awaited<ReturnType<typeof check>>): boolean => issues.some(({ code }) => code === 'DUPLICATE_KEY')
  same('in an answer', reported(await checked(answers, text)), isWrong)
  const given = new Answer('', { toolCalls: [{ name: 'send', arguments: `{"value": ${text}}` }] })
  same('in arguments', reported(await checked(calls, given, { context: { tools } })), isWrong)
}

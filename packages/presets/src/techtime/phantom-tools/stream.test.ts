import { check, contract, enforceStream } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertStreamable } from '../../../../core/src/testing/assert-streamable.ts'
import { phantomTools } from './index.ts'

const tools = ['ping_gateway', 'ping_dns'].map((name) => ({ name, parameters: [{ name: 'get_timeout', type: 'number' }] }))
const fence = '```'

describe('with strict, on a stream', () => {
  const rules = contract({ checks: [phantomTools({ strict: true })] })
  const shownOf = async (text: string): Promise<string> => {
    const runner = scripted([{ chunks: [...text, '.'] }])
    const stream = enforceStream({
      contract: { ...rules, policy: { ...rules.policy, retries: 0 } },
      runner,
      prompt: '',
      context: { tools },
    })
    // What is shown before the end, which the last character is part of.
    let shown = ''
    for await (const piece of stream) if (!piece.endsWith('.')) shown += piece
    return shown
  }

  test.each([
    ['', 'The network is fine'],
    ['The network is fine. ', 'It is up'],
    ['I ran ping_gateway, and all is up. ', 'Then'],
    ['All is up! ', 'I ran e.g. check_network_status and more. It is up'],
    ['Das ist z. B. gut. ', '„Dann“ wurde z. B. check_network_status aufgerufen'],
    ['All is\nup.\n', 'I ran\ncheck_network_status and more'],
    ['Ran:\n\n- ping_gateway\n', '- **check_network_status** and more'],
    ['一切正常。', '我运行了 check_network_status'],
    [`See:\n\n${fence}sh\ncheck_network_status\n${fence}\n`, 'So'],
    [`See:\n\n${fence}sh\ncheck_network_status a`, ' b'],
    ['<think>check_network_status</think>\n', 'Fine, it'],
    ['<think>check_network_status a', ' b'],
    ['', 'check'],
  ])('shows %j of what goes on with %j', async (shown, rest) => {
    expect((await shownOf(shown + rest)).trimEnd()).toBe(shown.trimEnd())
  })

  test('a retry starts with a sentence of its own', async () => {
    const runner = scripted([{ chunks: ['All is', ' up. I ran', ' check_wifi', ' twice.'] }, 'All is up. Nothing was run.'])
    const stream = enforceStream({
      contract: { ...rules, policy: { ...rules.policy, retries: 1 } },
      runner,
      prompt: '',
      context: { tools },
    })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect([shown, (await stream.outcome).status]).toEqual(['All is up. Nothing was run.', 'valid'])
  })

  test('gives the verdict of the whole check, and shows nothing that it finds', async () => {
    const pieces = [
      'I ran ',
      'check_x',
      '_',
      'get_',
      'ping_dns',
      ' ',
      '\n\n',
      '`',
      fence,
      `\n${fence}md\n\n${fence}\n`,
      'sh\n',
      '(',
      ')',
      'a',
      'x'.repeat(70),
      '<think>',
      '</think>',
      'é',
    ]
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(texts, (text) => assertStreamable(rules, text, [1, [1, 9, 4]], { context: { tools } })),
      { numRuns: 200 },
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const [first] = (await check(rules, text, { context: { tools } })).issues
        expect((await shownOf(text)).length).toBeLessThanOrEqual(first?.span?.start ?? text.length)
      }),
      { numRuns: 200 },
    )
  })
})

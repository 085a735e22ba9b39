import { check, settle } from '@stickler/core'
import { parseCitations } from '@stickler/presets/reddb'
import { describe, expect, test, vi } from 'vitest'
import type { Attack } from '../attack/attack.ts'
import { attacks } from '../attack/attacks.ts'
import { main } from '../attack/main.ts'
import { argumentsAttack } from '../attack/parts/arguments.ts'
import { citationsAttack } from '../attack/parts/citations.ts'
import { fairnessAttack } from '../attack/parts/fairness.ts'
import { gatewayAttack } from '../attack/parts/gateway.ts'
import { keysAttack } from '../attack/parts/keys.ts'
import { relayAttack } from '../attack/parts/relay.ts'
import { repairAttack } from '../attack/parts/repair.ts'
import { streamAttack } from '../attack/parts/stream.ts'
import { typesAttack } from '../attack/parts/types.ts'
import { runAttack } from '../attack/run-attack.ts'
import { ask } from '../packages/gateway/src/testing/wire.ts'
import { contract } from '../packages/presets/src/testing/contract.ts'
import { seed } from '../tools/tests/random.ts'

/** Enough to see that everything works; `npm run attack` looks for new cases. */
const few: Readonly<Record<string, number>> = {
  gateway: 15,
  relay: 20,
  types: 150,
  stream: 200,
  repair: 300,
  arguments: 200,
  citations: 1000,
  keys: 500,
  fairness: 10,
}

async function checked(attack: Attack, numRuns: number) {
  const running = await attack.start()
  try {
    return await running.check({ seed, numRuns, interruptAfterTimeLimit: 45_000 })
  } finally {
    await running.close()
  }
}

test.each(attacks.map((attack) => [attack.name, attack] as const))('%s: nothing differs', async (name, attack) => {
  expect(await checked(attack, few[name] ?? 0)).toEqual({ cases: few[name] })
})

/** What is planted in one of the two ways that are compared. */
const faults: readonly (readonly [string, Attack])[] = [
  ['the gateway loses a word', gatewayAttack(async (...asked) => cutBody(await ask(...asked)))],
  ['the gateway loses a finish reason', relayAttack(({ choices }) => ({ choices: choices.map((one) => ({ ...one, finish: null })) }))],
  ['a route has no contract', typesAttack((model) => `${model}-plain`)],
  ['a stream shows too early what may still be wrong', streamAttack((rules) => hasty(contract(rules)))],
  ['a repair lies about its class', repairAttack(lying)],
  ['a repair of arguments lies about its class', argumentsAttack(lying)],
  [
    'a scanner sees no citation with two digits',
    citationsAttack((text, sources) => parseCitations(text.replace(/\[\^\d\d\]/g, 'xxxxx'), sources)),
  ],
  ['a key is counted for another', fairnessAttack('alice')],
  ['a check reads the last of two values', keysAttack(blind)],
]

describe('a fault is found', () => {
  test.each(faults)('%s', async (_name, attack) => {
    const { found } = await checked(attack, 2000)
    expect(found?.difference).toMatch(/\n/)
    expect(found?.case).toMatch(/^-?\d+(?::\d+)+$/)
    // The case is given again by its name alone.
    const [seed, ...path] = found?.case.split(':') ?? []
    const running = await attack.start()
    const again = await running.check({ seed: Number(seed), path: path.join(':') }).finally(() => running.close())
    expect(again.found?.input).toEqual(found?.input)
  })

  test('and ends the run', async () => {
    const fault = keysAttack(blind)
    const result = await runAttack(fault, { seed: 7, until: Number.POSITIVE_INFINITY, now: () => performance.now() })
    expect(result.found?.input).toEqual(expect.any(String))
  })
})

test.each([['--seed'], ['nothing'], ['--minutes', '0'], ['--case', '1:2'], ['--seed', 'x']])('%s %s is refused', async (...words) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await main(words)).toBe(2)
  expect(said).toHaveBeenCalledOnce()
  said.mockRestore()
})

/** Finds nothing, in whatever answer. */
function blind(): ReturnType<typeof check> {
  return check(contract({ checks: [] }), 'a')
}

type Reply = Awaited<ReturnType<typeof ask>>

function cutBody(reply: Reply): Reply {
  const { choices } = reply.json as { choices?: { message: { content: string | null } }[] }
  const [choice] = choices ?? []
  if (choice?.message.content) choice.message.content = choice.message.content.slice(1)
  return reply
}

/** A contract whose validators call everything safe. */
function hasty(rules: ReturnType<typeof contract>): ReturnType<typeof contract> {
  const incremental = () => ({ push: () => ({ safe: Number.POSITIVE_INFINITY }) })
  return { ...rules, validators: rules.validators.map((one) => ({ ...one, prepared: { ...one.prepared, incremental } })) }
}

async function lying(...asked: Parameters<typeof settle>): ReturnType<typeof settle> {
  const [{ validators, policy }, ...rest] = asked
  const told = await settle({ validators, policy: { ...policy, allow: ['lossless', 'lossy', 'guess'] } }, ...rest)
  return Object.assign(told, { repairs: told.repairs.map((one) => ({ ...one, class: 'lossless' as const })) })
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ContractOptions, enforce, enforceStream, type ModelEvent, type Outcome, type Ports, type Runner } from '@stickler/core'
import { requestContract, withSoundCalls } from '@stickler/core/internal'
import { type ScriptedRunner, scripted } from '@stickler/core/testing'
import { readGatewayConfig } from '@stickler/gateway'
import { nodeFiles } from '@stickler/node/internal/files'
import { localParser } from '@stickler/parser'
import fc from 'fast-check'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, ask, errorOf, textOf, verdictOf, type WireReply, ways } from '../../packages/gateway/src/testing/wire.ts'
import { contract } from '../../packages/presets/src/testing/contract.ts'
import { type Attack, attackWith, holds, same } from '../attack.ts'
import { callsOf, offerFields } from '../clients.ts'
import { chunkLengths, cutText } from '../generators/chunks.ts'
import { contracts, validatorsOf } from '../generators/contracts.ts'
import { type Offer, offerContext, offers, scriptedTurn, scriptsFor, type Turn } from '../generators/scripts.ts'

interface GatewayCase {
  readonly rules: ContractOptions
  readonly turns: readonly Turn[]
  readonly offer: Offer
  readonly sources?: number
  readonly lengths: readonly number[]
}

/** Asks a gateway; another way to ask is for tests of the attack. */
export type AskGateway = typeof ask

const prompt = 'Tabs or spaces?'
const cases: fc.Arbitrary<GatewayCase> = fc
  .tuple(
    contracts,
    fc.constantFrom('verified' as const, 'verified' as const, 'hold' as const, 'pass' as const),
    offers,
    chunkLengths,
    fc.constantFrom(undefined, 1, 3),
  )
  .chain(([rules, stream, offer, lengths, sources]) =>
    scriptsFor(validatorsOf(rules)).map((turns) => ({
      rules: { ...rules, stream, retries: turns.length - 1 },
      turns,
      offer,
      lengths,
      ...(sources === undefined ? {} : { sources }),
    })),
  )

/** The gateway on every API, streamed and whole, against the library. */
export function gatewayAttack(asking: AskGateway = ask): Attack {
  return {
    name: 'gateway',
    compares: 'what clients of the gateway get on three APIs, streamed and whole, with the library',
    async start() {
      const root = await mkdtemp(join(tmpdir(), 'stickler-attack-'))
      await mkdir(join(root, 'src'))
      for (const name of ['a.ts', 'b.ts']) await writeFile(join(root, 'src', name), '')
      const gateway = await startTestGateway()
      const parser = localParser()
      return attackWith(
        cases,
        (one) => compare(one, gateway, { files: nodeFiles(root), parser }, root, asking),
        async () => {
          await gateway.close()
          await parser.close()
          await rm(root, { recursive: true })
        },
      )
    },
  }
}

async function compare(one: GatewayCase, gateway: TestGateway, ports: Ports, root: string, asking: AskGateway): Promise<void> {
  await configure(gateway, one.rules, root)
  const whole = await inLibrary(one, ports, false)
  const streamed = await inLibrary(one, ports, true)
  for (const [api, manner] of ways) {
    const stream = manner === 'streamed'
    const expected = stream ? streamed : whole
    const before = gateway.upstream.requests.length
    // More answers than there are: what is asked once too often must not get those of the next case.
    gateway.upstream.otherwise((exchange) => answer(one, exchange.number - before)(exchange))
    const fields = { ...offerFields(api, one.offer), ...(one.sources === undefined ? {} : { stickler: { sources: one.sources } }) }
    const reply = await asking(gateway, api, { model: 'model', stream, prompt, fields })
    const calls = gateway.upstream.requests.length - before
    agree(`${api} ${manner}`, api, reply, calls, expected, one)
  }
}

/** By way of a configuration file, as people do it. */
async function configure(gateway: TestGateway, rules: ContractOptions, root: string): Promise<void> {
  const source = JSON.stringify({
    server: { port: 0 },
    upstreams: [{ name: 'up', kind: 'openai', baseUrl: `${gateway.upstream.url}/v1`, apiKeyEnv: 'UP_KEY', retries: 0 }],
    contracts: { rules },
    routes: [{ model: 'model', upstream: 'up', contract: 'rules', root }],
  })
  const around = { env: { UP_KEY: 'upstream-secret-key' }, readFile: () => Promise.reject(new Error('no files')), cwd: gateway.folder }
  await gateway.reload({ ...(await readGatewayConfig(source, 'attack.yaml', around)), store: gateway.config.store })
}

function answer({ turns, lengths }: GatewayCase, number: number): ReturnType<typeof answering> {
  const { text, ...turn } = turns[number] ?? { text: 'There is no such turn.' }
  return answering(text, { ...turn, chunks: cutText(text, lengths) })
}

async function inLibrary({ rules, turns, offer, sources, lengths }: GatewayCase, ports: Ports, stream: boolean): Promise<Outcome> {
  const given = {
    contract: requestContract(withSoundCalls(contract(rules)), offerFields('chat', offer)),
    runner: asProvider(scripted(turns.map((turn) => scriptedTurn(turn, cutText(turn.text, lengths)))), turns),
    prompt,
    context: { question: prompt, ...offerContext(offer), ...(sources === undefined ? {} : { sources }) },
    ports,
  }
  if (!stream) return enforce(given)
  const enforced = enforceStream(given)
  for await (const _piece of enforced);
  return enforced.outcome
}

/** A script that tells what the gateway reads from a provider's reply: that an answer is complete, and that it is only a refusal. */
function asProvider(script: ScriptedRunner, turns: readonly Turn[]): Runner {
  async function* told(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const turn = turns[script.calls.length - 1]
    for await (const event of events) {
      if (event.type !== 'end') yield event
      else yield { ...event, isSaid: true, ...(turn?.refusal === undefined ? {} : { unread: 'a refusal' }) }
    }
  }
  return { run: (...asked) => told(script.run(...asked)), continue: (...asked) => told(script.continue(...asked)) }
}

function agree(way: string, api: ApiName, reply: WireReply, calls: number, outcome: Outcome, { rules, turns }: GatewayCase): void {
  const { mode, stream } = rules
  const seen = verdictOf(reply) as { status?: string; attempts?: number; issues?: unknown } | undefined
  const error = errorOf(reply) ?? undefined
  const text = textOf(api, reply)
  // The Messages API has no field for a refusal.
  const refusal = api === 'messages' ? (turns[outcome.attempts - 1]?.refusal ?? '') : ''
  holds(`${way}: the connection broke`, !reply.broken)
  same(`${way}: calls of the model`, calls, outcome.attempts)
  same(`${way}: status`, seen?.status, outcome.status)
  same(`${way}: attempts`, seen?.attempts, outcome.attempts)
  if (outcome.delivered) {
    holds(`${way}: an error in place of a delivered answer`, reply.status === 200 && error === undefined, reply.status, error)
    same(`${way}: text`, text, outcome.text + refusal)
    same(
      `${way}: tool calls`,
      callsOf(api, reply).map(comparable),
      outcome.toolCalls.map(({ name, arguments: given }) => comparable([name, given])),
    )
  } else {
    holds(`${way}: no error in place of an answer that is not delivered`, error !== undefined, reply.status, reply.body)
    same(`${way}: tool calls of a rejected answer`, callsOf(api, reply), [])
    const most = stream === 'pass' ? outcome.text + refusal : outcome.text
    holds(`${way}: text of a rejected answer was shown`, most.startsWith(text), text, most)
    if (mode === 'strict' && stream !== 'pass' && (stream === 'hold' || reply.events.length === 0)) same(`${way}: shown text`, text, '')
  }
  if (outcome.status !== 'failed') same(`${way}: issues`, seen?.issues, outcome.issues)
}

/** A call with its arguments as a value, where they are JSON: the Messages API has nothing else, and what is no object stands in one. */
function comparable([name, given]: readonly [string, unknown]): unknown {
  if (typeof given === 'object' && given !== null && 'stickler_raw_arguments' in given)
    return comparable([name, given.stickler_raw_arguments])
  if (typeof given !== 'string') return [name, given]
  try {
    const value: unknown = JSON.parse(given === '' ? '{}' : given)
    return typeof value === 'string' ? [name, given] : comparable([name, value])
  } catch {
    return [name, given]
  }
}

import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { ListedRun } from '../../../gateway/src/records/store/queries/listed-run.ts'
import type { SessionSummary, SessionDetail as StoredDetail } from '../../../gateway/src/records/store/queries/session-queries.ts'
import type { ContractSums, Overview as StoredOverview } from '../../../gateway/src/records/store/rollups/overview.ts'
import type { FoundRun } from '../../../gateway/src/records/store/store.ts'
import { answering } from '../../../gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../../gateway/src/testing/test-gateway.ts'
import { seedGateway, seedMe } from '../testing/seed.ts'
import type { Contract, ContractStats } from './contract-types.ts'
import type { Attempt, Certificate, Issue, PipelineNode, Run, ToolCall, Unchecked } from './run-types.ts'
import type { Session, SessionDetail } from './session-types.ts'
import type { GatewayState, Me, Overview, RunRow } from './types.ts'

/** Members that a page reads and the gateway does not have. */
type Unknown<Page, Stored> = Exclude<keyof Page, keyof Stored>
type Item<List> = NonNullable<List> extends readonly (infer One)[] ? One : never

describe('what pages read is what the gateway has', () => {
  it('by the types of the store', () => {
    expectTypeOf<FoundRun>().toExtend<Run>()
    expectTypeOf<ListedRun>().toExtend<RunRow>()
    expectTypeOf<StoredOverview>().toExtend<Overview>()
    expectTypeOf<SessionSummary>().toExtend<Session>()
    expectTypeOf<Omit<StoredDetail, 'newest'>>().toExtend<Omit<SessionDetail, 'newest'>>()
    expectTypeOf<Item<ContractSums['items']>>().toExtend<ContractStats>()
  })

  it('with no member that only pages know', () => {
    expectTypeOf<Unknown<Run, FoundRun>>().toBeNever()
    expectTypeOf<Unknown<Attempt, Item<FoundRun['attempts']>>>().toBeNever()
    expectTypeOf<Unknown<Issue, Item<FoundRun['issues']>>>().toBeNever()
    expectTypeOf<Unknown<Certificate, Item<FoundRun['repairs']>>>().toBeNever()
    expectTypeOf<Unknown<Unchecked, Item<FoundRun['unchecked']>>>().toBeNever()
    expectTypeOf<Unknown<PipelineNode, Item<FoundRun['pipeline']>>>().toBeNever()
    expectTypeOf<Unknown<ToolCall, Item<FoundRun['toolCalls']>>>().toBeNever()
    expectTypeOf<Unknown<NonNullable<Run['label']>, NonNullable<FoundRun['label']>>>().toBeNever()
    expectTypeOf<Unknown<RunRow, ListedRun>>().toBeNever()
    expectTypeOf<Unknown<Overview, StoredOverview>>().toBeNever()
    for (const _list of ['models', 'contracts', 'keys', 'upstreams'] as const)
      expectTypeOf<Unknown<Item<Overview[typeof _list]>, Item<StoredOverview[typeof _list]>>>().toBeNever()
    expectTypeOf<Unknown<Item<Overview['buckets']>, Item<StoredOverview['buckets']>>>().toBeNever()
    expectTypeOf<Unknown<Session, SessionSummary>>().toBeNever()
    expectTypeOf<Unknown<SessionDetail, StoredDetail>>().toBeNever()
    expectTypeOf<Unknown<ContractStats, Item<ContractSums['items']>>>().toBeNever()
  })

  describe('by its replies', () => {
    let gateway: TestGateway
    beforeAll(async () => {
      gateway = await startTestGateway({
        yaml: `
server: { port: 0, keysEnv: KEYS, operatorKeysEnv: OPS, perKey: { tokensPerDay: 1000, usdPerDay: 1, requestsPerMinute: 60 } }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }
routes: [{ model: brief, upstream: up, contract: brief }]
`,
        env: { KEYS: 'alice:secret-key-1', OPS: 'ops:secret-key-2' },
        behaviour: answering('Hi.'),
      })
    })
    afterAll(() => gateway?.close())
    const read = async (path: string): Promise<unknown> =>
      (await gateway.get(`/api/v1/${path}`, { authorization: 'Bearer secret-key-2' })).json()

    it('about the caller', async () => {
      const shape: Required<Me> = { ...seedMe(), keys: ['alice'] }
      expect(missing(shape, await read('me'))).toEqual([])
    })

    it('about the gateway', async () => {
      const [upstream] = seedGateway().upstreams
      if (upstream === undefined) throw new Error('the seed has an upstream')
      const { breakerAt: _at, p50Ms: _p50, p95Ms: _p95, lastError: _error, ...always } = upstream
      const budget = { period: 'day', usedTokens: 0, usedUsd: 0, heldTokens: 0, heldUsd: 0, resetsAt: 1 }
      const shape: Pick<GatewayState, 'upstreams' | 'keys' | 'uptimeMs' | 'version' | 'configuredAt'> = {
        ...{ uptimeMs: 1, version: '', configuredAt: 1, upstreams: [always] },
        keys: [{ name: 'alice', budgets: [{ ...budget, limitTokens: 1, limitUsd: 1 }], requestsPerMinute: 60 }],
      }
      expect(missing(shape, await read('gateway'))).toEqual([])
    })

    it('about contracts', async () => {
      const shape: Pick<Contract, 'name' | 'validators' | 'policy' | 'yaml'> = {
        ...{ name: 'brief', policy: {}, yaml: '' },
        validators: [{ name: '', summary: '', options: {}, codes: {}, repairs: true, incremental: true }],
      }
      expect(missing({ items: [shape] }, await read('contracts'))).toEqual([])
    })
  })
})

/** The paths of a shape that a reply lacks, or has as another kind of value; the first item of a list stands for all. */
function missing(shape: unknown, reply: unknown, path = ''): string[] {
  if (Array.isArray(shape)) return Array.isArray(reply) ? missing(shape[0], reply[0] ?? shape[0], `${path}[0]`) : [path]
  if (typeof shape !== 'object' || shape === null) return typeof shape === typeof reply ? [] : [`${path} is ${typeof reply}`]
  if (typeof reply !== 'object' || reply === null) return [path]
  return Object.entries(shape).flatMap(([key, value]) =>
    key in reply ? missing(value, (reply as Readonly<Record<string, unknown>>)[key], `${path}.${key}`) : [`${path}.${key}`],
  )
}

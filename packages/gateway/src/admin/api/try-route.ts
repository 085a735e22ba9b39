import { buildContract, ConfigurationError, type Contract, type ContractInput, readYamlConfig } from '@stickler/core'
import { type Fields, keptCallFields, readAnswerRequest, requireAnswer, settledData } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { withListedRepairs } from '@stickler/core/internal/relay'
import { catalogue } from '@stickler/presets'
import * as z from 'zod'
import { outsideRules } from '../../config/resolved/outside-rules.ts'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { writtenAnswer } from '../../records/run/written-answer.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { StoreQueries } from '../../records/store/store.ts'
import { CheckContracts, type NamedContract } from '../../routes/check/check-contracts.ts'
import { type CheckRouteParts, judgeAnswer } from '../../routes/check/check-route.ts'
import { badParameter } from './query-reader.ts'

/** What the route that tries contracts needs. */
interface TryRouteParts {
  readonly checks: CheckRouteParts
  readonly queries: Pick<StoreQueries, 'getRun'>
}

const longestYaml = 65_536
const longestText = 262_144
const mostChecks = 100
const mostCalls = 100
const mostTools = 1000
const file = 'contract.yaml'

const bodyShape = z.strictObject({
  yaml: z.string().max(longestYaml).optional().describe('A contract as it is written in a configuration file.'),
  contract: z.string().max(256).optional().describe('Name of a configured contract, in place of `yaml`.'),
  text: z.string().max(longestText).optional().describe('The answer.'),
  tool_calls: z.array(z.unknown()).max(mostCalls).optional().describe('The tool calls of the answer, beside `text`.'),
  tools: z.array(z.unknown()).max(mostTools).optional().describe('The tools that the request offered.'),
  tool_choice: z.unknown().optional().describe('Which of them it had to call.'),
  response_format: z.unknown().optional().describe('The format of the request, as chat completions have it.'),
  run: z.string().max(256).optional().describe('Id of a run whose answer is checked, in place of `text`.'),
  question: z.string().max(longestText).optional(),
})

/** Makes the route that checks an answer by a contract that is only being written; nothing is recorded, and nothing is called that no configured contract calls. */
export function tryRoute(parts: TryRouteParts): Route {
  const contracts = new CheckContracts(parts.checks.contracts)
  return {
    method: 'POST',
    path: '/api/v1/try',
    access: 'operate',
    description: tryDescription,
    async handler(exchange) {
      const body = readBody(await exchange.json())
      const said = await answerOf(body, parts.queries)
      const chosen = body.yaml === undefined ? contracts.find({ contract: body.contract, preset: undefined, repair: undefined }) : undefined
      const end = parts.checks.use?.()
      try {
        await judge(exchange, chosen ?? { name: '', contract: built(body.yaml ?? '', parts.checks) }, said, parts.checks)
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        sendJson(exchange, 200, { contractErrors: problemsOf(error) })
      } finally {
        end?.()
      }
    },
  }
}

async function judge(exchange: Exchange, chosen: NamedContract, said: Said, parts: CheckRouteParts): Promise<void> {
  const wrong = (param: string, message: string) => badParameter(param, `"${param}" ${message}.`)
  const { text, finishReason, question, calls } = said
  const finish = finishReason === undefined ? {} : { finish_reason: finishReason }
  const sent = readAnswerRequest({ text, ...calls, ...finish, ...(question === undefined ? {} : { question }) }, wrong)
  requireAnswer(sent, chosen.contract)
  const settled = withListedRepairs(await judgeAnswer({ caller: exchange, ports: parts }, sent, chosen))
  if (exchange.signal.aborted) return
  const { decision } = settled
  const report = { text: settled.text, ...settledData(settled, sent.answer, sent.rawToolCalls), decision, contract: chosen.name }
  sendJson(exchange, 200, { report })
}

type Body = z.infer<typeof bodyShape>

interface Said {
  readonly text: string
  readonly finishReason?: string
  readonly question?: string | undefined
  /** Its tool calls, and the tools and the format of its request. */
  readonly calls: Fields
}

function readBody(given: unknown): Body {
  const read = bodyShape.safeParse(given)
  const [issue] = read.success ? [] : read.error.issues
  const [field] = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? [])
  if (!read.success)
    throw badParameter(
      String(field ?? 'yaml').slice(0, 80),
      `${String(field ?? 'The body').slice(0, 80)} is not what a try takes: ${issue?.message}`,
    )
  const body = read.data
  for (const [one, other] of [
    ['yaml', 'contract'],
    ['text', 'run'],
  ] as const)
    if ((body[one] === undefined) === (body[other] === undefined)) throw badParameter(one, `Give ${one} or ${other}.`)
  return body
}

async function answerOf(
  { text, run, question, tool_calls, tools, tool_choice, response_format }: Body,
  queries: TryRouteParts['queries'],
): Promise<Said> {
  if (run === undefined) return { text: text ?? '', question, calls: { tool_calls, tools, tool_choice, response_format } }
  const found = await askStore(queries.getRun(run))
  if (found === undefined) throw new HttpError(404, 'There is no run with this id.', { param: 'run', code: 'not_found' })
  const written = writtenAnswer({ ...found, isChanged: found.repairs.length > 0 || found.fallback === true })
  if (written.missing === 'text not kept')
    throw new HttpError(400, 'The text of this run is not kept; set store.keepText to keep texts.', {
      param: 'run',
      code: 'texts_not_kept',
    })
  if (written.missing !== undefined)
    throw new HttpError(400, `This run has no whole answer to try: ${written.missing}.`, { param: 'run', code: 'answer_not_kept' })
  const asked = question ?? found.request
  const { text: said = '' } = written
  if (Math.max(said.length, asked?.length ?? 0) > longestText)
    throw new HttpError(413, `The texts of this run have more than ${longestText} characters, and a try takes no more.`, {
      param: 'run',
      code: 'run_too_large',
    })
  return { ...written, text: said, question: asked, calls: keptCallFields(written.toolCalls, found.context) }
}

/** Builds a contract from YAML; variables are not expanded, and neither files nor plugins are read. */
function built(yaml: string, { contracts }: Pick<CheckRouteParts, 'contracts'>): Contract {
  const { value, within } = readYamlConfig(yaml, file, z.looseObject({}))
  return within([], () => {
    const input = value as ContractInput
    if (input.preset === undefined && input.checks === undefined)
      throw new ConfigurationError([{ message: 'a contract needs `checks` or a `preset`', path: [] }])
    if (Array.isArray(input.checks) && input.checks.length > mostChecks)
      throw new ConfigurationError([{ message: `a contract to try may have at most ${mostChecks} checks`, path: ['checks'] }])
    const made = buildContract(input, catalogue)
    const configured = new Set(outsideRules(contracts()).map((rule) => JSON.stringify(rule)))
    const foreign = outsideRules(new Map([['', made]])).some((rule) => !configured.has(JSON.stringify(rule)))
    if (foreign)
      throw new ConfigurationError([
        {
          message: 'a try may use a program or a service only as a configured contract does; add the rule to the configuration first',
          path: ['checks'],
        },
      ])
    const asking = made.validators.find(({ prepared }) => prepared.ports?.includes('model'))
    if (asking)
      throw new ConfigurationError([{ message: `the check ${asking.name} needs a model, and a try calls none`, path: ['checks'] }])
    return made
  })
}

function problemsOf({ problems }: ConfigurationError): readonly object[] {
  return problems
    .slice(0, 100)
    .map(({ message, path, position }) => ({ message, path, line: position?.line ?? 1, column: position?.column ?? 1 }))
}

function tryDescription(): RouteDescription {
  const problem = z.looseObject({ message: z.string(), path: z.array(z.union([z.string(), z.number()])), line: z.int(), column: z.int() })
  const tried = z.looseObject({
    contractErrors: z.array(problem).optional().describe('What is wrong with the contract; there is no report then.'),
    report: z.looseObject({ status: z.string(), text: z.string() }).optional().describe('The verdict, as `/v1/check` gives it.'),
  })
  return {
    summary: 'Check an answer by a contract that is being written.',
    notes:
      'Nothing is recorded. The contract may not use plugins, files or variables, and programs or services only as configured contracts do.',
    group: 'Checks',
    body: { 'application/json': bodyShape },
    replies: { 200: { meaning: 'The verdict, or what is wrong with the contract.', content: { 'application/json': tried } } },
  }
}

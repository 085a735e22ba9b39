import { resolve } from 'node:path'
import { readGatewayConfig } from '../config/reading/read-gateway-config.ts'
import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import { resolveStore } from '../config/resolved/resolve-store.ts'
import { usualKeys, usualOperatorKeys } from '../config/schema/named-variables.ts'
import type { Environment } from '../upstreams/settings/environment.ts'
import { withSecrets } from '../upstreams/settings/hidden-fields.ts'
import { demoContracts, demoRoutes, demoUpstreams } from './demo-models.ts'
import { type DemoAnswer, demoKeyOf, demoScenes } from './demo-scenes.ts'

const inventedCode = avapAnswer('hash = getSHA256(password)', 'returnResult(hash)')
const wrappedJson = inYaml('Here you are:', '', '```json', '{"city": "Ulm", "days": 2}', '```', '', 'Anything else?')
const rightCode = avapAnswer('encodeSHA256(password, hash)', 'addResult(hash)')

/**
 * A configuration that needs no key, no network and no file: models that misbehave, and contracts
 * that correct them; first those for visitors, then those of the traffic that is played.
 */
const demoSource = (): string => `upstreams:
  - name: forgetful         # forgets the step marker, which a repair can add
    kind: scripted
    answers: [{ text: "Tell me what you want to build, then we decide together.", chunkSize: 4, delayMs: 10 }]
  - name: talkative         # says too much at first, and listens when it is told
    kind: scripted
    answers:
      - { text: "That depends on many things, and before I come to them I would like to tell you why they matter.", chunkSize: 4, delayMs: 10 }
      - { text: "Use spaces.", chunkSize: 4, delayMs: 10 }
  - name: stubborn          # never listens
    kind: scripted
    answers: [{ text: "That depends on many things, as it always does, and always will.", chunkSize: 4, delayMs: 10 }]
  - name: inventive         # invents commands, and reads what the parser says of them
    kind: scripted
    answers:
      - { text: "${inventedCode}", chunkSize: 4, delayMs: 10 }
      - { text: "${rightCode}", chunkSize: 4, delayMs: 10 }
  - name: polite            # wraps its JSON in prose and a fence
    kind: scripted
    answers: [{ text: "${wrappedJson}", chunkSize: 4, delayMs: 10 }]
  - name: quoting           # no model at all: quotes the sentences of the documents that fit best
    kind: extractive
${Object.keys(demoUpstreams).map(upstreamLine).join('\n')}
contracts:
  marked:
    checks: [step_marker]
  brief:
    checks: [{ max_words: { limit: 5 } }]
    retries: 1
    stream: hold
  trip:                     # programs that ask for JSON get the value alone
    checks: [{ json: { schema: { type: object, properties: { city: { type: string }, days: { type: integer } }, required: [city, days] } } }]
  code:
    preset: avap            # code is parsed before it is delivered
${Object.entries(demoContracts)
  .map(([name, contract]) => `  ${name}: ${JSON.stringify(contract)}`)
  .join('\n')}
routes:
  - { model: demo-repair, upstream: forgetful, contract: marked }
  - { model: demo-retry, upstream: talkative, contract: brief }
  - { model: demo-give-up, upstream: stubborn, contract: brief }
  - { model: demo-json, upstream: polite, contract: trip }
  - { model: demo-code, upstream: inventive, contract: code }
  - { model: demo-docs, upstream: quoting, pipeline: avap }
${demoRoutes.map((route) => `  - ${JSON.stringify(route)}`).join('\n')}
parser: { timeout: 60 }     # a machine that is still starting parses slowly
retrieval: { index: documents.db }
ask: { upstreams: [nova], audit: { answer: true, question: true } }
store: { keepText: true }
server: { perKey: { requestsPerMinute: 600, tokensPerDay: 2000000, usdPerDay: 20 } }
log: { level: error }       # the dashboard shows the runs
`

/**
 * The configuration of `stickler serve --demo`; runs are recorded and documents indexed below a
 * folder. Of the environment it reads only the keys of clients and operators.
 */
export async function demoConfig(folder: string, environment: Environment = {}): Promise<GatewayConfig> {
  const nothing = async (): Promise<string> => Promise.reject(new Error('the demo reads no files'))
  const env = { [usualKeys]: environment[usualKeys], [usualOperatorKeys]: environment[usualOperatorKeys] }
  const config = await readGatewayConfig(demoSource(), 'demo', { env, readFile: nothing, cwd: folder })
  const { keyCount, operatorKeyCount, keys, operatorKeys } = config.server
  const server =
    keyCount + operatorKeyCount > 0 ? config.server : withSecrets({ ...config.server, callerNames: demoKeys }, { keys, operatorKeys })
  return { ...config, server, store: resolveStore(`sqlite:${resolve(folder, 'demo.db')}`, folder, config.store) }
}

/** Nobody needs them: they only name the clients of the traffic. */
const demoKeys = ['web-shop', 'help-desk', 'mobile-app', 'ci'].map((name) => `${name}:${demoKeyOf(name)}`).join(',')

/** A scripted upstream of the traffic; its answers depend on the question. */
function upstreamLine(name: string): string {
  const said = demoScenes.flatMap(({ model, question, answers }) => {
    const route = demoRoutes.find((one) => one.model === model)
    return name === (route?.fallback?.[0]?.upstream ?? route?.upstream) ? answers.map((answer) => writtenAnswer(question, answer)) : []
  })
  const other = name === 'legacy' ? { failure: { kind: 'http', status: 503 } } : 'I only know the questions of the demo.'
  const price = demoUpstreams[name as keyof typeof demoUpstreams]
  return `  - ${JSON.stringify({ name, kind: 'scripted', price, answers: [...said, other] })}`
}

function writtenAnswer(asked: string, answer: DemoAnswer): object {
  const given = typeof answer === 'string' ? { text: answer } : answer
  if (given.failure !== undefined) return { asked, failure: given.failure }
  const said = (given.text ?? '') + JSON.stringify(given.toolCalls ?? '')
  const usage = { promptTokens: 180 + tokens(asked), completionTokens: tokens(said) }
  return { asked, chunkSize: 6, delayMs: 15, ...given, usage }
}

/** About as many as a tokenizer would count. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}

function avapAnswer(...lines: readonly string[]): string {
  return inYaml('Hash the password and return it:', '', '```avap', 'addParam(password, password)', ...lines, '```')
}

/** Lines of an answer as they are written between double quotes in YAML. */
function inYaml(...lines: readonly string[]): string {
  return lines.join('\n').replaceAll(/["\n]/g, (char) => (char === '"' ? '\\"' : '\\n'))
}

// Answer the guardrail webhook of agentgateway with verdicts of `/v1/check`: any gateway can ask Stickler in this way.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { overrideConfig, readGatewayConfig, startGateway } from '@stickler/gateway'

const contracts = 'contracts: { support: { checks: [max_words: 8, sensitive: { kinds: [email], redact: true }] } }'
const around = { env: {}, cwd: '.', readFile: async () => '' }
const config = await readGatewayConfig(contracts, 'stickler.yaml', around, { contractsAlone: true })
const stickler = await startGateway({ config: overrideConfig(config, { port: 0 }, '.'), log: { write: () => {} } })

type Choice = { message: { role: string; content: string } }
type Verdict = { status: string; text: string; issues: { message: string }[] }

/** Masks the texts of a response, or rejects all of it; what was not judged does not pass. */
async function judge(choices: Choice[]) {
  const texts: string[] = []
  for (const { message } of choices) {
    const body = JSON.stringify({ contract: 'support', text: message.content })
    const headers = { 'content-type': 'application/json' }
    const verdict = (await (await fetch(`${stickler.url}/v1/check`, { method: 'POST', headers, body })).json()) as Verdict
    const isGood = verdict.status === 'valid' || verdict.status === 'repaired'
    if (!isGood) return { body: verdict.issues?.map((issue) => issue.message).join(' ') || 'not judged', status_code: 422 }
    texts.push(verdict.text)
  }
  return { body: { choices: choices.map(({ message }, at) => ({ message: { ...message, content: texts[at] } })) } }
}

// agentgateway posts the responses of models to `/response`.
const webhook = createServer(async (request, response) => {
  const { choices } = ((await json(request)) as { body: { choices: Choice[] } }).body
  response.end(JSON.stringify({ action: await judge(choices) }))
}).listen(9010)

for (const content of ['Write to jane@acme.com, please.', 'I am afraid that this cannot be done by us today.']) {
  const body = JSON.stringify({ body: { choices: [{ message: { role: 'assistant', content } }] } })
  console.log(await (await fetch('http://127.0.0.1:9010/response', { method: 'POST', body })).text())
}
webhook.close()
await stickler.close()

// prints:
// {"action":{"body":{"choices":[{"message":{"role":"assistant","content":"Write to [EMAIL], please."}}]}}}
// {"action":{"body":"Cut the answer to at most 8 words; it has 11.","status_code":422}}

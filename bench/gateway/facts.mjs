import { join } from 'node:path'
import { flowingAnswer, nestedAnswer, wrongAnswer } from './answers.mjs'
import { bytesWith } from './candidates.mjs'
import { ask, readReply } from './client.mjs'
import { installPortkey, portkeyArguments, portkeyChecks, portkeyHeaders, portkeySchemaCheck } from './portkey.mjs'
import { freePort, startServer } from './processes.mjs'

/** What else differs, as it was seen: one row each, both side by side. */
export async function compareFacts({ checked, portkey }, { url, folder }) {
  const rows = []
  const add = (what, ours, theirs) => rows.push({ what, note: `Stickler: ${ours}; Portkey: ${theirs}` })
  const from = async ({ port }, headers, model, stream) => readReply(await ask(port, bytesWith(headers)(model, stream)))

  const denying = portkeyHeaders(url, portkeyChecks)
  const streamed = described(await from(checked, {}, 'flowing', true), flowingAnswer)
  add('a good stream, as it installs by itself', streamed, await unpinnedStream(url, join(folder, 'unpinned.log')))
  const wrong = [await from(checked, {}, 'wrong', false), await from(portkey, denying, 'wrong', false)]
  add('a wrong answer, whole', ...wrong.map((reply) => described(reply, wrongAnswer)))
  const wrongStream = [await from(checked, {}, 'wrong', true), await from(portkey, denying, 'wrong', true)]
  add('a wrong answer, streamed', ...wrongStream.map((reply) => described(reply, wrongAnswer)))
  const bySchema = portkeyHeaders(url, portkeySchemaCheck)
  const nested = [await from(checked, {}, 'nested', false), await from(portkey, bySchema, 'nested', false)]
  add('nested JSON that matches its schema', ...nested.map((reply) => described(reply, nestedAnswer)))
  return rows
}

/** The same version with the HTTP server that npm chooses for it today. */
async function unpinnedStream(url, log) {
  const folder = 'unpinned'
  const problem = await installPortkey(folder)
  if (problem !== undefined) return `not installed (${problem})`
  const port = await freePort()
  let server
  try {
    server = await startServer({ args: portkeyArguments(port, folder), port, env: { NODE_ENV: 'production' }, log })
    return described(readReply(await ask(port, bytesWith(portkeyHeaders(url))('flowing', true))), flowingAnswer)
  } catch (error) {
    // Everything else has been measured by now.
    return `failed (${error.message.split('\n')[0]})`
  } finally {
    await server?.stop()
  }
}

function described({ status, said, error }, wanted) {
  if (status > 299) return `refused with ${status}`
  if (said === wanted) return status === 200 ? 'delivered' : `delivered with ${status}`
  return error === undefined
    ? `${said.length} of ${wanted.length} characters delivered`
    : `stopped after ${said.length} characters with an error`
}

/** Loaded before the gateway: notes which files run, and who waits where a chunk is read and written. */
import { ServerResponse } from 'node:http'
import { Session } from 'node:inspector/promises'
import { register } from 'node:module'

// Files and not bundles, which hide what belongs where.
register('./unbundled.mjs', import.meta.url)
Error.stackTraceLimit = 200

const session = new Session()
session.connect()
let stacks = []
const { parse } = JSON
JSON.parse = (text, ...further) => {
  if (String(text).includes('chat.completion.chunk')) stacks.push(new Error().stack)
  return parse(text, ...further)
}
const { write } = ServerResponse.prototype
ServerResponse.prototype.write = function (...given) {
  stacks.push(new Error().stack)
  return write.apply(this, given)
}

await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
process.on('message', async (message) => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.filter(
    ({ url, functions }) => /\/packages\/[a-z]+\/dist\//.test(url) && functions.some(({ ranges }) => ranges[0].count > 0),
  )
  process.send(message === 'start' ? 'started' : { files: ran.map(({ url }) => url.replace(/.*\/packages\//, '')), stacks })
  stacks = []
})
process.channel?.unref()

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeAnswer } from './answers.mjs'
import { ask, readReply, requestBytes } from './client.mjs'
import { portkeyArguments, portkeyChecks, portkeyHeaders } from './portkey.mjs'
import { beside, freePort, startServer } from './processes.mjs'
import { sticklerArguments } from './stickler.mjs'

const messages = [
  { role: 'system', content: 'You plan short trips. Cite your sources, put the plan into a JSON block, and end with the step.' },
  { role: 'user', content: 'Two days in Ulm, please.' },
]

/** Starts everything that is measured before an upstream; each has `bytes`, which makes its request for a model. */
export async function startCandidates({ url, start, stickler, upstream }, { withPortkey, against }) {
  const portkey = (checks) =>
    start(async (port) => portkeyArguments(port), { env: { NODE_ENV: 'production' }, headers: portkeyHeaders(url, checks) })

  const candidates = {
    direct: upstream,
    raw: await start(async (port) => [beside('raw-proxy.mjs'), String(port), url]),
    plain: await stickler('plain', { enforced: false }),
    checked: await stickler('checked'),
    ...(against === undefined ? {} : { before: await stickler('before', { home: against }) }),
    ...(withPortkey ? { portkey: await portkey(), portkeyChecked: await portkey(portkeyChecks) } : {}),
  }
  for (const [name, candidate] of Object.entries(candidates)) await mustAnswer(name, candidate)
  return candidates
}

/** Starts this checkout of the gateway and another one before the same upstream. */
export async function startVersions({ stickler }, against) {
  const candidates = { before: await stickler('before', { home: against }), now: await stickler('now') }
  for (const [name, candidate] of Object.entries(candidates)) await mustAnswer(name, candidate)
  return candidates
}

/** Starts the upstream, and gives what starts others before it and what stops all of them. */
export async function startUpstream({ folder, cores }) {
  const upstreamPort = await freePort()
  const upstream = await startServer({
    args: [beside('upstream.mjs'), String(upstreamPort)],
    port: upstreamPort,
    cores: cores?.others,
    log: join(folder, 'upstream.log'),
  })
  const url = `http://127.0.0.1:${upstreamPort}`
  const started = [upstream]

  const start = async (make, { env, headers = {}, flags, printed } = {}) => {
    const port = await freePort()
    const server = await startServer({
      args: await make(port),
      port,
      cores: cores?.tested,
      env,
      flags,
      printed,
      log: join(folder, `${port}.log`),
    })
    started.push(server)
    return { ...server, bytes: bytesWith(headers) }
  }
  const stickler = (name, { enforced = true, home, env, flags, printed } = {}) => {
    const own = join(folder, name)
    const make = async (port) => {
      await mkdir(own)
      return await sticklerArguments({ port, upstream: url, folder: own, enforced, home })
    }
    return start(make, { env: { UP_KEY: 'key', ...env }, flags, printed })
  }
  const stop = () => Promise.all(started.map((server) => server.stop()))
  return { url, folder, start, stickler, stop, upstream: { ...upstream, bytes: bytesWith({}) } }
}

/** Makes requests for a model, whole or as a stream, with the headers that a server wants. */
export function bytesWith(headers) {
  return (model, stream = false) => requestBytes({ model, messages, ...(stream ? { stream } : {}) }, headers)
}

/** A candidate that answers something else is no candidate. */
async function mustAnswer(name, { port, bytes }) {
  const { status, said } = readReply(await ask(port, bytes('whole')))
  if (status !== 200 || said !== wholeAnswer) throw new Error(`${name} answered ${status} with ${said.length} characters`)
}

import { Agent, request } from 'node:http'
import { faultNames } from './upstream.mjs'

const lanes = 16
const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }
const apis = Object.keys(paths)

/** Random numbers that are the same in every run. */
function dice(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Asks until told to stop: 10 % leave in the middle, 20 % ask for a fault, the others must get their answer. */
export function startLoad(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const counts = { asked: 0, left: 0, faults: 0, wrong: 0, firstWrong: '' }
  let running = true
  const lane = async (index) => {
    const random = dice(index + 1)
    while (running) {
      const api = apis[Math.floor(random() * apis.length)]
      const stream = random() < 0.5
      const kind = random()
      const fault = kind < 0.2 ? faultNames[Math.floor(random() * faultNames.length)] : undefined
      const leaveAfterMs = kind >= 0.9 ? random() * 15 : undefined
      const got = await ask(url, agent, api, { stream, fault, leaveAfterMs })
      counts.asked++
      if (got === 'left') counts.left++
      if (fault !== undefined) counts.faults++
      if (got === 'left' || got === (fault === undefined ? 'good' : 'bad')) continue
      counts.wrong++
      counts.firstWrong ||= `${api}${stream ? ' streamed' : ''}, fault ${fault ?? 'none'}: ${got}`
    }
  }
  const done = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  return {
    counts,
    async stop() {
      running = false
      await done
      agent.destroy()
    },
  }
}

/** Resolves to `good` for a whole answer, `bad` for a proper error, `left` when it went, and to other words for anything else. */
function ask(url, agent, api, { stream, fault, leaveAfterMs }) {
  const content = fault === undefined ? 'Tabs or spaces?' : `fault: ${fault}`
  // Faults have an upstream of their own, so that its breaker keeps nobody else from theirs.
  const model = fault === undefined ? 'good' : 'faulty'
  const asked = api === 'responses' ? { input: content } : { messages: [{ role: 'user', content }], max_tokens: 100 }
  return new Promise((resolve) => {
    const outgoing = request(`${url}${paths[api]}`, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
    let leaving
    const end = (what) => {
      clearTimeout(leaving)
      resolve(what)
    }
    outgoing.on('error', ({ code }) => end(code))
    outgoing.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (piece) => {
        body += piece
      })
      response.on('end', () => end(judge(response.statusCode, body, stream)))
      response.on('error', ({ code }) => end(code))
    })
    if (leaveAfterMs !== undefined)
      leaving = setTimeout(() => {
        resolve('left')
        outgoing.destroy()
      }, leaveAfterMs)
    outgoing.end(JSON.stringify({ model, stream, ...asked }))
  })
}

function judge(status, body, stream) {
  if (status !== 200) return body.includes('"error"') ? 'bad' : `status ${status} without error`
  const isWhole = !stream || /\[DONE\]|response\.completed|message_stop/.test(body)
  if (isWhole && body.includes('spaces.')) return 'good'
  return /"error"|"type":"error"/.test(body) ? 'bad' : `status 200: ${body.slice(-200)}`
}

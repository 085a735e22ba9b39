import { setTimeout as delay } from 'node:timers/promises'

const [url, count, kind] = process.argv.slice(2)
const healthEveryMs = 50
let healthMs = 0
let isOver = false
let wrong = 0
let firstWrong

/** Asks for everybody at once, and all the while whether the gateway is well. */
const started = performance.now()
const watching = watchHealth()
await Promise.all(Array.from({ length: Number(count) }, (_, index) => ask(index)))
const seconds = (performance.now() - started) / 1000
isOver = true
await watching
process.send({ healthMs, seconds, wrong, firstWrong })
process.disconnect()

async function watchHealth() {
  while (!isOver) {
    const asked = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    healthMs = Math.max(healthMs, performance.now() - asked)
    await delay(healthEveryMs)
  }
}

async function ask(index) {
  const stream = index % 2 === 1
  const model = kind === 'long' ? (index % 4 < 2 ? 'prose' : 'object') : kind
  const body = { model, stream, messages: [{ role: 'user', content: 'Q' }] }
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status === 200 && (!stream || text.trimEnd().endsWith('[DONE]'))) return
  // Beyond a limit, an answer is refused, in a stream too.
  if (kind !== 'long' && (response.status === 502 || response.status === 200) && text.includes('upstream_protocol')) return
  wrong++
  firstWrong ??= `${response.status} ${stream ? 'streamed' : 'whole'}: ${text.slice(-300)}`
}

import type { Clock } from '@stickler/core'
import { pause, systemClock } from '@stickler/core/internal'
import { demoTools } from './demo-models.ts'
import { type DemoScene, demoKeyOf, demoScenes } from './demo-scenes.ts'

/** How the traffic of the demo is played. */
interface PlayOptions {
  /** Ends it at once. */
  readonly signal: AbortSignal
  readonly clock?: Clock
  /** About how long it takes; a minute. */
  readonly durationMs?: number
}

const rounds = 2
const mostOpen = 8
/** Every start plays the same. */
const seed = 0x51_1c_4e

/** Sends the scenes of the demo to a gateway as ordinary requests; never rejects, and resolves when the last one is answered. */
export async function playDemo(url: string, { signal, clock = systemClock, durationMs = 60_000 }: PlayOptions): Promise<void> {
  const random = randomFrom(seed)
  const gapMs = durationMs / (rounds * demoScenes.length)
  const open = new Set<Promise<void>>()
  const sessions = new Map<string, Promise<void>>()
  const send = (scene: DemoScene, round: number): void => {
    const session = scene.session && `${scene.session}-${round}`
    // The steps of a session come one after the other.
    const before = session === undefined ? undefined : sessions.get(session)
    const sent = Promise.resolve(before)
      .then(() => ask(url, scene, session, signal))
      // The gateway is closing, or a failure is what the scene shows.
      .catch(() => {})
      .finally(() => open.delete(sent))
    open.add(sent)
    if (session !== undefined) sessions.set(session, sent)
  }
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const scene of demoScenes) {
        await pause(gapMs * (0.4 + 1.2 * random()), signal, clock)
        if (open.size >= mostOpen) await Promise.race(open)
        send(scene, round)
      }
      // The script gives the answers to a question in turn: two requests with the same one must not overlap.
      await Promise.all(open)
    }
  } catch {
    // Only a stop ends a pause early.
  }
  await Promise.all(open)
}

async function ask(url: string, scene: DemoScene, session: string | undefined, signal: AbortSignal): Promise<void> {
  const { api = 'chat', key } = scene
  const { path, body } = requests[api](scene)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (api === 'messages') headers['x-api-key'] = demoKeyOf(key)
  else headers.authorization = `Bearer ${demoKeyOf(key)}`
  if (session !== undefined) headers['x-stickler-session'] = session
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body), signal })
  await response.arrayBuffer()
}

/** The same request for each API. */
const requests: Readonly<Record<NonNullable<DemoScene['api']>, (scene: DemoScene) => { readonly path: string; readonly body: object }>> = {
  chat: ({ model, question, stream, tools }) => ({
    path: '/v1/chat/completions',
    body: {
      model,
      messages: [{ role: 'user', content: question }],
      ...(stream && { stream }),
      ...(tools && { tools: demoTools.map((tool) => ({ type: 'function', function: tool })) }),
    },
  }),
  responses: ({ model, question, stream, tools }) => ({
    path: '/v1/responses',
    body: {
      model,
      input: question,
      ...(stream && { stream }),
      ...(tools && { tools: demoTools.map((tool) => ({ type: 'function', ...tool })) }),
    },
  }),
  messages: ({ model, question, stream, tools }) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 1024,
      messages: [{ role: 'user', content: question }],
      ...(stream && { stream }),
      ...(tools && { tools: demoTools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })) }),
    },
  }),
  ask: ({ question }) => ({
    path: '/ask',
    body: {
      question,
      sources: [
        { urn: 'urn:demo:reviews', payload: 'Reviews of May: the size chart runs small.' },
        { urn: 'urn:demo:survey', payload: 'Survey of May: most shoes came back for their size.' },
      ],
    },
  }),
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

import { expect } from 'vitest'
import type { Behaviour, ProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'

/** Aborts a call while its provider answers; the caller must get an error, and the provider be told. */
export async function abortMidway(
  upstream: ProgrammableUpstream,
  behaviour: Behaviour,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController()
  const before = upstream.requests.length
  upstream.enqueue(behaviour)
  const ending = expect(ask(controller.signal)).rejects.toThrow()
  while (upstream.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 2))
  // So that a part of the answer has arrived.
  await new Promise((resolve) => setTimeout(resolve, 50))
  controller.abort()
  await ending
  await upstream.requests[before]?.closed
  expect(upstream.requests[before]?.aborted).toBe(true)
}

import { RunnerFailure } from '../../engine/runner-failure.ts'
import { secretRoom } from '../secrets.ts'

/** How much of what a provider sent is kept for a failure; less of it is told. */
export const maxBodyExcerpt = 4096 + secretRoom

/** The failure for an answer that makes no sense, with the beginning of what came instead. */
export function protocolFailure(what: string, body = ''): RunnerFailure {
  const shown = excerpt(body)
  return new RunnerFailure(
    'protocol',
    shown === '' ? what : `${what}: ${shown}`,
    body === '' ? {} : { body: body.slice(0, maxBodyExcerpt) },
  )
}

/** Longer than what is told in the end: secrets are masked before the cut. */
export function excerpt(text: string): string {
  return text.slice(0, secretRoom).trim()
}

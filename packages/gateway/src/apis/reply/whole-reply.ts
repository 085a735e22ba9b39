import { enforce, type Outcome } from '@stickler/core'
import { type Choice, prepareChoices } from '../../enforcement/job.ts'
import { withListedRepairs } from '../../enforcement/listed-repairs.ts'
import { endedOutcome } from '../../enforcement/preparing/ended-outcome.ts'
import { isCutOff } from '../../front/replies/going-down.ts'
import { sendJsonText } from '../../front/replies/json-response.ts'
import { wholeRelay } from '../relay/whole-relay.ts'
import type { Work } from '../work.ts'
import { together } from './together.ts'

/** Sends a whole reply, when every choice meets the contract. */
export async function wholeReply(work: Work): Promise<void> {
  try {
    await reply(work)
  } finally {
    work.tell()
  }
}

async function reply(work: Work): Promise<void> {
  const { exchange, api, request } = work
  const choices = prepareChoices(work.job, undefined, work.listener)
  const outcomes = (await together(choices.map(outcomeOf))).map(withListedRepairs)
  const error = work.failure(outcomes)
  const unkept = await work.record(choices, outcomes, error?.status ?? 200, error)
  if (exchange.signal.aborted && !isCutOff(exchange.signal)) return
  const failure = error ?? unkept
  if (failure !== undefined) throw failure
  const final = work.reply(choices, outcomes)
  const body = wholeRelay(work, choices, outcomes, final) ?? api.reply(request, final)
  sendJsonText(exchange, 200, body, {
    ...work.headers(outcomes),
    ...work.openingHeaders(choices),
  })
}

function outcomeOf({ options, ended }: Choice): Promise<Outcome> {
  return ended === undefined ? enforce(options) : Promise.resolve(endedOutcome(options, ended))
}

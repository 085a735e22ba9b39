import { enforce, type Outcome } from '@stickler/core'
import { answeringReply } from '../../enforcement/answering-reply.ts'
import { type Choice, prepareChoices } from '../../enforcement/job.ts'
import { withListedRepairs } from '../../enforcement/listed-repairs.ts'
import { endedOutcome } from '../../enforcement/preparing/ended-outcome.ts'
import { isCutOff } from '../../front/replies/going-down.ts'
import { sendJsonText } from '../../front/replies/json-response.ts'
import { largeBytes } from '../../upstreams/transport/decoded-body.ts'
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
  const { exchange } = work
  const choices = prepareChoices(work.job, undefined, work.listener)
  let outcomes: readonly Outcome[] = (await together(choices.map(outcomeOf))).map(withListedRepairs)
  let error = work.failure(outcomes)
  const isGone = () => exchange.signal.aborted && !isCutOff(exchange.signal)
  let written: Written | undefined
  if (error === undefined && !isGone()) {
    // Before the record, which says what is really sent.
    try {
      if (isLarge(choices, outcomes)) await work.pause()
      written = write(work, choices, outcomes)
    } catch (thrown) {
      ;({ outcomes, error } = work.unwritten(outcomes, thrown))
    }
  }
  const unkept = await work.record(choices, outcomes, error?.status ?? 200, error)
  if (isGone()) return
  const failure = error ?? unkept
  if (failure !== undefined) throw failure
  if (written !== undefined) sendJsonText(exchange, 200, written.body, written.headers)
}

/** A reply as it is sent. */
interface Written {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function write(work: Work, choices: readonly Choice[], outcomes: readonly Outcome[]): Written {
  const final = work.reply(choices, outcomes)
  const body = wholeRelay(work, choices, outcomes, final) ?? work.api.reply(work.request, final)
  return { body, headers: { ...work.headers(outcomes), ...work.openingHeaders(choices) } }
}

/** Whether writing an answer takes so long that others have their turn before. */
function isLarge([choice]: readonly Choice[], outcomes: readonly Outcome[]): boolean {
  const given = choice && answeringReply(choice)?.call.relay?.()?.reply?.body.length
  return (given ?? 0) > largeBytes || outcomes.some(({ text }) => text.length > largeBytes)
}

function outcomeOf({ options, ended }: Choice): Promise<Outcome> {
  return ended === undefined ? enforce(options) : Promise.resolve(endedOutcome(options, ended))
}

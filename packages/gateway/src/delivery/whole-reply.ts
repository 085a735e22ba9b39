import { enforce, type Outcome } from '@stickler/core'
import { isCutOff } from '../front/replies/going-down.ts'
import { sendJsonText } from '../front/replies/json-response.ts'
import type { Choice } from '../requests/choice.ts'
import type { ModelRequest } from '../requests/model-request.ts'
import { endedOutcome } from '../requests/pipeline/ended-outcome.ts'
import { withListedRepairs } from '../services/listed-repairs.ts'
import { largeBytes } from '../upstreams/transport/decoded-body.ts'
import { wholeRelay } from './relay/whole-relay.ts'
import { failureOf, finalReply, openingHeaders, unwritten, verdictHeaders } from './reply/reply-parts.ts'

/** Sends a whole reply, when every choice meets the contract. */
export async function wholeReply(request: ModelRequest): Promise<void> {
  const { caller } = request
  try {
    const running = request.open().map(outcomeOf)
    // A single one, the common case, without the cost of `Promise.all`.
    let outcomes: readonly Outcome[] = running.length === 1 ? [await (running[0] as Promise<Outcome>)] : await Promise.all(running)
    let error = failureOf(request, outcomes)
    const isGone = () => caller.signal.aborted && !isCutOff(caller.signal)
    let written: Written | undefined
    if (error === undefined && !isGone()) {
      // Before the record, which says what is really sent.
      try {
        if (isLarge(request, outcomes)) await request.pause()
        written = write(request, outcomes)
      } catch (thrown) {
        ;({ outcomes, error } = unwritten(request, outcomes, thrown))
      }
    }
    const unkept = await request.keep(outcomes, error?.status ?? 200, error)
    if (isGone()) return
    const failure = error ?? unkept
    if (failure !== undefined) throw failure
    if (written !== undefined) sendJsonText(caller, 200, written.body, written.headers)
  } finally {
    request.tell()
  }
}

/** A reply as it is sent. */
interface Written {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function write(request: ModelRequest, outcomes: readonly Outcome[]): Written {
  const final = finalReply(request, outcomes)
  const body = wholeRelay(request, outcomes, final) ?? request.api.reply(request.sent, final)
  return { body, headers: { ...verdictHeaders(request, outcomes), ...openingHeaders(request) } }
}

/** Whether writing an answer takes so long that others have their turn before. */
function isLarge({ choices }: ModelRequest, outcomes: readonly Outcome[]): boolean {
  const given = choices[0]?.answering?.call.relay?.()?.reply?.body.length
  return (given ?? 0) > largeBytes || outcomes.some(({ text }) => text.length > largeBytes)
}

async function outcomeOf({ options, ended }: Choice): Promise<Outcome> {
  return withListedRepairs(ended === undefined ? await enforce(options) : endedOutcome(options, ended))
}

import type { Passes } from '../../apis/shared/references.ts'
import type { Wire, WireChanges, WireEvent } from '../../apis/shared/wire.ts'
import type { Attempt } from '../attempts/attempt.ts'
import type { CallRelay } from '../calls/upstream-call.ts'
import type { RelayedChoice, RelayedRequest } from '../relayed-request.ts'
import { reasoningSecrets } from '../reply/reasoning-secrets.ts'
import { passesIn } from '../reply/safe-links.ts'
import { MadeEvents, type MadeWriter } from './encoded-events.ts'
import { type QueueSettings, RelayQueue } from './relay-queue.ts'

/** What the events of providers need of the stream that they are shown in. */
interface NativeStream {
  /** Writes an event after those that the client has. */
  write(relay: CallRelay, event: WireEvent, changes: WireChanges): void
  /** The id of the answer that the client has seen the beginning of. */
  shownId(): string | undefined
}

/** The queues of a stream, one for each call that is answered in the client's API, and one for each attempt in another. */
export class AttemptQueues {
  /** Whether what is beside text is searched for what must not be shown. */
  readonly isSearched: boolean
  readonly #request: RelayedRequest
  readonly #settings: Pick<QueueSettings, 'isLive' | 'out'> & { readonly isEager: boolean }
  readonly #writer: MadeWriter
  readonly #native: NativeStream
  readonly #made = new Map<Attempt, MadeEvents>()
  readonly #queues = new Map<CallRelay | MadeEvents, RelayQueue>()

  constructor(
    request: RelayedRequest,
    settings: Pick<QueueSettings, 'isLive' | 'out'> & { readonly isEager: boolean },
    writer: MadeWriter,
    native: NativeStream,
  ) {
    this.#request = request
    this.#settings = settings
    this.#writer = writer
    this.#native = native
    this.isSearched = reasoningSecrets(request.target) !== undefined
  }

  /** Where the events of an attempt are: a provider that streams in the client's API has its own, those of all others are made. Nothing else asks for that. */
  sourceOf(attempt: Attempt): CallRelay | MadeEvents {
    const relay = attempt.call.relay?.()
    if (relay !== undefined && relay.reply === undefined) return relay
    const known = this.#made.get(attempt)
    if (known !== undefined) return known
    const made = new MadeEvents(attempt.choice, this.isSearched, this.#settings.isEager)
    this.#made.set(attempt, made)
    return made
  }

  /** The queue of an attempt, where there is one. */
  known(attempt: Attempt): RelayQueue | undefined {
    return this.#queues.get(this.sourceOf(attempt))
  }

  /** The queue of an attempt of a choice. */
  of(choice: RelayedChoice, attempt: Attempt): RelayQueue {
    const source = this.sourceOf(attempt)
    const known = this.#queues.get(source)
    if (known !== undefined) return known
    const queue = new RelayQueue(this.#settingsOf(choice, attempt, source))
    this.#queues.set(source, queue)
    return queue
  }

  #settingsOf(choice: RelayedChoice, attempt: Attempt, source: CallRelay | MadeEvents): QueueSettings {
    const { sent, target, shownModel } = this.#request
    const { isLive, isEager, out } = this.#settings
    const isSingle = attempt.call.choices.length === 1
    const secrets = reasoningSecrets(target)
    const search = (event: WireEvent): WireEvent => secrets?.event(event, source.events) ?? event
    const shared = {
      isSingle,
      out,
      holds: (event: WireEvent) => secrets?.holds(event, source.events) ?? false,
      prepare: (pause: () => Promise<void>) => secrets?.prepare(source.events, pause),
    }
    if (source instanceof MadeEvents) {
      const write: QueueSettings['write'] = (event, changes) => this.#writer.write(choice.index, source, event, changes)
      return { ...shared, relay: source, changes: {}, isLive: false, isEager, wantsUsage: false, isOpen: false, write, sound: search }
    }
    const shownId = this.#native.shownId()
    return {
      ...shared,
      relay: source,
      changes: {
        ...(shownModel === undefined ? {} : { model: shownModel }),
        ...(shownId ? { id: shownId } : {}),
        ...(isSingle && (sent.chat.n ?? 1) > 1 ? { choice: choice.index } : {}),
      },
      isLive,
      wantsUsage: sent.includeUsage,
      isOpen: shownId !== undefined,
      write: (event, changes) => this.#native.write(source, event, changes),
      sound: soundIn(source.wire, passesIn(target), search),
    }
  }
}

/** Events, searched, without the references that do not pass. */
function soundIn(wire: Wire, passes: Passes | undefined, search: (event: WireEvent) => WireEvent): QueueSettings['sound'] {
  return (event) => (passes === undefined ? search(event) : wire.passEvent(search(event), passes))
}

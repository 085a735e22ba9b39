import { errorObjectFailure } from '@stickler/core/runners'
import type { Push } from '../resilience/lanes.ts'
import { protocolFailure } from '../transport/failures.ts'
import { isRecord, parseJson } from '../transport/json.ts'
import { saidBytes } from '../transport/said-bytes.ts'
import type { Endings } from './choice-end.ts'
import { ChoiceAssembly, type Emit, readWholeChoice } from './openai-choice.ts'
import { RepeatedChunk } from './repeated-chunk.ts'
import type { HeadAssembly } from './reply-head.ts'

/** Reads a chat completion that came in one piece. */
export function readCompletion(body: string, count: number, head: HeadAssembly, endings: Endings, push: Push): void {
  const reply = parseJson(body)
  if (!isRecord(reply)) throw protocolFailure(body.trim() === '' ? 'the response is empty' : 'the response is not a JSON object', body)
  const error = errorObjectFailure(reply)
  if (error !== undefined) throw error
  if (!Array.isArray(reply.choices)) throw protocolFailure('the response has no choices', body)
  head.take(reply)
  const found = choicesByIndex(reply.choices)
  for (let lane = 0; lane < count; lane++) {
    const choice = found.get(lane)
    if (choice === undefined) throw missingChoice(lane, count)
    readWholeChoice(choice, endings, (event) => push(lane, event))
  }
}

function choicesByIndex(choices: readonly unknown[]): ReadonlyMap<number, Readonly<Record<string, unknown>>> {
  const found = new Map<number, Readonly<Record<string, unknown>>>()
  choices.forEach((choice, position) => {
    if (isRecord(choice)) found.set(typeof choice.index === 'number' ? choice.index : position, choice)
  })
  // Some providers give every choice the same index.
  if (found.size < choices.length) {
    choices.forEach((choice, position) => {
      if (isRecord(choice)) found.set(position, choice)
    })
  }
  return found
}

/** Puts a chat completion together from its chunks. */
export class CompletionChunks {
  readonly #count: number
  readonly #head: HeadAssembly
  readonly #endings: Endings
  readonly #choices = new Map<number, ChoiceAssembly>()
  #push: Push = () => {}
  #unfinished: number
  readonly #repeated = new RepeatedChunk()
  /** Takes the text of a chunk that says nothing else that is new. */
  #takeText: (text: string) => void = () => {}

  constructor(count: number, head: HeadAssembly, endings: Endings) {
    this.#count = count
    this.#head = head
    this.#endings = endings
    this.#unfinished = count
  }

  /** Whether all choices have said that they are done. */
  get finished(): boolean {
    return this.#unfinished === 0
  }

  /** Says where events go from now on. */
  sendTo(push: Push): void {
    this.#push = push
  }

  /** Takes a chunk; `data: [DONE]` is the end, never a chunk. */
  take(event: string, chunk: Readonly<Record<string, unknown>>, text: string): boolean {
    const error = errorObjectFailure(event === 'error' && chunk.error === undefined ? { error: chunk } : chunk)
    if (error !== undefined) throw error
    this.#head.take(chunk)
    this.#takeText = () => {}
    this.#repeated.learn(text, chunk)
    if (!Array.isArray(chunk.choices)) return false
    for (const choice of chunk.choices) {
      if (isRecord(choice)) this.#takeChoice(typeof choice.index === 'number' ? choice.index : 0, choice)
    }
    return false
  }

  /** Takes a chunk that repeats the one before in everything but its text. */
  takeUnread(event: string, data: string): number | undefined {
    const text = event === 'error' ? undefined : this.#repeated.textOf(data)
    if (text !== undefined) this.#takeText(text)
    return text?.length
  }

  /** Ends all choices. */
  end(): void {
    for (let lane = 0; lane < this.#count; lane++) {
      const choice = this.#choices.get(lane)
      if (choice === undefined) throw missingChoice(lane, this.#count)
      choice.end((event) => this.#push(lane, event))
    }
  }

  #takeChoice(lane: number, choice: Readonly<Record<string, unknown>>): void {
    // What was not asked for has no reader.
    if (!(lane >= 0 && lane < this.#count)) return
    let assembly = this.#choices.get(lane)
    if (assembly === undefined) {
      assembly = new ChoiceAssembly(this.#endings)
      this.#choices.set(lane, assembly)
    }
    const known = assembly
    const emit: Emit = (event) => this.#push(lane, event)
    this.#takeText = (text) => known.takeText(text, emit)
    const wasFinished = assembly.finished
    assembly.take(choice, emit)
    this.#countCalls(isRecord(choice.delta) ? choice.delta : choice.message)
    if (!wasFinished && assembly.finished) this.#unfinished--
  }

  /** Calls are told at the end, but paid for as they come. */
  #countCalls(said: unknown): void {
    if (!isRecord(said)) return
    const { tool_calls: calls, function_call: call } = said
    if (calls !== undefined || call !== undefined) this.#head.receive(saidBytes(calls) + saidBytes(call))
  }
}

function missingChoice(lane: number, count: number): Error {
  return protocolFailure(count === 1 ? 'the response has no choice' : `the response has no choice ${lane}, though ${count} were asked for`)
}

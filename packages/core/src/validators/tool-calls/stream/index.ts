import { hasVisible } from '../../../answer/characters.ts'
import type { AnswerReader } from '../../../answer/reader.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'
import { releaseAll } from '../../shared/release-all.ts'
import { type Tools, toolsByName } from '../text-calls/find.ts'
import { CallLead } from './call-lead.ts'
import { CallTagWatch } from './call-tag-watch.ts'

/** Starts the watch for calls in the text; where nothing may be called, none can begin. With `needsText`, nothing is released before the body shows something. */
export function watchTextCalls(tools: readonly ToolDefinition[], needsText: boolean): IncrementalCheck<never> {
  const calls = tools.length === 0 ? releaseAll() : new TextCallStream(toolsByName(tools))
  return needsText ? new SeenText(calls) : calls
}

/** Holds reasoning until text follows: alone it is no answer. */
class SeenText implements IncrementalCheck<never> {
  readonly #calls: IncrementalCheck<never>
  #length = 0
  #isSeen = false

  constructor(calls: IncrementalCheck<never>) {
    this.#calls = calls
  }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    const progress = this.#calls.push(chunk, reader)
    if (this.#isSeen) return progress
    // Before its first line begins, a text may still turn out to be reasoning.
    const isOpen = reader.inReasoning || (reader.lineHead === '' && reader.linesRead === 0)
    this.#isSeen = !isOpen && hasVisible(chunk.slice(Math.max(0, reader.bodyStart - this.#length)))
    this.#length += chunk.length
    return this.#isSeen ? progress : { safe: 0 }
  }
}

/** Holds text from the first place where a call that is written as text may begin. */
class TextCallStream implements IncrementalCheck<never> {
  readonly #tools: Tools
  #length = 0
  #bodyStart = 0
  /** Until the body cannot be nothing but calls any more. */
  #lead: CallLead | undefined
  #tags: CallTagWatch

  constructor(tools: Tools) {
    this.#tools = tools
    this.#lead = new CallLead(tools)
    this.#tags = new CallTagWatch(0)
  }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    const { bodyStart } = reader
    if (bodyStart > this.#bodyStart) this.#restart(bodyStart)
    const piece = chunk.slice(Math.max(0, bodyStart - this.#length))
    this.#length += chunk.length
    if (piece !== '') {
      this.#lead?.push(piece)
      if (this.#lead?.isOpen === false) this.#lead = undefined
      this.#tags.push(piece, reader)
    }
    return { safe: this.#lead ? bodyStart : this.#tags.hold }
  }

  /** Calls in reasoning do not count. */
  #restart(bodyStart: number): void {
    this.#bodyStart = bodyStart
    this.#lead = new CallLead(this.#tools)
    this.#tags = new CallTagWatch(bodyStart)
  }
}

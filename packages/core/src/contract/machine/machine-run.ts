import type { Answer } from '../../answer/answer.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../certificate.ts'
import { type Fact, type Finding, fact, type IssueDraft } from '../issue.ts'
import { InlineCodeWatch, KeptText } from './kept-text.ts'
import type { Machine, Reading, StartMachine, Wrong } from './machine.ts'
import type { CheckContext, IncrementalCheck, PreparedValidator, Progress, StreamContract } from './prepared-validator.ts'

type Change = Omit<Certificate, 'before'>

/** So many issues say enough of one answer. */
const mostIssues = 50

/** Text that is not needed is dropped when there is so much more: the outline need not be read with every piece. */
const mostKept = 4096

const none: readonly never[] = []

const editing: StreamContract = { repairs: true, allow: none, allowNow: none, edits: true }

/** What a validator has beside its machine; with `edits`, its repair makes the changes that the machine reports. */
interface Terms<Code extends string> extends Omit<PreparedValidator<Code>, 'check' | 'incremental'> {
  /** Set when these changes are made at the end only, and not in a stream. */
  readonly repairsAtEnd?: true
  /** Set when it reads reasoning too, and not only the body. */
  readonly reads?: 'all' | undefined
}

/** Makes the check, the incremental form and the repair of one machine. */
export function prepareMachine<Code extends string>(
  start: StartMachine<Code>,
  { repairsAtEnd, reads, ...terms }: Terms<NoInfer<Code>> = {},
): PreparedValidator<Code> {
  const run = (context: CheckContext, contract?: StreamContract) => new MachineRun(start, reads === 'all', context, contract)
  const repair: PreparedValidator['repair'] = (answer, _issues, context) => run(context, editing).changes(answer)
  return {
    ...((repairsAtEnd || terms.edits !== undefined) && { repair }),
    ...terms,
    check: (answer, context) => run(context).end(answer),
    incremental: run,
  }
}

/** The check of the whole answer has the verdict. */
const released = { safe: Number.POSITIVE_INFINITY }

/** Runs a machine over one answer: whole, or piece by piece to its end. */
class MachineRun<Code extends string> implements Reading<Code>, IncrementalCheck<Code> {
  readonly locale: CheckContext['locale']
  readonly context: CheckContext['context']
  readonly allow: StreamContract['allow']
  readonly isEditing: boolean
  answer: Answer | undefined
  readonly #contract: StreamContract | undefined
  readonly #start: StartMachine<Code>
  /** Started with the first text, so that it always has an outline. */
  #machine: Machine | undefined
  readonly #readsAll: boolean
  /** What a stream is read with; absent in a whole answer. */
  #reader: AnswerOutline | undefined
  /** Looks for the start of a stream's body, as long as that has not come. */
  #reasoning: ReasoningSkipper | undefined
  /** Whether the text so far may be body or the start of reasoning. */
  #isUndecided = false
  #length = 0
  #kept: KeptText | undefined
  #dropped = 0
  #code: InlineCodeWatch | undefined
  /** What may be reported of what was found. */
  readonly #found: Wrong<Code>[] = []
  /** How many were found of each rank, by severity. */
  readonly #counts = { errors: new Map<number, number>(), warnings: new Map<number, number>() }
  /** The first error of a stream. */
  #first: Wrong<Code> | undefined
  #facts: readonly Fact[] = none
  #changes: Change[] = []
  /** Where the last change that was made ends. */
  #changed = 0
  /** The same object every time: there is one for every few characters. */
  readonly #progress = { safe: 0 }
  #failed: Progress<Code> | undefined

  constructor(start: StartMachine<Code>, readsAll: boolean, { locale, context }: CheckContext, contract?: StreamContract) {
    this.locale = locale
    this.context = context
    this.#contract = contract
    this.allow = contract?.allow ?? none
    this.isEditing = contract?.edits === true
    this.#readsAll = readsAll
    this.#start = start
  }

  get outline(): AnswerOutline {
    const outline = this.answer?.outline ?? this.#reader
    if (outline === undefined) throw new Error('a machine was started without text')
    return outline
  }

  get closed(): number {
    return this.answer === undefined && this.#reader !== undefined ? this.#reader.closed : Number.POSITIVE_INFINITY
  }

  inCode(offset: number): boolean {
    if (this.answer !== undefined) return this.answer.inCode(offset)
    if (this.#reader === undefined || this.#reader.inFence(offset)) return this.#reader !== undefined
    this.#code ??= new InlineCodeWatch(this)
    return this.#code.holds(offset, this.#reader)
  }

  slice({ start, end }: TextSpan): string {
    if (this.answer !== undefined) return this.answer.text.slice(start, end)
    return this.#kept?.slice({ start, end }) ?? this.#reader?.text.slice(start, end) ?? ''
  }

  wrong(found: Wrong<Code>): void {
    if (this.isEditing) return
    const { rank = 0, at, isWarning } = found
    const counts = isWarning ? this.#counts.warnings : this.#counts.errors
    const count = counts.get(rank) ?? 0
    counts.set(rank, count + 1)
    const isFirst = !isWarning && at < (this.#first?.at ?? Number.POSITIVE_INFINITY)
    if (isFirst) this.#first = found
    if (count < mostIssues || isFirst) this.#found.push(found)
  }

  fix(change: Change): void {
    if (this.isEditing) this.#changes.push(change)
  }

  fact(name: string, value: unknown): void {
    this.#facts = [...this.#facts, fact(name, value)]
  }

  push(chunk: string, reader: AnswerOutline): Progress<Code> {
    if (this.#failed !== undefined) return this.#failed
    const machine = this.#machine ?? this.#begin(reader)
    if (machine.readsWhole) return released
    this.#length += chunk.length
    this.#kept?.push(chunk)
    const body = this.#reasoning === undefined ? chunk : this.#skip(chunk, this.#reasoning)
    if (body !== '') machine.read(body, this.#length - body.length, false)
    const { safe } = machine
    this.#progress.safe = this.#isUndecided ? 0 : safe < this.#length ? safe : this.#length
    if (this.#first !== undefined && this.#progress.safe >= this.#first.start) {
      this.#failed = this.#fail(this.#first)
      return this.#failed
    }
    return this.#kept === undefined ? this.#progress : this.#settle(this.#kept, reader)
  }

  #begin(reader: AnswerOutline): Machine {
    this.#reader = reader
    const machine = this.#start(this)
    this.#machine = machine
    if (!this.#readsAll) this.#reasoning = new ReasoningSkipper()
    if (machine.reach !== undefined || this.isEditing) this.#kept = new KeptText()
    return machine
  }

  /** The part of a piece that is body, as long as that may not have begun. */
  #skip(chunk: string, reasoning: ReasoningSkipper): string {
    const body = reasoning.push(chunk)
    this.#isUndecided = body === '' && !reasoning.isOpen && reasoning.bodyStart === 0
    if (body !== '') this.#reasoning = undefined
    return body
  }

  /** Makes the changes that are due, and forgets text that is not needed any more. */
  #settle(kept: KeptText, reader: AnswerOutline): Progress<Code> {
    const edits = this.#changes.length > 0 ? this.#make(this.#progress.safe) : none
    if (this.#length - this.#dropped > mostKept) {
      this.#dropped = this.#length
      kept.dropTo(Math.min(this.#progress.safe, reader.closed) - (this.#machine?.reach ?? 0))
    }
    if (this.#changed > this.#progress.safe) this.#progress.safe = this.#changed
    return edits.length > 0 ? { safe: this.#progress.safe, edits } : this.#progress
  }

  end(answer: Answer): readonly Finding<Code>[] {
    this.#finish(answer)
    if (this.#found.some(({ rank }) => rank !== undefined)) this.#found.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    const issues: IssueDraft<Code>[] = []
    for (const found of this.#found) {
      if (issues.length >= mostIssues) break
      for (const issue of [found.issue(answer.text, true)].flat()) issues.push(issue)
    }
    return [...this.#facts, ...issues.slice(0, mostIssues)]
  }

  /** The changes that a repair of a whole answer makes. */
  changes(answer: Answer): readonly Certificate[] {
    this.#finish(answer)
    return this.#make(Number.POSITIVE_INFINITY)
  }

  #finish(answer: Answer): void {
    this.answer = answer
    const { length } = answer.text
    const start = this.#readsAll ? 0 : answer.bodyStart
    const body = this.#reader === undefined ? answer.text.slice(start) : (this.#reasoning?.end() ?? '')
    const machine = this.#machine ?? this.#start(this)
    machine.read(body, length - body.length, true)
  }

  /** Ends a stream with the errors that the text shows first. */
  #fail({ at }: Wrong<Code>): Progress<Code> {
    const first = this.#found.filter((one) => one.at === at && !one.isWarning)
    const isRepaired = ({ repair }: Wrong<Code>): boolean => repair !== undefined && this.#contract?.allowNow.includes(repair) === true
    const text = this.#reader?.text ?? ''
    const issues = first.flatMap((one) => one.issue(text, false))
    const others = this.#found.filter((one) => one.at !== at && !one.isWarning).slice(0, mostIssues)
    const further = others.flatMap((one) => one.issue(text, false))
    const safe = first.reduce((least, { start }) => Math.min(least, start), at)
    return {
      safe,
      failure: { at, issues, ...(further.length > 0 && { further }), ...(!first.every(isRepaired) && { final: true as const }) },
    }
  }

  /** Makes the changes that begin in text that is safe: no further one can begin there. */
  #make(safe: number): readonly Certificate[] {
    const isReady = ({ span }: Change): boolean => span.start < safe
    const ready = this.#changes.filter(isReady).sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
    this.#changes = this.#changes.filter((one) => !isReady(one))
    const made: Certificate[] = []
    for (const { rule, class: kind, span, after, ...rest } of ready) {
      if (span.start < this.#changed) continue
      this.#changed = span.end
      made.push({ rule, class: kind, span, before: this.slice(span), after, ...rest })
    }
    return made
  }
}

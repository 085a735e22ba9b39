import { Answer } from '../answer/answer.ts'
import type { Contract } from '../contract/contract.ts'
import type { Issue } from '../contract/issue.ts'
import { errorsOf } from '../engine/check/report.ts'
import type { Settled } from '../engine/repair/settled.ts'

/** Judges an answer by all checks of a contract, or by those with these names. */
export type Settle = (answer: Answer, only?: readonly string[]) => Promise<Settled>

/** Whether a validator judges a value, calls, or what the model was given; or asks a program or service, which would be asked for each text. */
function isOfWhole({ definition, prepared }: Contract['validators'][number]): boolean {
  const { judges } = definition
  return judges === 'context' || judges === 'calls' || prepared.value !== undefined || prepared.asks !== undefined
}

/** A verdict on one text of data. */
interface JudgedText {
  /** Absent when there is nothing against it but what it alone need not have. */
  readonly found: Settled | undefined
  /** Set when one validator finds both what is wrong with the text and what it need not have, so that its repairs cannot be told apart. */
  readonly isMixed: boolean
}

/** Judges the texts of data, each by itself. */
export class TextJudge {
  readonly #settle: Settle
  readonly #names: readonly string[]
  readonly #forKeys: readonly string[]
  readonly #local: readonly string[]
  #needed: Promise<ReadonlySet<string>> | undefined

  constructor(validators: Contract['validators'], settle: Settle) {
    const ofText = validators.filter((validator) => !isOfWhole(validator))
    this.#settle = settle
    this.#names = ofText.map(({ name }) => name)
    this.#forKeys = ofText.filter(({ definition }) => definition.judges !== 'prose').map(({ name }) => name)
    this.#local = ofText.filter(({ prepared }) => prepared.edits !== undefined).map(({ name }) => name)
  }

  /** Whether no validator judges texts. */
  get isIdle(): boolean {
    return this.#names.length === 0
  }

  text(text: string): Promise<JudgedText> {
    return this.#judge(text, this.#names, this.#local)
  }

  async key(key: string): Promise<Settled | undefined> {
    return this.#forKeys.length === 0 ? undefined : (await this.#judge(key, this.#forKeys)).found
  }

  /** Numbers have no escapes, so those who read the whole as JSON need not read them again. */
  async numbers(text: string): Promise<Settled | undefined> {
    return this.#local.length === 0 ? undefined : (await this.#judge(text, this.#local)).found
  }

  /** `strict` are the validators that do not judge the whole, so that each text must have all that they ask for. */
  async #judge(text: string, names: readonly string[], strict: readonly string[] = []): Promise<JudgedText> {
    const found = await this.#settle(new Answer(text), names)
    const errors = errorsOf(found.found)
    if (errors.length === 0) return { found, isMixed: false }
    this.#needed ??= this.#findNeeded()
    const needed = await this.#needed
    const isNeeded = (issue: Issue): boolean => needed.has(keyOf(issue)) && !strict.includes(issue.validator)
    const asking = new Set(errors.filter(isNeeded).map(({ validator }) => validator))
    if (asking.size === 0) return { found, isMixed: false }
    if (errors.some((issue) => asking.has(issue.validator) && !isNeeded(issue))) return { found, isMixed: true }
    const others = names.filter((name) => !asking.has(name))
    return { found: others.length === 0 ? undefined : await this.#settle(new Answer(text), others), isMixed: false }
  }

  /** What an empty text lacks too is asked of the whole: one of its texts may have it. */
  async #findNeeded(): Promise<ReadonlySet<string>> {
    return new Set(errorsOf((await this.#settle(new Answer(''), this.#names)).found).map(keyOf))
  }
}

function keyOf({ validator, code }: Issue): string {
  return `${validator} ${code}`
}
